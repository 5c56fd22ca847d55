import type { DriveRow } from "@stashlight/contracts/disk";
import { defaultPlanInput, explainPlan } from "@stashlight/planner";
import { expect, test } from "vitest";
import { toCandidate, toDraft, withTexts } from "./draft.ts";
import {
  burstWarning,
  isMeasuredName,
  type MeasuredDrive,
  measuredDrives,
  measuredTexts,
} from "./measured-drives.ts";

const drive: MeasuredDrive = {
  id: "d",
  name: "host-1/data",
  probe: null,
  node: "host-1",
  device: "data",
  labels: {
    provider: null,
    region: null,
    instanceType: null,
    volumeType: null,
    sizeBytes: null,
    enduranceBytes: null,
    pricePerMonth: null,
  },
  label: "measured",
  isOffered: true,
  plans: [],
  sweep: null,
  check: null,
  syncs: null,
  plannable: {
    capacityBytes: 1e12,
    writeBytesPerSecond: 1.2345e9,
    writeIops: 300,
    fsyncPerSecond: null,
    measuredAt: new Date("2026-11-24T10:00:00Z"),
    burst: { iops: 3_000, sustainedIops: 300, bucketIos: 5_400_000 },
  },
};

test("a measured drive fills the form with its date, and leaves unmeasured fields unchanged", () => {
  const texts = measuredTexts(drive);
  expect(texts["drive.name"]).toBe("host-1/data, measured 2026-11-24");
  expect(isMeasuredName(texts["drive.name"] ?? "")).toBe(true);
  expect(isMeasuredName(defaultPlanInput.drive.name)).toBe(false);
  expect(texts).not.toHaveProperty("drive.fsyncPerSecond");
  const candidate = toCandidate(withTexts(toDraft(defaultPlanInput), texts));
  expect(candidate.drive).toMatchObject({
    capacityBytes: 1e12,
    writeBytesPerSecond: 1.23e9,
    writeIops: 300,
    fsyncPerSecond: defaultPlanInput.drive.fsyncPerSecond,
  });
});

test("only drives with figures for a plan are offered", () => {
  const rows: DriveRow[] = [drive, { ...drive, id: "e", plannable: null }];
  expect(measuredDrives(rows).map(({ id }) => id)).toEqual(["d"]);
});

test("a plan below the sustained rate is confirmed, and one above it reports how long the bucket lasts", () => {
  const answer = explainPlan(defaultPlanInput);
  const { plan } = answer;
  const { writesPerShard, purgeWritesPerShard } = defaultPlanInput;
  const perDrive = (plan.load.peakShardsPerSecond * (writesPerShard + purgeWritesPerShard)) / plan.drives;
  const withBase = (sustainedIops: number): MeasuredDrive => ({
    ...drive,
    plannable: { ...drive.plannable, burst: { iops: 1e6, sustainedIops, bucketIos: 60 * perDrive } },
  });
  const kept = burstWarning(withBase(2 * perDrive), defaultPlanInput, answer);
  expect(kept).toMatchObject({ isOutlasted: false });
  const outlasted = burstWarning(withBase(perDrive / 2), defaultPlanInput, answer);
  // A bucket for 60 s at full load lasts 120 s if it refills half as fast as it drains.
  expect(outlasted).toMatchObject({
    isOutlasted: true,
    sentence: expect.stringContaining("empty after 120 s"),
  });
  const plain = { ...drive, plannable: { ...drive.plannable, burst: null } };
  expect(burstWarning(plain, defaultPlanInput, answer)).toBeNull();
});
