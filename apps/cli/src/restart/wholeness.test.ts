import { expect, test } from "vitest";
import { judgeWholeness, Progress } from "./wholeness.ts";

type Judged = Parameters<typeof judgeWholeness>[0];
type Drive = Judged["pods"][number];

const drive = (index: number, node: string, changes: Partial<Drive> = {}): Drive => {
  const state = { state: "settled", isWell: true, isCounted: true, takenShare: 0, liveRecordCount: 0 };
  return { index, node, ...state, missing: null, draining: null, quarantine: null, note: null, ...changes };
};
const coordinator = (node: string, settledPodCount: number | null = 3, isReady = true) => {
  return { node, s3: "http://127.0.0.1:1", isReady, settledPodCount, openRequestCount: 0 };
};
const whole: Judged = {
  coordinators: [coordinator("c-1"), coordinator("c-2")],
  pods: [0, 1, 2].map((index) => drive(index, `pod-${index}`)),
  stash: [drive(0, "stash-0", { state: "serving" })],
  podCount: 3,
  margin: 1,
  problems: [],
  rebuildBytesPerSecond: 32e6,
  lostObjectCount: 0,
};
const missing = { shardCount: 7, bytes: 7000, totalBytes: 9000, bytesPerSecond: 1000 };

test.each<[string, Partial<Judged>, readonly string[]]>([
  ["all is well", {}, []],
  ["no upload was acknowledged recently", { margin: null }, []],
])("a vault is whole while %s", (_, changes, unconnected) => {
  expect(judgeWholeness({ ...whole, ...changes }, unconnected, 2)).toMatchObject({ isWhole: true });
});

test.each<[string, Partial<Judged>, readonly string[], RegExp]>([
  [
    "a pod compares its shards",
    { pods: [drive(0, "pod-0", { state: "comparing", isWell: false })] },
    [],
    /^pod-0 is not ready/,
  ],
  [
    "a stash device is silent",
    {
      stash: [drive(0, "stash-0", { state: "silent", isWell: false })],
      problems: ["The machine x does not answer.", "stash-0 does not answer on 127.0.0.1:1 (ECONNREFUSED)."],
    },
    [],
    /^stash-0 does not answer on/,
  ],
  [
    "a coordinator is silent",
    { coordinators: [coordinator("c-1"), coordinator("c-2", null, false)] },
    [],
    /^c-2 /,
  ],
  ["a coordinator knows of one pod fewer", { coordinators: [coordinator("c-1", 2)] }, [], /^c-1 /],
  ["a coordinator lacks a connection", {}, ["stash-0"], /no connection to stash-0 yet/],
  [
    "uploads can spare less than usual",
    { margin: 0 },
    [],
    /^Acknowledged uploads can lose only 0 shards; the next restart waits until they can lose 1\.$/,
  ],
  ["shards are missing", { pods: [drive(0, "pod-0", { missing })] }, [], /^7 shards of 6\.8 KiB missing/],
])("a vault is not whole while %s", (_, changes, unconnected, sentence) => {
  const judged = judgeWholeness({ ...whole, ...changes }, unconnected, 2);
  expect(judged.isWhole).toBe(false);
  expect(judged.sentence).toMatch(sentence);
});

test("only a new minimum of missing shards counts as progress", () => {
  const progress = new Progress();
  expect([9, 9, 7, 8, 7, 2, 2, 0].map((missing) => progress.isMade(missing))).toEqual([
    ...[true, false, true, false, false, true, false, true],
  ]);
});
