import fc from "fast-check";
import { expect, test } from "vitest";
import { joinBody, partsOfBody, shardBytesFor, splitBody } from "./body.ts";
import { createErasure } from "./erasure.ts";
import { SCHEME_16_4 } from "./scheme.ts";
import { anyScheme } from "./testing.ts";

const anyBody = fc.uint8Array({ maxLength: 2000 });

test.each([
  { bodyBytes: 0, shardBytes: 0 },
  { bodyBytes: 1, shardBytes: 1 },
  { bodyBytes: 16, shardBytes: 1 },
  { bodyBytes: 17, shardBytes: 2 },
  { bodyBytes: 1_048_576, shardBytes: 65_536 },
])("a body of $bodyBytes bytes is split into 16 shards of $shardBytes", ({ bodyBytes, shardBytes }) => {
  expect(shardBytesFor(SCHEME_16_4, bodyBytes)).toBe(shardBytes);
});

test("any body is split into equal, zero-padded shards and joined again", () => {
  fc.assert(
    fc.property(anyScheme(60), anyBody, (scheme, body) => {
      const shards = splitBody(scheme, body);
      const shardBytes = shardBytesFor(scheme, body.length);
      expect(shards.map((shard) => shard.length)).toEqual(new Array(scheme.dataShardCount).fill(shardBytes));
      const all = Buffer.concat(shards);
      expect(all.subarray(0, body.length).equals(body)).toBe(true);
      expect(all.subarray(body.length).every((byte) => byte === 0)).toBe(true);
      expect(joinBody(shards, body.length)).toEqual(body);
      const parts = partsOfBody(shards, body.length);
      expect(Uint8Array.from(Buffer.concat(parts))).toEqual(body);
      expect(parts.every((part) => shards.some(({ buffer }) => buffer === part.buffer))).toBe(true);
    }),
  );
});

test("a body in a stripe is restored after the loss of m shards", () => {
  const coder = createErasure();
  fc.assert(
    fc.property(anyScheme(30), anyBody, (scheme, body) => {
      const stripe = coder.takeStripe(scheme, shardBytesFor(scheme, body.length));
      for (const shard of stripe.shards) shard.fill(0xee);
      for (const [index, shard] of splitBody(scheme, body).entries()) stripe.shards[index]?.set(shard);
      stripe.encode();
      const missing = Array.from({ length: scheme.parityShardCount }, (_, index) => index);
      for (const index of missing) stripe.shards[index]?.fill(0xee);
      stripe.reconstructData(missing);
      expect(joinBody(stripe.shards, body.length)).toEqual(body);
      stripe.release();
    }),
  );
});

test("shards that the body fills are not copied", () => {
  const body = new Uint8Array(50);
  const shards = splitBody({ dataShardCount: 8, parityShardCount: 2 }, body);
  expect(shards.map((shard) => shard.buffer === body.buffer)).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test("an invalid length is refused, and the message names the valid ones", () => {
  const shards = splitBody(SCHEME_16_4, new Uint8Array(30));
  const outside = (from: number, to: number) =>
    `16 shards of 2 bytes hold bytes 0 to 32 of a body; ${from} to ${to} was given.`;
  expect(() => joinBody(shards, 33)).toThrow(outside(0, 33));
  expect(() => joinBody(shards, -1)).toThrow(outside(0, -1));
  expect(() => partsOfBody(shards, 33)).toThrow(outside(0, 33));
  expect(() => joinBody([new Uint8Array(1), new Uint8Array(2)], 1)).toThrow(
    "All shards must be equally long; one has 1 byte and one has 2.",
  );
  expect(() => shardBytesFor(SCHEME_16_4, 1.5)).toThrow("A body has 0 or more bytes; 1.5 was given.");
});
