import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DriveGroup,
  DurabilityError,
  failuresPerYear,
  lossBeforeWhole,
  lossUntilRestored,
  markovAnnualLoss,
  meanYearsToLoss,
  windowAnnualLoss,
} from "./index.ts";
import { simulateLossBeforeWhole } from "./testing/importance-sampling.ts";

const base: DriveGroup = {
  dataShards: 16,
  parityShards: 4,
  annualFailureRate: 0.0155,
  rebuildDays: 5.8,
  rebuildsAtOnce: Number.POSITIVE_INFINITY,
  commonCause: null,
};

const groups = fc.record({
  dataShards: fc.integer({ min: 1, max: 40 }),
  parityShards: fc.integer({ min: 1, max: 12 }),
  annualFailureRate: fc.double({ min: 1e-6, max: 0.9, noNaN: true }),
  rebuildDays: fc.double({ min: 0.01, max: 400, noNaN: true }),
  rebuildsAtOnce: fc.constantFrom(1, 2, 5, Number.POSITIVE_INFINITY),
  commonCause: fc.option(
    fc.record({ share: fc.double({ min: 0, max: 1, noNaN: true }), drives: fc.integer({ min: 1, max: 20 }) }),
  ),
});

test("the chain for one drive and one copy gives the textbook's MTTDL = (3 lambda + mu) / (2 lambda^2)", () => {
  const pair = { ...base, dataShards: 1, parityShards: 1 };
  const lambda = failuresPerYear(pair.annualFailureRate);
  const mu = 365 / pair.rebuildDays;
  const right = (3 * lambda + mu) / (2 * lambda ** 2);
  expect(meanYearsToLoss(pair) / right).toBeCloseTo(1, 12);
});

test("an importance-sampled walk over single drives agrees with the chain within its interval", () => {
  const cases: DriveGroup[] = [
    base,
    { ...base, rebuildsAtOnce: 1 },
    { ...base, rebuildsAtOnce: 1, commonCause: { share: 0.05, drives: 2 } },
    { ...base, dataShards: 17, parityShards: 3, rebuildDays: 26, commonCause: { share: 0.1, drives: 3 } },
    { ...base, dataShards: 15, parityShards: 5 },
  ];
  for (const [seed, group] of cases.entries()) {
    for (const missing of [1, 2]) {
      const chain = lossBeforeWhole(group, missing);
      const { mean, standardError } = simulateLossBeforeWhole(group, missing, 40_000, seed + 1);
      expect(Math.abs(mean - chain), `${group.dataShards}+${group.parityShards}`).toBeLessThan(
        4 * standardError,
      );
      expect(standardError / mean).toBeLessThan(0.05);
    }
  }
});

test("loss is a probability for every group, and grows with failure rate, rebuild time and missing shards", () => {
  fc.assert(
    fc.property(groups, (group) => {
      const loss = markovAnnualLoss(group);
      expect(loss).toBeGreaterThan(0);
      expect(loss).toBeLessThanOrEqual(1);
      const worse = { ...group, annualFailureRate: Math.min(0.95, group.annualFailureRate * 1.1) };
      expect(markovAnnualLoss(worse)).toBeGreaterThanOrEqual(loss * (1 - 1e-12));
      // A missing drive cannot fail in a common cause, so slow rebuilds are certainly worse only if failures are
      // independent.
      const alone = { ...group, commonCause: null };
      const slower = { ...alone, rebuildDays: group.rebuildDays * 1.1 };
      expect(markovAnnualLoss(slower)).toBeGreaterThanOrEqual(markovAnnualLoss(alone) * (1 - 1e-12));
      let before = 0;
      for (let missing = 1; missing <= group.parityShards; missing += 1) {
        const next = lossBeforeWhole(group, missing);
        expect(next).toBeGreaterThanOrEqual(before * (1 - 1e-12));
        before = next;
      }
      expect(lossBeforeWhole(group, group.parityShards + 1)).toBe(1);
    }),
    { seed: 39, numRuns: 300 },
  );
});

test("the chain gives 0.5 to 0.95 nines fewer than the window model for 17+3, 16+4 and 15+5", () => {
  for (const [dataShards, parityShards] of [
    [17, 3],
    [16, 4],
    [15, 5],
  ] as const) {
    for (const rebuildDays of [1, 5.8, 26]) {
      const group = { ...base, dataShards, parityShards, rebuildDays };
      const gap = Math.log10(markovAnnualLoss(group) / windowAnnualLoss(group));
      expect(gap).toBeGreaterThan(0.5);
      expect(gap).toBeLessThan(0.95);
    }
  }
});

test("shards that are always unreadable cost over two nines, and shards that are always readable change nothing", () => {
  expect(markovAnnualLoss(base, 0)).toBe(markovAnnualLoss(base));
  expect(markovAnnualLoss(base, 1) / markovAnnualLoss(base)).toBeGreaterThan(100);
  expect(markovAnnualLoss(base, 1e-9) / markovAnnualLoss(base)).toBeCloseTo(1, 5);
});

test("shards that are restored in the group's mean time have the chain's risk, and faster ones have less", () => {
  fc.assert(
    fc.property(groups, fc.double({ min: 0, max: 1, noNaN: true }), (group, unreadable) => {
      for (let missing = 1; missing <= group.parityShards; missing += 1) {
        const chain = lossBeforeWhole(group, missing, unreadable);
        const same = lossUntilRestored(group, missing, group.rebuildDays, unreadable);
        expect(same / chain).toBeCloseTo(1, 9);
        expect(lossUntilRestored(group, missing, group.rebuildDays / 10, unreadable)).toBeLessThanOrEqual(
          same,
        );
      }
      expect(lossUntilRestored(group, group.parityShards + 1, 1, unreadable)).toBe(1);
    }),
    { seed: 391, numRuns: 200 },
  );
});

test.each<[string, Partial<DriveGroup>]>([
  ["a failure rate of 0", { annualFailureRate: 0 }],
  ["a failure rate of 1", { annualFailureRate: 1 }],
  ["a failure rate that is not a number", { annualFailureRate: Number.NaN }],
  ["a rebuild that never ends", { rebuildDays: Number.POSITIVE_INFINITY }],
  ["a rebuild that takes no time", { rebuildDays: 0 }],
  ["no parity", { parityShards: 0 }],
  ["no drives", { dataShards: 0 }],
  ["a common cause of more than all failures", { commonCause: { share: 1.1, drives: 2 } }],
  ["no rebuild at all", { rebuildsAtOnce: 0 }],
])("%s is refused with an explanation", (_, part) => {
  expect(() => markovAnnualLoss({ ...base, ...part })).toThrow(DurabilityError);
  expect(() => markovAnnualLoss({ ...base, ...part })).toThrow(/must be/);
});
