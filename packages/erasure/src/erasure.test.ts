import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { supportedEngines } from "./create-engine.ts";
import { createErasure } from "./erasure.ts";
import golden from "./golden-vectors.json" with { type: "json" };
import { SCHEME_15_5, SCHEME_16_4, SCHEME_17_3, shardCountOf } from "./scheme.ts";
import { anyLosses, anyScheme, noise, shardBytesOfInterest, subsets } from "./testing.ts";

const engines = supportedEngines();
const coders = engines.map((engine) => createErasure({ engine }));
const best = createErasure();

const anyCase = anyScheme(40).chain((scheme) =>
  fc.record({
    scheme: fc.constant(scheme),
    shardBytes: shardBytesOfInterest,
    seed: fc.nat(),
    losses: anyLosses(scheme),
  }),
);

test("Node runs all three engines", () => {
  expect(engines).toEqual(["relaxed-simd", "simd", "js"]);
});

test("the engines agree bit for bit on parity and on reconstructed shards", () => {
  fc.assert(
    fc.property(anyCase, ({ scheme, shardBytes, seed, losses }) => {
      const data = noise(seed, scheme.dataShardCount, shardBytes);
      const [reference, ...others] = coders.map((coder) => {
        const shards = [...data, ...coder.encode(scheme, data)];
        const holed = shards.map((shard, index) => (losses.includes(index) ? null : shard));
        const restored = coder.reconstruct(scheme, holed);
        expect(restored).toEqual(shards);
        return restored;
      });
      for (const other of others) expect(other).toEqual(reference);
    }),
    { numRuns: 200 },
  );
});

test.each([
  { scheme: SCHEME_17_3, lossCount: 1350 },
  { scheme: SCHEME_15_5, lossCount: 21_699 },
])(
  "$scheme.dataShardCount+$scheme.parityShardCount survives each of its $lossCount losses",
  ({ scheme, lossCount }) => {
    const losses = subsets(20, scheme.parityShardCount);
    expect(losses).toHaveLength(lossCount);
    const data = noise(2, scheme.dataShardCount, 3);
    const shards = [...data, ...best.encode(scheme, data)];
    const expected = Buffer.concat(shards);
    for (const missing of losses) {
      const holed: (Uint8Array | null)[] = [...shards];
      for (const index of missing) holed[index] = null;
      if (!expected.equals(Buffer.concat(best.reconstruct(scheme, holed)))) {
        expect.unreachable(`shards ${missing} were not restored`);
      }
    }
  },
);

describe.each(coders)("erasure coding by $engine", (coder) => {
  test.each(golden.vectors)(
    "encodes $dataShardCount+$parityShardCount at $shardBytes bytes to the golden parity",
    (vector) => {
      const { dataShardCount, shardBytes } = vector;
      const data = Array.from({ length: dataShardCount }, (_, shard) =>
        Uint8Array.from({ length: shardBytes }, (_, index) => (index * 31 + shard * 17 + 7) & 255),
      );
      const parity = coder.encode(vector, data);
      const sha256 = parity.map((shard) => createHash("sha256").update(shard).digest("hex"));
      expect(sha256).toEqual(vector.paritySha256);
      if (vector.parityHex)
        expect(parity.map((shard) => Buffer.from(shard).toString("hex"))).toEqual(vector.parityHex);
    },
  );

  test("restores 16+4 after every loss of up to 4 of its 20 shards: 6,195 of them", () => {
    const losses = subsets(20, 4);
    expect(losses).toHaveLength(6195);
    expect(new Set(losses.map(String)).size).toBe(6195);
    const shardBytes = 67;
    const stripe = coder.takeStripe(SCHEME_16_4, shardBytes);
    for (const [index, shard] of noise(1, 16, shardBytes).entries()) stripe.shards[index]?.set(shard);
    stripe.encode();
    const expected = stripe.shards.map((shard) => Buffer.from(shard));
    let restoredCount = 0;
    for (const missing of losses) {
      for (const index of missing) stripe.shards[index]?.fill(0xee);
      stripe.reconstruct(missing);
      const isRestored = stripe.shards.every((shard, index) => expected[index]?.equals(shard));
      if (!isRestored) expect.unreachable(`shards ${missing} were not restored`);
      restoredCount += 1;
    }
    expect(restoredCount).toBe(6195);
    stripe.release();
  });

  test("gives the same shards in stripes and copied arrays, and a stripe can skip missing parity when it reconstructs", () => {
    fc.assert(
      fc.property(anyCase, ({ scheme, shardBytes, seed, losses }) => {
        const data = noise(seed, scheme.dataShardCount, shardBytes);
        const shards = [...data, ...coder.encode(scheme, data)];
        const stripe = coder.takeStripe(scheme, shardBytes);
        for (const [index, shard] of data.entries()) stripe.dataShards[index]?.set(shard);
        stripe.encode();
        expect(stripe.shards).toEqual(shards);
        expect(stripe.verify()).toBe(true);

        for (const index of losses) stripe.shards[index]?.fill(0xee);
        stripe.reconstructData(losses);
        expect(stripe.dataShards).toEqual(data);
        const lostParity = losses.filter((index) => index >= scheme.dataShardCount);
        for (const index of lostParity)
          expect(stripe.shards[index]).toEqual(new Uint8Array(shardBytes).fill(0xee));
        stripe.reconstruct(lostParity);
        expect(stripe.shards).toEqual(shards);
        stripe.release();

        const holed = shards.map((shard, index) => (losses.includes(index) ? null : shard));
        expect(coder.reconstructData(scheme, holed)).toEqual(data);
        expect(coder.freeBytes).toBe(coder.arenaBytes);
      }),
    );
  });

  test("accepts shards that start anywhere in their buffers, and does not modify them", () => {
    const length = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(fc.nat(), length, fc.integer({ min: 0, max: 70 }), (seed, shardBytes, offset) => {
        const buffers = noise(seed, 16, shardBytes + offset + 3);
        const before = buffers.map((buffer) => buffer.slice());
        const views = buffers.map((buffer) => buffer.subarray(offset, offset + shardBytes));
        const copies = views.map((view) => view.slice());
        expect(coder.encode(SCHEME_16_4, views)).toEqual(coder.encode(SCHEME_16_4, copies));
        expect(buffers).toEqual(before);
      }),
    );
  });

  test("detects any single flipped bit of any shard", () => {
    const whole = anyCase.filter(({ shardBytes }) => shardBytes > 0);
    fc.assert(
      fc.property(whole, fc.nat(), fc.nat(), ({ scheme, shardBytes, seed }, shardSeed, bitSeed) => {
        const data = noise(seed, scheme.dataShardCount, shardBytes);
        const shards = [...data, ...coder.encode(scheme, data)];
        expect(coder.verify(scheme, shards)).toBe(true);
        const shard = shards[shardSeed % shardCountOf(scheme)] as Uint8Array;
        const bit = bitSeed % (8 * shardBytes);
        shard[bit >> 3] = (shard[bit >> 3] as number) ^ (1 << (bit & 7));
        expect(coder.verify(scheme, shards)).toBe(false);
      }),
    );
  });

  test("detects a flipped byte at every place of a stripe", () => {
    const stripe = coder.takeStripe(SCHEME_15_5, 131);
    for (const [index, shard] of noise(3, 15, 131).entries()) stripe.shards[index]?.set(shard);
    stripe.encode();
    for (const shard of stripe.shards) {
      for (const [at, byte] of shard.entries()) {
        shard[at] = byte ^ 0x80;
        if (stripe.verify()) expect.unreachable(`the flipped byte ${at} was not found`);
        shard[at] = byte;
      }
    }
    expect(stripe.verify()).toBe(true);
    stripe.release();
  });

  test.each([
    { dataShardCount: 1, parityShardCount: 1 },
    { dataShardCount: 1, parityShardCount: 255 },
    { dataShardCount: 255, parityShardCount: 1 },
    { dataShardCount: 128, parityShardCount: 128 },
  ])(
    "restores missing shards of $dataShardCount+$parityShardCount, at the limits of valid schemes",
    (scheme) => {
      const data = noise(4, scheme.dataShardCount, 4500);
      const shards = [...data, ...coder.encode(scheme, data)];
      expect(coder.verify(scheme, shards)).toBe(true);
      const holed = shards.map((shard, index) => (index < scheme.parityShardCount ? null : shard));
      expect(coder.reconstruct(scheme, holed)).toEqual(shards);
    },
  );
});
