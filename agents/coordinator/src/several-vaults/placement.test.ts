import fc from "fast-check";
import { expect, test } from "vitest";
import { accountOf } from "./epoch-ledger.ts";
import { logarithm, segmentsOf, vaultFor } from "./placement.ts";

const ids = ["a1", "b2", "c3", "d4"];
const names = Array.from({ length: 1000 }, (_, at) => ({ bucket: "photos", key: `2026/${at}.jpg` }));
const weightsOfFour = fc
  .array(fc.integer({ min: 0, max: 1000 }), { minLength: 4, maxLength: 4 })
  .filter((weights) => weights.some((weight) => weight > 0));

test("each vault takes its weight's share of the keys", () => {
  fc.assert(
    fc.property(weightsOfFour, (weights) => {
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const counts = weights.map(() => 0);
      for (const name of names) {
        const vault = vaultFor(ids, weights, name);
        counts[vault] = (counts[vault] ?? 0) + 1;
      }
      for (const [vault, weight] of weights.entries()) {
        const expected = (weight / total) * names.length;
        // Five standard deviations of a binomial distribution.
        const tolerance = 5 * Math.sqrt(expected * (1 - weight / total)) + 1;
        expect(Math.abs((counts[vault] ?? 0) - expected)).toBeLessThanOrEqual(tolerance);
      }
    }),
    { numRuns: 20 },
  );
});

test("a growing weight moves keys only to its vault, and a shrinking one only from it", () => {
  fc.assert(
    fc.property(weightsOfFour, fc.nat(3), fc.integer({ min: 0, max: 1000 }), (weights, vault, weight) => {
      const changed = weights.with(vault, weight);
      fc.pre(changed.some((each) => each > 0));
      for (const name of names.slice(0, 100)) {
        const [before, after] = [vaultFor(ids, weights, name), vaultFor(ids, changed, name)];
        if (before !== after) expect(weight > (weights[vault] ?? 0) ? after : before).toBe(vault);
      }
    }),
    { numRuns: 50 },
  );
});

test("the place of a key is the same on every platform and in every release", () => {
  const weights = [500, 250, 200, 50];
  const places = names.slice(0, 40).map((name) => vaultFor(ids, weights, name));
  expect(places.join("")).toBe("0001011210000023022000000120022302110003");
  expect(logarithm(0.5)).toBe(-Math.LN2);
  fc.assert(
    fc.property(fc.double({ min: 2 ** -49, max: 1 - 2 ** -49, noNaN: true }), (value) => {
      expect(logarithm(value)).toBeCloseTo(Math.log(value), 12);
    }),
  );
});

test("consecutive epochs with the same vault form one segment, newest first", () => {
  const vaults = ids.slice(0, 2).map((id) => ({ id, name: id }));
  const terms = { reason: "space", sinceMs: 0 } as const;
  const { epochs } = accountOf(
    [[1000], [1000, 0], [0, 1000], [1000, 0]].map((weights) => ({ weights, ...terms })),
  );
  expect(segmentsOf({ vaults, epochs }, { bucket: "photos", key: "x" })).toEqual([
    { vault: 0, firstEpoch: 4, lastEpoch: 4 },
    { vault: 1, firstEpoch: 3, lastEpoch: 3 },
    { vault: 0, firstEpoch: 1, lastEpoch: 2 },
  ]);
});

test("an epoch in which no vault accepts keys is refused", () => {
  expect(() => vaultFor(ids, [0, 0, 0, 0], { bucket: "b", key: "k" })).toThrow(RangeError);
});
