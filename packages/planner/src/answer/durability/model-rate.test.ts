import { gammaQuantile } from "@stashlight/stats/gamma";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeEvidence, estimateModelRate, type PublishedCounts, rateInWords } from "./model-rate.ts";

const published = (driveDays: number, failures: number): PublishedCounts => ({
  driveDays,
  failures,
  source: "Report",
  from: "2024-01-01",
  to: "2024-12-31",
});
const none = { driveDays: 0, failures: 0 };

test("a rate is the gamma posterior of all drives, the published counts and the fleet's own counts", () => {
  // 2 + 6 failures in 2 / 0.0155 + 2,000 published drive-years, and 3 of the fleet's own in 100.
  const rate = estimateModelRate({
    published: published(730_000, 6),
    own: { driveDays: 36_500, failures: 3 },
  });
  const years = 2 / 0.0155 + 2000 + 100;
  expect(rate.value).toBeCloseTo(11 / years, 12);
  expect(rate.low).toBeCloseTo(gammaQuantile(0.025, 11) / years, 12);
  expect(rate.high).toBeCloseTo(gammaQuantile(0.975, 11) / years, 12);
  expect(rate.countedFailures).toBe(11);
});

test("many published failures keep their mean and count as ten, so that a fleet's own failures matter", () => {
  const counts = published(14_835_759, 270);
  const alone = estimateModelRate({ published: counts, own: none });
  expect(alone.value).toBeCloseTo((270 + 2) / (14_835_759 / 365 + 2 / 0.0155), 12);
  expect(alone.countedFailures).toBe(10);
  const own = { driveDays: 365 * 300, failures: 20 };
  const together = estimateModelRate({ published: counts, own });
  expect(together.value).toBeGreaterThan(2 * alone.value);
  expect(together.value).toBeLessThan(20 / 300);
});

test.each([
  ["no failures", 5000, 0, 0.0001, 0.0155],
  ["nothing but failures", 5, 5, 0.0155, 0.2],
])("a model with %s has a rate between zero and certain failure", (_, driveDays, failures, above, below) => {
  const { value, low } = estimateModelRate({ published: published(driveDays, failures), own: none });
  expect(value).toBeGreaterThan(above);
  expect(value).toBeLessThan(below);
  expect(low).toBeGreaterThan(0);
});

test("a rate names its counts and their source", () => {
  const evidence = { published: published(14_835_759, 270), own: { driveDays: 1, failures: 1 } };
  expect(describeEvidence(evidence)).toBe(
    "Report: 270 failures in 14,835,759 drive days; and 1 failure in 1 drive day of this fleet",
  );
  expect(describeEvidence({ published: null, own: none })).toMatch(
    /^rate of all drives \(Backblaze .*\) and 0 failures in 0 drive days of this fleet$/,
  );
  expect(rateInWords({ value: 0.0123, low: 0.001, high: 0.05 })).toBe("1.23 % (0.1 to 5)");
});

const counts = fc.record({
  driveDays: fc.integer({ min: 0, max: 1e9 }),
  failures: fc.integer({ min: 0, max: 1e5 }),
});

test("a failure in the fleet raises a rate, and a drive day without a failure lowers it", () => {
  fc.assert(
    fc.property(fc.option(counts), counts, (others, own) => {
      const at = (more: Partial<typeof own>) =>
        estimateModelRate({
          published: others === null ? null : published(others.driveDays, others.failures),
          own: { ...own, ...more },
        });
      const rate = at({});
      expect(rate.low).toBeGreaterThan(0);
      expect(rate.low).toBeLessThan(rate.value);
      expect(rate.high).toBeGreaterThan(rate.value);
      expect(Number.isFinite(rate.high)).toBe(true);
      expect(at({ failures: own.failures + 1 }).value).toBeGreaterThan(rate.value);
      expect(at({ driveDays: own.driveDays + 1000 }).value).toBeLessThan(rate.value);
    }),
    { seed: 39, numRuns: 300 },
  );
});
