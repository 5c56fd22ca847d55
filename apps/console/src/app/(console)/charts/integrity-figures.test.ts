import type { MetricName } from "@stashlight/contracts/metrics";
import { expect, test } from "vitest";
import { gaugeAnswer } from "../../../client/metrics/testing.ts";
import { integrityFigures } from "./integrity-figures.ts";

const DAY = 86_400;
const well = {
  stashlight_drive_corrupt_records: 0,
  stashlight_drive_damage_correlated: 0,
  stashlight_drive_unreadable_records: 0,
  stashlight_scrub_oldest_unverified_seconds: 40 * DAY,
  stashlight_scrub_round_seconds: 30 * DAY,
  stashlight_scrub_progress_ratio: 0.25,
  stashlight_scrub_verified_bytes: 5e14,
  stashlight_scrub_corrupt_records: 3,
} satisfies Partial<Record<MetricName, number>>;

function figures(changes: Partial<Record<MetricName, number>>) {
  const levels = Object.entries({ ...well, ...changes }) as [MetricName, number][];
  const found = integrityFigures(levels.map(([metric, value]) => gaugeAnswer(metric, [[{}, value]])));
  return Object.fromEntries(found.map((figure) => [figure.id, figure]));
}

test("a drive with intact data has five figures, none of which warns", () => {
  const found = figures({});
  expect(Object.values(found).map(({ value, status }) => [value, status])).toEqual([
    [0, "good"],
    [0, "good"],
    [40 * DAY, "good"],
    [0.25, undefined],
    [6, undefined],
  ]);
  expect(found["oldest-unverified"]?.statistic).toMatch(
    /^of the oldest data; a scrub round takes up to 30(\.0)? d/,
  );
});

test.each([
  ["corrupt-records", { stashlight_drive_corrupt_records: 3 }, "warning"],
  ["corrupt-records", { stashlight_drive_damage_correlated: 1 }, "bad"],
  ["unreadable-records", { stashlight_drive_unreadable_records: 1 }, "warning"],
  ["oldest-unverified", { stashlight_scrub_oldest_unverified_seconds: 60 * DAY }, "good"],
  ["oldest-unverified", { stashlight_scrub_oldest_unverified_seconds: 61 * DAY }, "warning"],
  ["oldest-unverified", { stashlight_scrub_round_seconds: 10 * DAY }, "warning"],
])("the figure %s shows %j as %s", (id, changes, status) => {
  expect(figures(changes)[id]?.status).toBe(status);
});

test.each([
  [{}, 6, "3 corrupt in 500 TB verified"],
  [{ stashlight_scrub_corrupt_records: 0 }, 0, "none in 500 TB verified, so fewer than 8"],
  [
    { stashlight_scrub_corrupt_records: 0, stashlight_scrub_verified_bytes: 62_784 },
    0,
    "none in 62.8 kB verified, so fewer than one in 17 kB",
  ],
  [{ stashlight_scrub_verified_bytes: 0 }, null, undefined],
])("the error rate has the count and the bytes behind it: %j", (changes, value, statistic) => {
  expect(figures(changes)["error-rate"]).toMatchObject({ value });
  expect(figures(changes)["error-rate"]?.statistic).toBe(statistic);
});

test("correlated damage names what to check, and other damage does not claim to be correlated", () => {
  const problem = /controller, cable or memory/;
  expect(figures({ stashlight_drive_damage_correlated: 1 })["corrupt-records"]?.problem).toMatch(problem);
  expect(figures({ stashlight_drive_corrupt_records: 9 })["corrupt-records"]?.problem).toBeUndefined();
});

test("a drive of an earlier agent has gaps instead of zeros", () => {
  for (const { value, missing, status } of integrityFigures([])) {
    expect([value, missing]).toEqual([null, "the drive did not report it in this time range"]);
    expect(["unknown", undefined]).toContain(status);
  }
});
