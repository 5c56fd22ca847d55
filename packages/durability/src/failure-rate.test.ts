import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateFailureRate, limitPrior, poissonInterval, updateFailureRate } from "./index.ts";

// Intervals computed with SciPy's chi2.ppf.
test.each([
  [0, 0, 3.6888794541139354],
  [1, 0.025317807984289876, 5.571643390938898],
  [5, 1.6234863901184207, 11.66833207932267],
  [10, 4.7953886961324335, 18.39035604201778],
  [100, 81.36399125092314, 121.62679379242638],
  [1500, 1425.0424682598964, 1577.877047118903],
])("the exact interval of %i failures is %f to %f", (count, low, high) => {
  const interval = poissonInterval(count);
  expect(interval.low).toBeCloseTo(low, 8);
  expect(interval.high).toBeCloseTo(high, 8);
});

test("an annual failure rate is the number of failures per drive-year, with a confidence interval", () => {
  const { value, low, high } = estimateFailureRate(10, 365_000);
  expect(value).toBeCloseTo(0.01, 12);
  expect(low).toBeCloseTo(0.0047953887, 9);
  expect(high).toBeCloseTo(0.0183903559, 9);
});

test("Garwood's interval contains the mean with a probability of at least 95 %", () => {
  const poissonShare = (count: number, mean: number) => {
    let log = -mean;
    for (let i = 1; i <= count; i += 1) log += Math.log(mean / i);
    return Math.exp(log);
  };
  for (const mean of [0.1, 0.5, 1, 2.3, 5, 12, 40]) {
    let covered = 0;
    for (let count = 0; count < mean + 15 * Math.sqrt(mean) + 20; count += 1) {
      const { low, high } = poissonInterval(count);
      if (low <= mean && mean <= high) covered += poissonShare(count, mean);
    }
    expect(covered, `mean ${mean}`).toBeGreaterThanOrEqual(0.95 - 1e-9);
    expect(covered).toBeLessThanOrEqual(1 + 1e-9);
  }
});

test("observed failures move the prior's rate towards their own and narrow its interval", () => {
  const prior = { failures: 15.5, driveYears: 1000 };
  const none = updateFailureRate(prior, { failures: 0, driveYears: 0 });
  expect(none.value).toBeCloseTo(0.0155, 12);
  const seen = updateFailureRate(prior, { failures: 300, driveYears: 10_000 });
  expect(seen.value).toBeCloseTo(315.5 / 11_000, 12);
  expect(seen.high - seen.low).toBeLessThan(none.high - none.low);
  expect(seen.low).toBeLessThan(seen.value);
  expect(seen.high).toBeGreaterThan(seen.value);
});

test("a prior above the limit is scaled to the limit with its mean kept, and a smaller prior is unchanged", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 1e6, noNaN: true }),
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      (failures, driveYears) => {
        const limited = limitPrior({ failures, driveYears }, 10);
        expect(limited.failures).toBeCloseTo(Math.min(10, failures), 9);
        expect((limited.failures / limited.driveYears) * (driveYears / failures)).toBeCloseTo(1, 9);
      },
    ),
    { seed: 7, numRuns: 100 },
  );
});

test("intervals contain their estimate for any counts", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.double({ min: 1, max: 1e9, noNaN: true }),
      (count, days) => {
        const { value, low, high } = estimateFailureRate(count, days);
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThan(value);
        expect(Number.isFinite(high)).toBe(true);
      },
    ),
    { seed: 5, numRuns: 200 },
  );
});

test.each([
  [-1, 100],
  [1.5, 100],
  [1, 0],
  [1, Number.NaN],
])("an estimate from %f failures in %f drive days is refused", (failures, days) => {
  expect(() => estimateFailureRate(failures, days)).toThrow(/must be/);
});
