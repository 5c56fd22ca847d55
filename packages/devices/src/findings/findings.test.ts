import type { DiskCell, DiskCellResult } from "@stashlight/contracts/disk";
import { expect, test } from "vitest";
import {
  againstVolume,
  capSentences,
  describeDisturbance,
  describeTooShort,
  findLimit,
  refillSentence,
} from "./index.ts";

const month = "2026-11";
const cell: DiskCell = {
  access: "random",
  readShare: 0.8,
  blockBytes: 4_096,
  queueDepth: 64,
  syncsWrites: false,
  secondsMax: 60,
  roundSeconds: null,
};
const limitSentence = ({ perSecond }: DiskCellResult) => findLimit(perSecond.iops, month)?.sentence ?? null;
const nothing = { n: 0, meanUs: null, p50Us: null, p99Us: null, p999Us: null, maxUs: null };
const makeResult = (iops: number[], of: Partial<DiskCellResult["cell"]> = {}): DiskCellResult => ({
  cell: { ...cell, secondsMax: iops.length, ...of },
  seconds: iops.length,
  readsPerSecond: iops.reduce((sum, each) => sum + each, 0) / iops.length,
  writesPerSecond: 0,
  read: nothing,
  write: nothing,
  steadyState: null,
  perSecond: { iops, meanUs: iops.map(() => 1) },
  writtenBytes: 0,
});
const levels = (...parts: [seconds: number, iops: number][]): DiskCellResult =>
  makeResult(parts.flatMap(([seconds, iops]) => Array<number>(seconds).fill(iops)));

test("a burst is described with its bucket, its error and the matching volume", () => {
  expect(limitSentence(levels([2_000, 3_000], [400, 300]))).toBe(
    "3,000 IOPS for 33 min 20 s, then 300: a token bucket of 5,400,000 I/Os (5,397,354 to 5,402,646 at 95 %; more if it was not full at the start), refilled at 300 per second. This model is off by 0.0 % on average. An EBS gp2 volume of 100 GiB behaves this way, within 0.0 %.",
  );
});

test("other findings are described by their kind, and too few seconds not at all", () => {
  expect(limitSentence(levels([29, 100]))).toBeNull();
  expect(limitSentence(levels([60, 5_000]))).toMatch(/^No temporary limit: level at 5,000 IOPS/);
  expect(limitSentence(levels([60, 8_000], [60, 3_000], [60, 1_000]))).toMatch(
    /^It steps down and stays there, 8,000, then 3,000, then 1,000 IOPS/,
  );
  expect(limitSentence(levels([60, 8_000], [60, 3_000], [60, 8_000]))).toMatch(
    /^It varies between 3,000 and 8,000 IOPS in 3 levels, up and down/,
  );
});

test("a rest between two checks shows how fast the bucket refills", () => {
  const first = levels([20, 3_000], [100, 300]);
  // A rest of 60 s earns 18,000 tokens at 300 per second, which a burst of 3,000 spends in 18,000 / 2,700 s.
  const rested = levels([6, 3_000], [1, 2_100], [100, 300]);
  expect(refillSentence([first, rested], 60)).toMatch(
    /^After a rest of 1 min 0 s the burst had 18,0\d\d I\/Os: without load the bucket refills at 30\d per second \(2\d\d to 3\d\d at 95 %\)\.$/,
  );
  expect(refillSentence([first, first], 600)).toMatch(
    /the bucket was full again, so it refills at \d\d per second or more\. Rest for a shorter time/,
  );
});

test("without a bucket, a rest between checks has no finding, and a missing rest is not mentioned", () => {
  const bucket = levels([20, 3_000], [100, 300]);
  expect(refillSentence([bucket], null)).toBeNull();
  const nothing = /^No token bucket was found both before and after the rest/;
  expect(refillSentence([bucket], 60)).toMatch(nothing);
  expect(refillSentence([bucket, levels([120, 300])], 60)).toMatch(nothing);
  expect(refillSentence([levels([5, 300]), bucket], 60)).toMatch(nothing);
});

test("caps are described for each access, at the deepest queue only", () => {
  const KIB = 1_024;
  const cells = [4, 64, 1_024].flatMap((kib) => [
    makeResult([Math.min(3_000, (125 * KIB) / kib)], { readShare: 1, blockBytes: kib * KIB, queueDepth: 32 }),
    makeResult([1], { readShare: 1, blockBytes: kib * KIB, queueDepth: 1 }),
  ]);
  expect(capSentences(cells)).toEqual([
    "Random reads at queue depth 32: 3,000 IOPS up to blocks of 42.7 KiB, and 131 MB/s from there on.",
  ]);
});

test("a finding has a short form for tables", () => {
  const shortOf = ({ perSecond }: DiskCellResult) => findLimit(perSecond.iops, month)?.short;
  expect(shortOf(levels([20, 3_000], [40, 300]))).toBe("bucket: 3,000, then 300 IOPS");
  expect(shortOf(levels([60, 5_000]))).toBe("no limit: level at 5,000 IOPS");
  expect(shortOf(levels([60, 8_000], [60, 3_000], [60, 1_000]))).toBe("steps: 8,000, 3,000, 1,000 IOPS");
  expect(shortOf(levels([60, 8_000], [60, 3_000], [60, 8_000]))).toBe("varies: 3 levels");
});

test("the fitted rates of a finding follow the measured rates", () => {
  const { perSecond } = levels([20, 3_000], [40, 300]);
  expect(findLimit(perSecond.iops, month)?.fitted).toEqual(perSecond.iops);
  const varying = levels([30, 8_000], [30, 3_000], [30, 8_000]).perSecond.iops;
  expect(findLimit(varying, month)?.fitted).toEqual(varying);
});

const gp2 = { volumeType: "gp2", sizeBytes: 100 * 1_073_741_824 };

test("a volume that follows its model does not deviate, and one at half the rate deviates by half", () => {
  const { perSecond } = levels([2_000, 3_000], [400, 300]);
  const found = againstVolume(perSecond.iops, 4_096, gp2, month);
  expect(found?.name).toBe("EBS gp2 of 100 GiB");
  expect(found?.errorShare).toBeCloseTo(0);
  expect(found?.iops.slice(1_999, 2_001)).toEqual([3_000, 300]);
  const halved = perSecond.iops.map((rate) => rate / 2);
  expect(againstVolume(halved, 4_096, gp2, month)?.sentence).toBe(
    "Measured against modelled: 1,275 IOPS on average, and 2,550 by the model of an EBS gp2 of 100 GiB; single seconds are off by 100.0 % of the mean.",
  );
});

test("blocks larger than a credit cost several credits, and drives without a model have no comparison", () => {
  const flat = levels([60, 1_500]).perSecond.iops;
  expect(againstVolume(flat, 512 * 1_024, gp2, month)?.iops[0]).toBe(1_500);
  expect(againstVolume(flat, 4_096, { ...gp2, volumeType: "gp3" }, month)).toBeNull();
  expect(againstVolume(flat, 4_096, { ...gp2, volumeType: "local NVMe" }, month)).toBeNull();
  expect(againstVolume(flat, 4_096, { ...gp2, sizeBytes: null }, month)).toBeNull();
});

const seconds = (count: number, of: Partial<DiskCellResult["cell"]> = {}) => ({
  cell: {
    access: "random",
    readShare: 0.8,
    blockBytes: 4_096,
    queueDepth: 4,
    syncsWrites: false,
    secondsMax: count,
    roundSeconds: null,
    ...of,
  } as const,
  perSecond: { iops: new Array<number>(count).fill(100), meanUs: new Array<number>(count).fill(1) },
});

test("a check of 29 s is reported as needing 30, and one of exactly 30 s shows its limit", () => {
  expect(describeTooShort([seconds(29)])).toBe(
    "Too short to show a temporary limit: 29 whole seconds were measured, and 30 are needed. Check for at least 30 s; bursts of cloud volumes last minutes to half an hour.",
  );
  expect(findLimit(seconds(29).perSecond.iops, "2026-11")).toBeNull();
  expect(describeTooShort([seconds(30)])).toBeNull();
  expect(findLimit(seconds(30).perSecond.iops, "2026-11")?.short).toMatch(/^no limit: level/);
});

test("sweeps, which end when they are level, and synced appends are not called too short", () => {
  expect(describeTooShort([seconds(10, { roundSeconds: 1 })])).toBeNull();
  expect(describeTooShort([seconds(10, { syncsWrites: true })])).toBeNull();
  expect(describeTooShort([])).toBeNull();
});

test("seconds in which requests waited for a processor are counted, but a few of many are not mentioned", () => {
  const result = (shares: number[]) => ({
    perSecond: { iops: [], meanUs: [], waitedShare: shares },
  });
  expect(describeDisturbance([result([0, 0.2, 0.4, 0.01])], true)).toMatch(
    /^The machine disturbed 2 of 4 seconds: in them requests waited for a processor for 30\.0 % of their time/,
  );
  expect(describeDisturbance([result([...new Array<number>(99).fill(0), 0.9])], true)).toBeNull();
  expect(describeDisturbance([{ perSecond: { iops: [1], meanUs: [1] } }], true)).toBeNull();
});
