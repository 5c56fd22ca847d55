import { createRecorder } from "@stashlight/telemetry";
import { expect, test } from "vitest";
import type { DriveDamage } from "../drive/drive-damage.ts";
import { integrityMetrics } from "./integrity-metrics.ts";

const labels = { tier: "pod", device: "p3", modelled: undefined } as const;
const figures = {
  startedAtMs: 0,
  recordsVerified: 9,
  corruptCount: 0,
  unreadableCount: 0,
  repairedCount: 0,
  isOnDemand: false,
  bytesPerSecond: 1,
  secondsLeft: 1,
  isResting: false,
  bytesVerifiedTotal: 4e12,
  corruptCountTotal: 6,
  last: null,
};

function measured(damage: DriveDamage, bytesVerified: number, bytesTotal: number | null, isResting = false) {
  const recorder = createRecorder({ nowMs: () => 0 });
  integrityMetrics(
    recorder,
    labels,
  )({
    damage: () => damage,
    scrubReport: () => ({
      ...figures,
      isResting,
      bytesVerified,
      bytesTotal,
      oldestUnverifiedSeconds: 7200,
      roundSeconds: 86_400,
    }),
  });
  const { gauges, counters } = recorder.takeWindow();
  return new Map([
    ...gauges.map(({ metric, value }) => [metric, value] as const),
    ...counters.map(({ metric, total }) => [metric, total] as const),
  ]);
}

test("a running drive reports its damage and the progress of its scrub", () => {
  const damage = { corruptTotal: 5, repairedTotal: 3, readErrorTotal: 8, unreadableCount: 1 };
  expect(Object.fromEntries(measured({ ...damage, corruptCount: 2, isCorrelated: true }, 25, 100))).toEqual({
    stashlight_drive_corrupt_records: 2,
    stashlight_drive_unreadable_records: 1,
    stashlight_drive_damage_correlated: 1,
    stashlight_scrub_oldest_unverified_seconds: 7200,
    stashlight_scrub_round_seconds: 86_400,
    stashlight_scrub_progress_ratio: 0.25,
    stashlight_scrub_verified_bytes: 4e12,
    stashlight_scrub_corrupt_records: 6,
    stashlight_read_errors_total: 8,
    stashlight_records_corrupt_total: 5,
    stashlight_records_repaired_total: 3,
  });
});

test("a stopped drive has gaps in figures that only its log knows, and the age of its data still grows", () => {
  const damage = { corruptTotal: 0, repairedTotal: 0, readErrorTotal: 0, unreadableCount: 0 };
  const values = measured({ ...damage, corruptCount: null, isCorrelated: false }, 0, null);
  expect(values.has("stashlight_drive_corrupt_records")).toBe(false);
  expect(values.has("stashlight_drive_damage_correlated")).toBe(false);
  expect(values.has("stashlight_scrub_progress_ratio")).toBe(false);
  expect(values.get("stashlight_scrub_oldest_unverified_seconds")).toBe(7200);
});

test("an empty drive counts as fully verified", () => {
  const damage = { corruptTotal: 0, repairedTotal: 0, readErrorTotal: 0, unreadableCount: 0 };
  const values = measured({ ...damage, corruptCount: 0, isCorrelated: false }, 0, 0);
  expect(values.get("stashlight_scrub_progress_ratio")).toBe(1);
});

test("a drive that rests until its next round counts as verified", () => {
  const damage = { corruptTotal: 0, repairedTotal: 0, readErrorTotal: 0, unreadableCount: 0 };
  const values = measured({ ...damage, corruptCount: 0, isCorrelated: false }, 0, 100, true);
  expect(values.get("stashlight_scrub_progress_ratio")).toBe(1);
});
