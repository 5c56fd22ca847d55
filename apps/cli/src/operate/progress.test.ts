import { expect, test } from "vitest";
import type { DriveReport } from "../status/report.ts";
import { describeProgress, progressOf } from "./rebuild.ts";

const pod = (index: number, state: string, missing: DriveReport["missing"]): DriveReport => {
  const isWell = state === "settled";
  return { index, node: "pod-1", state, isWell, occupancyShare: 0, liveRecordCount: 0, note: null, missing };
};
const nothing = { shardCount: 0, bytes: 0 };
const rate = { boundBytesPerSecond: 1_048_576, measuredBytesPerSecond: null };

const rows: [string, DriveReport[], number | null, string][] = [
  [
    "nothing is missing",
    [pod(0, "settled", nothing)],
    2,
    "All pods hold all their shards; uploads can spare 2 shards at least.",
  ],
  ["a pod does not know yet what it lacks", [pod(0, "comparing", nothing)], null, "pod 0 is comparing."],
  [
    "pods are rebuilt side by side, so the one that lacks most decides",
    [
      pod(0, "settled", { shardCount: 3, bytes: 3_145_728 }),
      pod(1, "settled", { shardCount: 1, bytes: 1_048_576 }),
    ],
    1,
    "4 shards of 4 MiB missing, about 3 s to full redundancy; uploads can spare 1 shard at least.",
  ],
  [
    "while a pod is away nobody can say how long it takes",
    [pod(0, "settled", { shardCount: 1, bytes: 1024 }), pod(1, "silent", null)],
    null,
    "pod 1 is silent; 1 shard of 1 KiB missing.",
  ],
];

test.each(rows)("%s", (_, pods, margin, sentence) => {
  expect(describeProgress(progressOf(pods, rate), { margin })).toBe(sentence);
});

test("what was rebuilt so far says how long the rest takes", () => {
  const pods = [pod(0, "settled", { shardCount: 1, bytes: 10_000 })];
  expect(progressOf(pods, { ...rate, measuredBytesPerSecond: 1000 }).secondsLeft).toBe(10);
});
