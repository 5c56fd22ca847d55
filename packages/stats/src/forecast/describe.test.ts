import { expect, test } from "vitest";
import { describeForecast, describeInterval, describeSpan } from "./describe.ts";
import type { Forecast, NoForecastReason } from "./forecast-result.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

test.each([
  [0, "0 minutes"],
  [28 * MINUTE_MS, "28 minutes"],
  [90 * MINUTE_MS, "90 minutes"],
  [6 * HOUR_MS, "6 hours"],
  [47 * HOUR_MS, "47 hours"],
  [12 * DAY_MS, "12 days"],
])("a span of %d ms is formatted as %s", (ms, words) => {
  expect(describeSpan(ms)).toBe(words);
});

test.each([
  [3 * DAY_MS, 9 * DAY_MS, "3 to 9 days"],
  [20 * HOUR_MS, 3 * DAY_MS, "20 hours to 3 days"],
  [5 * DAY_MS, 5.2 * DAY_MS, "5 days"],
  [30 * MINUTE_MS, 45 * MINUTE_MS, "30 to 45 minutes"],
  [4 * DAY_MS, Number.POSITIVE_INFINITY, "at least 4 days"],
  [4 * DAY_MS, 5_000 * DAY_MS, "at least 4 days"],
])("an interval of %d to %d ms is formatted as %s", (low, high, words) => {
  expect(describeInterval(low, high)).toBe(words);
});

test("a forecast includes its interval and its history", () => {
  const forecast: Forecast = {
    kind: "filling",
    fullInMs: { value: 5 * DAY_MS, low: 3 * DAY_MS, high: 9 * DAY_MS },
    growthPerDay: { value: 2, low: 1, high: 3 },
    spanMs: 12 * DAY_MS,
    sampleCount: 288,
  };
  expect(describeForecast(forecast)).toBe("full in 3 to 9 days, from 12 days of history");
  expect(describeForecast({ kind: "full" })).toBe("full");
});

test.each<[NoForecastReason, string]>([
  [{ kind: "no-capacity" }, "no capacity was reported"],
  [{ kind: "no-history" }, "nothing has been reported yet"],
  [{ kind: "stale", ageMs: 3 * HOUR_MS }, "nothing was reported for 3 hours"],
  [
    { kind: "short-history", spanMs: 28 * MINUTE_MS, neededMs: 6 * HOUR_MS, isChange: false },
    "28 minutes of history, 6 hours are needed",
  ],
  [
    { kind: "short-history", spanMs: 2 * HOUR_MS, neededMs: 6 * HOUR_MS, isChange: true },
    "2 hours since the level changed, 6 hours are needed",
  ],
  [{ kind: "outdated" }, "the level has just changed, and the history is read again"],
  [{ kind: "small-share", share: 0.0999, neededShare: 0.1 }, "9.9 % full, 10 % are needed"],
  [{ kind: "no-growth", spanMs: 7 * DAY_MS }, "no growth beyond chance in 7 days"],
  [
    { kind: "beyond-reach", spanMs: 7 * DAY_MS, reachMs: 28 * DAY_MS },
    "not full within 28 days, which is as far as 7 days of history can predict",
  ],
])("the absence of a forecast is explained: %o", (reason, words) => {
  expect(describeForecast({ kind: "none", reason })).toBe(`no forecast: ${words}`);
});
