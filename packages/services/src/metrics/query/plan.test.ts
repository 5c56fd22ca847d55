import { expect, test } from "vitest";
import { fromCoarsest, type PlanInput, planRange } from "./plan.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const nowMs = 1_800_000_000_000;
const last = (rangeMs: number, rest: Partial<PlanInput> = {}) =>
  planRange({
    fromMs: nowMs - rangeMs,
    toMs: nowMs,
    nowMs,
    pointCountMax: 400,
    windowMs: 10_000,
    rowsPerWindow: 1,
    ...rest,
  });

test.each([
  ["15 minutes", 15 * minute, {}, "raw", 10_000],
  ["15 minutes of windows of 5 s", 15 * minute, { windowMs: 5000 }, "raw", 5000],
  ["15 minutes before anything was sent", 15 * minute, { windowMs: 0 }, "raw", 5000],
  ["2 hours", 2 * hour, {}, "raw", 20_000],
  ["a little more than 2 hours", 2 * hour + 1, {}, "1m", minute],
  ["6 hours", 6 * hour, {}, "1m", minute],
  ["a day", day, {}, "1m", 5 * minute],
  ["a day in 800 points", day, { pointCountMax: 800 }, "1m", 2 * minute],
  ["a week", 7 * day, {}, "10m", 30 * minute],
  ["14 days", 14 * day, {}, "10m", hour],
  ["90 days", 90 * day, {}, "1h", 6 * hour],
  ["two years", 730 * day, {}, "1h", 2 * day],
  ["two years in 20 points", 730 * day, { pointCountMax: 20 }, "1h", 56 * day],
  ["an hour of three days ago, whose raw windows are gone", hour, { nowMs: nowMs + 3 * day }, "1m", minute],
  ["an hour of a year ago", hour, { nowMs: nowMs + 365 * day }, "1h", hour],
  ["a day of a thousand series", day, { rowsPerWindow: 1000 }, "10m", 10 * minute],
  ["a day of ten thousand series", day, { rowsPerWindow: 10_000 }, "1h", hour],
])("the resolution and step fit the range: %s", (_, rangeMs, rest, resolution, stepMs) => {
  expect(last(rangeMs, rest)).toMatchObject({ resolution, stepMs });
});

test("a range is widened to whole steps", () => {
  const plan = planRange({
    fromMs: nowMs - 905_000,
    toMs: nowMs + 1,
    nowMs,
    pointCountMax: 400,
    windowMs: 10_000,
    rowsPerWindow: 1,
  });
  expect(plan).toMatchObject({ startMs: nowMs - 910_000, endMs: nowMs + 10_000, pointCount: 92 });
});

test.each([
  ["15 minutes", 15 * minute, {}, "raw", 10_000],
  ["an hour in 20 points", hour, { pointCountMax: 20 }, "1m", 5 * minute],
  ["a day", day, {}, "1m", 5 * minute],
  ["a day in 160 columns", day, { pointCountMax: 160 }, "10m", 10 * minute],
  ["a day in 20 points", day, { pointCountMax: 20 }, "1h", 2 * hour],
  ["14 days", 14 * day, {}, "1h", hour],
  ["a week", 7 * day, {}, "10m", 30 * minute],
])("points of %s consist of whole buckets", (_, rangeMs, rest, resolution, stepMs) => {
  const plan = last(rangeMs, rest);
  expect(fromCoarsest(plan)).toEqual({ ...plan, resolution, stepMs });
});
