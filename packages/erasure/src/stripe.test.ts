import fc from "fast-check";
import { expect, test } from "vitest";
import { createErasure } from "./erasure.ts";
import { SCHEME_16_4, SCHEME_17_3 } from "./scheme.ts";
import { anyScheme, noise, shardBytesOfInterest } from "./testing.ts";

const released = "This stripe has been released, and its memory may belong to another; take a new one.";

test("a stripe starts on a page, its shards on lines, and all are views of one fixed memory", () => {
  const coder = createErasure({ arenaBytes: 2 ** 22 });
  const buffer = coder.memory?.buffer;
  fc.assert(
    fc.property(anyScheme(30), shardBytesOfInterest, (scheme, shardBytes) => {
      const stripe = coder.takeStripe(scheme, shardBytes);
      expect((stripe.shards[0]?.byteOffset as number) % 4096).toBe(0);
      for (const shard of stripe.shards) {
        expect(shard.byteOffset % 64).toBe(0);
        expect(shard).toHaveLength(shardBytes);
        expect(shard.buffer).toBe(buffer);
      }
      stripe.release();
    }),
  );
  expect(coder.memory?.buffer).toBe(buffer);
});

test("stripes taken and released in any order never share a byte, and all space is returned", () => {
  const step = fc.record({
    scheme: anyScheme(12),
    shardBytes: fc.integer({ min: 0, max: 9000 }),
    isTake: fc.boolean(),
    pick: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const coder = createErasure({ engine: "js", arenaBytes: 2 ** 22 });
      const held: { stripe: ReturnType<typeof coder.takeStripe>; mark: number }[] = [];
      const giveBack = (index: number) => {
        const [first] = held.splice(index, 1);
        const marks = new Set(first?.stripe.shards.flatMap((shard) => [...new Set(shard)]));
        expect([...marks]).toEqual(first?.stripe.shardBytes ? [first.mark] : []);
        first?.stripe.release();
      };
      for (const [index, { scheme, shardBytes, isTake, pick }] of steps.entries()) {
        if (isTake) {
          const stripe = coder.takeStripe(scheme, shardBytes);
          for (const shard of stripe.shards) shard.fill(index);
          held.push({ stripe, mark: index });
        } else if (held.length > 0) giveBack(pick % held.length);
      }
      while (held.length > 0) giveBack(0);
      expect(coder.freeBytes).toBe(coder.arenaBytes);
      coder.takeStripe({ dataShardCount: 1, parityShardCount: 1 }, coder.arenaBytes / 2 - 4096).release();
    }),
  );
});

test("an exhausted arena reports its free space, and serves again after a release", () => {
  const coder = createErasure({ arenaBytes: 200_000 });
  const first = coder.takeStripe(SCHEME_16_4, 4096);
  const second = coder.takeStripe(SCHEME_16_4, 4096);
  first.release();
  expect(() => coder.takeStripe(SCHEME_17_3, 8192)).toThrow(
    "The arena has no space for a stripe of 176128 bytes: 106496 of its 200704 bytes are free, at most 94208 in one piece. Release stripes first, or make the arena larger.",
  );
  second.release();
  coder.takeStripe(SCHEME_17_3, 8192).release();
});

test("a released stripe refuses every call, including a second release", () => {
  const coder = createErasure();
  const stripe = coder.takeStripe(SCHEME_16_4, 100);
  stripe.release();
  const uses = [
    () => stripe.shards,
    () => stripe.dataShards,
    () => stripe.parityShards,
    () => stripe.encode(),
    () => stripe.verify(),
    () => stripe.reconstruct([0]),
    () => stripe.reconstructData([0]),
    () => stripe.release(),
  ];
  for (const use of uses)
    expect(use).toThrow(expect.objectContaining({ code: "stripe_released", message: released }));
  expect(coder.freeBytes).toBe(coder.arenaBytes);
});

test("the remains of an earlier stripe in the memory do not affect a later one", () => {
  const coder = createErasure({ arenaBytes: 8192 });
  const dirty = coder.takeStripe({ dataShardCount: 1, parityShardCount: 1 }, 4032);
  for (const shard of dirty.shards) shard.fill(0xff);
  dirty.release();
  const stripe = coder.takeStripe({ dataShardCount: 3, parityShardCount: 2 }, 65);
  for (const [index, shard] of noise(5, 3, 65).entries()) stripe.dataShards[index]?.set(shard);
  stripe.encode();
  expect(stripe.verify()).toBe(true);
  stripe.reconstruct([0, 4]);
  expect(stripe.verify()).toBe(true);
});

test("the indexes of missing shards may repeat and be in any order", () => {
  const coder = createErasure();
  const stripe = coder.takeStripe(SCHEME_16_4, 50);
  for (const [index, shard] of noise(6, 16, 50).entries()) stripe.dataShards[index]?.set(shard);
  stripe.encode();
  const before = stripe.shards.map((shard) => shard.slice());
  for (const index of [2, 9, 17, 19]) stripe.shards[index]?.fill(0);
  stripe.reconstruct([19, 2, 9, 2, 17, 9]);
  expect(stripe.shards).toEqual(before);
});
