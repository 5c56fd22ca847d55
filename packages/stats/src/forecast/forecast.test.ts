import { expect, test } from "vitest";
import { describeForecast } from "./describe.ts";
import { forecastFull, likelyFullInMs } from "./forecast.ts";
import type { Forecast, HistoryPoint } from "./forecast-result.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const nowMs = Date.UTC(2026, 10, 28, 12);

/** Returns a point for every ten minutes before now; `valueAt` takes the days since the first. */
function history(
  spanMs: number,
  valueAt: (days: number) => number,
  everyMs = 10 * MINUTE_MS,
): HistoryPoint[] {
  return Array.from({ length: Math.floor(spanMs / everyMs) + 1 }, (_, i) => ({
    atMs: nowMs - spanMs + i * everyMs,
    value: valueAt((i * everyMs) / DAY_MS),
  }));
}

const of = (points: readonly HistoryPoint[], capacity: number | null = 100): Forecast =>
  forecastFull({ points, capacity, nowMs });

function filling(forecast: Forecast) {
  if (forecast.kind !== "filling") throw new Error(`It said: ${describeForecast(forecast)}.`);
  return forecast;
}

const reason = (forecast: Forecast) => (forecast.kind === "none" ? forecast.reason : forecast);

test("the forecast of steady growth is the time when its line reaches the capacity, with an interval", () => {
  const { fullInMs, growthPerDay, spanMs, sampleCount } = filling(
    of(history(14 * DAY_MS, (days) => 20 + 4 * days)),
  );
  expect(fullInMs.value / DAY_MS).toBeCloseTo(6, 1);
  expect(growthPerDay.value).toBeCloseTo(4, 2);
  expect(fullInMs.low).toBeLessThanOrEqual(fullInMs.value);
  expect(fullInMs.high).toBeGreaterThanOrEqual(fullInMs.value);
  expect(spanMs).toBe(14 * DAY_MS);
  expect(sampleCount).toBe(14 * 144 + 1);
});

test.each<[string, readonly HistoryPoint[], number | null, string]>([
  ["no capacity", history(DAY_MS, () => 50), null, "no-capacity"],
  ["no points", [], 100, "no-history"],
  [
    "points that ended three hours ago",
    history(DAY_MS, (d) => 50 + d).map((p) => ({ ...p, atMs: p.atMs - 3 * HOUR_MS })),
    100,
    "stale",
  ],
  ["28 minutes", history(28 * MINUTE_MS, (d) => 20 + 500 * d), 100, "short-history"],
  ["3 % of the capacity", history(2 * DAY_MS, (d) => 1 + d), 100, "small-share"],
  ["a constant level", history(7 * DAY_MS, () => 60), 100, "no-growth"],
  ["a shrinking store", history(7 * DAY_MS, (d) => 60 - d), 100, "no-growth"],
  [
    "growth below its own noise",
    history(7 * DAY_MS, (d) => 60 + 0.01 * d + 3 * Math.sin(d * 9)),
    100,
    "no-growth",
  ],
  ["growth that takes a year", history(7 * DAY_MS, (d) => 60 + 0.1 * d), 100, "beyond-reach"],
])("there is no forecast from %s", (_, points, capacity, kind) => {
  expect(reason(of(points, capacity))).toMatchObject({ kind });
});

test("a store that has reached its capacity is full", () => {
  expect(of(history(DAY_MS, (days) => 90 + 11 * days))).toEqual({ kind: "full" });
});

test("benchmarks that remove their objects do not change the forecast", () => {
  const bare = history(5 * DAY_MS, (days) => 40 + 4 * days);
  const withBenchmarks = bare.map((point, i) =>
    i % 6 === 3 ? { ...point, value: point.value + 8, peak: point.value + 8 } : point,
  );
  expect(filling(of(withBenchmarks)).fullInMs.value).toBeCloseTo(filling(of(bare)).fullInMs.value, -7);
});

test("an hour in which a silent node is missing from the sum does not change the forecast", () => {
  const whole = history(5 * DAY_MS, (days) => 40 + 4 * days);
  const silent = whole.map((point, i) =>
    i >= 400 && i < 406 ? { ...point, value: point.value * 0.9 } : point,
  );
  expect(filling(of(silent)).fullInMs.value).toBeCloseTo(filling(of(whole)).fullInMs.value, -6);
});

test("only the time after a large delete counts, and too little of it gives no forecast", () => {
  const deleted = (hoursAgo: number) =>
    history(5 * DAY_MS, (days) => 60 + 6 * days - (days * 24 >= 120 - hoursAgo ? 35 : 0));
  expect(reason(of(deleted(3)))).toMatchObject({ kind: "short-history", isChange: true });
  const { growthPerDay, spanMs } = filling(of(deleted(60)));
  expect(growthPerDay.value).toBeCloseTo(6, 1);
  expect(spanMs).toBeLessThanOrEqual(60 * HOUR_MS);
});

test("backups that are rotated each night are not growth", () => {
  expect(of(history(14 * DAY_MS, (days) => 70 + 8 * (days % 1))).kind).toBe("none");
});

test("an import that began twelve hours ago is forecast by its own growth, not by the level days before", () => {
  const points = history(10 * DAY_MS, (days) => 30 + Math.max(0, days - 9.5) * 60);
  const { fullInMs, spanMs } = filling(of(points));
  expect(fullInMs.value / HOUR_MS).toBeCloseTo(16, 0);
  expect(spanMs).toBeLessThan(DAY_MS);
  expect(likelyFullInMs(of(points))).toBeGreaterThan(DAY_MS);
});

test("a surge is forecast from its newest 15 minutes, unless benchmarks of that size are usual", () => {
  const calm = history(2 * DAY_MS, (days) => 12 + 0.1 * Math.sin(days * 60)).filter(
    ({ atMs }) => atMs < nowMs - 30 * MINUTE_MS,
  );
  const rising = Array.from(
    { length: 31 },
    (_, i): HistoryPoint => ({
      atMs: nowMs - (30 - i) * MINUTE_MS,
      value: 12 + Math.max(0, i - 12) * 2,
    }),
  );
  const { fullInMs, spanMs } = filling(of([...calm, ...rising]));
  expect(fullInMs.value / MINUTE_MS).toBeCloseTo(26, 0);
  expect(spanMs).toBe(15 * MINUTE_MS);
  const usual = calm.map((point, i) => (i % 40 === 20 ? { ...point, peak: point.value + 30 } : point));
  expect(of([...usual, ...rising]).kind).toBe("none");
});

test("a daily cycle does not move the forecast, at any of four hours of the day", () => {
  const atHour = (hour: number) => {
    const points = history(
      8 * DAY_MS,
      (days) => 40 + 5 * days + (5 / (2 * Math.PI)) * Math.sin(2 * Math.PI * days),
    );
    return filling(
      forecastFull({
        points: points.slice(0, points.length - 6 * hour),
        capacity: 100,
        nowMs: nowMs - hour * HOUR_MS,
      }),
    );
  };
  for (const hour of [0, 6, 12, 18]) {
    const { fullInMs } = atHour(hour);
    expect((fullInMs.value + (24 - hour) * HOUR_MS) / DAY_MS).toBeCloseTo(5, 0);
  }
});

test("another unit of the values scales the growth and keeps the times", () => {
  const points = history(10 * DAY_MS, (days) => 20 + 4 * days + Math.sin(days * 5));
  const bytes = points.map(({ atMs, value }) => ({ atMs, value: value * 1e9 }));
  const [small, large] = [filling(of(points)), filling(of(bytes, 1e11))];
  expect(large.fullInMs.high).toBeCloseTo(small.fullInMs.high, -2);
  expect(large.growthPerDay.low / 1e9).toBeCloseTo(small.growthPerDay.low, 6);
});
