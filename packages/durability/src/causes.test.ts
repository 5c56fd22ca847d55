import { expect, test } from "vitest";
import { largestWithin, nines, stashWindowLoss, unreadableProbability, windowAnnualLoss } from "./index.ts";

test("16 shards of 64 kB hit an unreadable sector at the rate given by the datasheet and the scrub interval", () => {
  const errors = { errorsPerByteYear: 8e-15, scrubDays: 30 };
  const expected = 8e-15 * 16 * 64_000 * (15 / 365);
  expect(unreadableProbability(errors, 16 * 64_000) / expected).toBeCloseTo(1, 6);
  expect(unreadableProbability(errors, 0)).toBe(0);
  expect(unreadableProbability({ ...errors, scrubDays: 36_500 }, 1e18)).toBeGreaterThan(0.99);
});

test("the stash-window loss is the probability of a cut during the residence times the probability of losing m of n - 1 drives", () => {
  const window = {
    dataShards: 1,
    parityShards: 1,
    residenceSeconds: 3600,
    cutsPerYear: 1,
    driveLostInCut: 0.01,
  };
  expect(stashWindowLoss(window)).toBeCloseTo((3600 / (365 * 86_400)) * 0.01, 15);
  const wide = { ...window, dataShards: 16, parityShards: 4 };
  // Sum of C(19, 4) p^4 (1-p)^15 and the terms after it.
  const tail = [4, 5, 6, 7, 8].map((i) => binomial(19, i) * 0.01 ** i * 0.99 ** (19 - i));
  const sum = tail.reduce((total, term) => total + term, 0);
  expect(stashWindowLoss(wide) / ((3600 / (365 * 86_400)) * sum)).toBeCloseTo(1, 6);
  expect(stashWindowLoss({ ...wide, driveLostInCut: 0 })).toBe(0);
});

function binomial(n: number, k: number): number {
  let value = 1;
  for (let i = 0; i < k; i += 1) value *= (n - i) / (i + 1);
  return value;
}

test("the longest rebuild that reaches eleven nines gives exactly eleven nines in the window model", () => {
  const group = {
    dataShards: 16,
    parityShards: 4,
    annualFailureRate: 0.0155,
    rebuildsAtOnce: Number.POSITIVE_INFINITY,
    commonCause: null,
  };
  const loss = (rebuildDays: number) => windowAnnualLoss({ ...group, rebuildDays });
  const days = largestWithin(loss, 1e-11, 0.001, 1000);
  expect(nines(loss(days ?? Number.NaN))).toBeCloseTo(11, 8);
  expect(largestWithin(loss, 1e-40, 0.01, 1000)).toBeNull();
  expect(largestWithin(loss, 1, 0.01, 1000)).toBe(1000);
});
