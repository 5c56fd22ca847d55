import { vaultMarks } from "@stashlight/contracts/thresholds";
import { describeForecast, type Forecast, forecastFull, likelyFullInMs } from "@stashlight/stats/forecast";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  forecastRefetchMs,
  formatForecast,
  judgeForecast,
  orderOfForecast,
  rankForecast,
} from "./forecasts.ts";

const HOUR_MS = 3_600_000;

/** Forecasts of steadily filling, level, young and full stores. */
const forecasts = fc
  .record({
    hours: fc.integer({ min: 1, max: 400 }),
    start: fc.double({ min: 0, max: 1, noNaN: true }),
    growthPerHour: fc.double({ min: -0.01, max: 0.02, noNaN: true }),
    noise: fc.double({ min: 0, max: 0.02, noNaN: true }),
  })
  .map(({ hours, start, growthPerHour, noise }): Forecast => {
    const points = Array.from({ length: hours + 1 }, (_, hour) => ({
      atMs: hour * HOUR_MS,
      value: Math.max(0, start + growthPerHour * hour + noise * Math.sin(hour * 7)),
    }));
    return forecastFull({ points, capacity: 1, nowMs: hours * HOUR_MS });
  });

test("a tile agrees with the sentence of the same forecast", () => {
  fc.assert(
    fc.property(forecasts, (forecast) => {
      const { value, statistic, missing } = formatForecast(forecast);
      const sentence = describeForecast(forecast);
      if (forecast.kind === "none") {
        if (value === null) expect(`${missing?.toLowerCase().replace(".", ":")} ${statistic}`).toBe(sentence);
        else expect(statistic).toContain("of history");
        return;
      }
      expect(sentence).toContain(value);
      if (forecast.kind === "filling") {
        expect(sentence).toBe(`full in ${value}, ${statistic?.replace("95\u00a0%, ", "")}`);
      }
    }),
    { numRuns: 60 },
  );
});

test("a page warns exactly where an alert rule with its limit fires", () => {
  fc.assert(
    fc.property(forecasts, (forecast) => {
      const likelyMs = likelyFullInMs(forecast);
      const fires = likelyMs !== null && likelyMs / 1000 < vaultMarks.timeToFullSecondsWarning;
      expect(["bad", "warning"].includes(judgeForecast(forecast, vaultMarks))).toBe(fires);
    }),
    { numRuns: 60 },
  );
});

test("a full store's forecast is read again within seconds, because it may be emptied at any moment", () => {
  const level: Forecast = { kind: "none", reason: { kind: "no-growth", spanMs: 1 } };
  const listed = (...all: Forecast[]) =>
    all.map((forecast) => ({ vault: "local", store: "pods", forecast }) as const);
  expect(forecastRefetchMs(listed(level))).toBe(60_000);
  expect(forecastRefetchMs(listed(level, { kind: "full" }))).toBe(5_000);
});

test("stores without a forecast come after those that do not fill, and have no rank", () => {
  const young: Forecast = {
    kind: "none",
    reason: { kind: "short-history", spanMs: 1, neededMs: 2, isChange: false },
  };
  const level: Forecast = { kind: "none", reason: { kind: "no-growth", spanMs: 1 } };
  expect([young, level, { kind: "full" } as const].map(orderOfForecast)).toEqual([
    ...[Number.POSITIVE_INFINITY, Number.MAX_VALUE, 0],
  ]);
  expect(rankForecast(young)).toEqual({});
});
