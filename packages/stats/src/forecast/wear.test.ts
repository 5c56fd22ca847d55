import fc from "fast-check";
import { expect, test } from "vitest";
import { describeWear, forecastWear } from "./wear.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const nowMs = Date.UTC(2026, 10, 29, 12);
const TB = 1e12;

/** Bytes written, hour by hour: `from` at the start, and `perDay` more each day. */
const writes = (days: number, from: number, perDay: number) =>
  Array.from({ length: 24 * days + 1 }, (_, hour) => ({
    atMs: nowMs - days * DAY_MS + hour * HOUR_MS,
    value: from + (perDay * hour) / 24,
  }));

test("an evenly written drive wears out when its endurance is used up, to within one percent of its wear", () => {
  // At 800 TB of 1,000 TB and 2 TB a day, 100 days are left; the remaining 200 TB are uncertain by 10 TB.
  const forecast = forecastWear({ points: writes(28, 744 * TB, 2 * TB), enduranceBytes: 1000 * TB, nowMs });
  if (forecast.kind !== "filling") throw new Error(forecast.kind);
  expect(forecast.fullInMs.value / DAY_MS).toBeCloseTo(100, 0);
  expect(forecast.fullInMs.low / DAY_MS).toBeCloseTo(800 / 0.81 / 2 - 400, 0);
  expect(forecast.fullInMs.high / DAY_MS).toBeCloseTo(800 / 0.79 / 2 - 400, 0);
  expect(describeWear(forecast, nowMs)).toBe(
    "Worn out on 2027-03-09 (2027-03-03 to 2027-03-15), by the writes of the last 21 days.",
  );
});

test.each<[string, Parameters<typeof forecastWear>[0], string]>([
  [
    "that reports no wear",
    { points: writes(28, 1, 1), enduranceBytes: null, nowMs },
    "No forecast of its wear: SMART reports no wear",
  ],
  [
    "that is hardly used",
    { points: writes(28, 10, 1), enduranceBytes: 1000, nowMs },
    "No forecast of its wear: less than 10 %",
  ],
  [
    "that is not written to",
    { points: writes(28, 500, 0), enduranceBytes: 1000, nowMs },
    "No forecast of its wear: nothing beyond chance was written in",
  ],
  [
    "with an hour of history",
    { points: writes(28, 500, 1).slice(-2), enduranceBytes: 1000, nowMs },
    "No forecast of its wear: 60 minutes of history, 6 hours are needed.",
  ],
  [
    "that lasts for years",
    { points: writes(28, 500, 0.1), enduranceBytes: 1000, nowMs },
    "Not worn out before 2027-08-29, which is as far as 21 days of writes can predict.",
  ],
  [
    "that is worn out",
    { points: writes(28, 1000, 1), enduranceBytes: 1000, nowMs },
    "Its rated endurance is used up.",
  ],
])("the wear of a drive %s is described", (_, input, sentence) => {
  expect(describeWear(forecastWear(input), nowMs)).toContain(sentence);
});

test("the interval of a forecast contains its value for any wear and write rate", () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 0.99, noNaN: true }),
      fc.double({ min: 1e-4, max: 0.02, noNaN: true }),
      fc.integer({ min: 1, max: 28 }),
      (wear, perDay, days) => {
        const points = writes(days, wear * TB - perDay * TB * days, perDay * TB);
        const forecast = forecastWear({ points, enduranceBytes: TB, nowMs });
        expect(describeWear(forecast, nowMs)).not.toMatch(/NaN|Infinity|Invalid/);
        if (forecast.kind !== "filling") return;
        const { low, value, high } = forecast.fullInMs;
        expect(low).toBeLessThanOrEqual(value);
        expect(high).toBeGreaterThanOrEqual(value);
      },
    ),
    { seed: 39, numRuns: 100 },
  );
});
