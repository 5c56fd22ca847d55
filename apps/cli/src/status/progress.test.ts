import { expect, test } from "vitest";
import { describeDrain, describeProgress, progressLines } from "./progress.ts";
import type { DrainReport, DriveReport } from "./report.ts";

const pod = (index: number, state: string, missing: DriveReport["missing"]): DriveReport => {
  const isWell = state === "settled";
  const rest = { takenShare: 0, liveRecordCount: 0, note: null, draining: null, quarantine: null };
  return { index, node: "pod-1", state, isWell, isCounted: true, missing, ...rest };
};
const MIB = 1_048_576;
const lacks = (shardCount: number, bytes: number, more = {}) => {
  return { shardCount, bytes, totalBytes: bytes, bytesPerSecond: null, ...more };
};

const rows: [string, DriveReport[], number | null, string][] = [
  [
    "nothing is missing",
    [pod(0, "settled", lacks(0, 0))],
    2,
    "All pods hold all their shards; uploads can spare at least 2 shards.",
  ],
  [
    "a pod does not know yet which shards it lacks",
    [pod(0, "comparing", lacks(0, 0))],
    null,
    "pod 0 is comparing.",
  ],
  [
    "pods are rebuilt concurrently, so the one that lacks most decides; until a rate is known, the limit counts",
    [pod(0, "settled", lacks(3, 3 * MIB)), pod(1, "settled", lacks(1, MIB))],
    1,
    "4 shards of 4 MiB missing, about 3 s to full redundancy; uploads can spare at least 1 shard.",
  ],
  [
    "a known rate and the share done are shown",
    [pod(0, "settled", lacks(3, 3 * MIB, { totalBytes: 12 * MIB, bytesPerSecond: MIB / 2 }))],
    null,
    "3 shards of 3 MiB missing, 75.0 % done at 512 KiB/s, about 6 s to full redundancy.",
  ],
  [
    "no end is estimated while a pod is silent",
    [pod(0, "settled", lacks(1, 1024)), pod(1, "silent", null)],
    null,
    "pod 1 is silent; 1 shard of 1 KiB missing.",
  ],
];

test.each(rows)("%s", (_, pods, margin, sentence) => {
  const progress = progressLines({ pods, rebuildBytesPerSecond: MIB });
  expect(describeProgress(progress, { margin, lostObjectCount: 0 })).toBe(sentence);
});

test("promises no end while unreadable objects leave shards that cannot be rebuilt", () => {
  const pods = [pod(0, "settled", lacks(3, 3 * MIB))];
  const progress = progressLines({ pods, rebuildBytesPerSecond: MIB });
  expect(describeProgress(progress, { margin: null, lostObjectCount: 2 })).toBe(
    "3 shards of 3 MiB missing; those of objects that cannot be read wait for drives.",
  );
});

const drains: [string, DrainReport[], string][] = [
  ["nothing is left", [{ left: 0, total: 40, perSecond: null }], "stash-1 is drained and holds nothing."],
  [
    "its devices empty concurrently",
    [
      { left: 10, total: 30, perSecond: 2 },
      { left: 40, total: 50, perSecond: 4 },
    ],
    "stash-1 is being drained: 50 shards of 80 left at 6 per second, about 10 s until it is empty.",
  ],
  [
    "one of its devices makes no progress",
    [
      { left: 10, total: 30, perSecond: 2 },
      { left: 4, total: 4, perSecond: null },
    ],
    "stash-1 is being drained: 14 shards of 34 left at 2 per second.",
  ],
];

test.each(drains)("describes a draining server: %s", (_, devices, sentence) => {
  expect(describeDrain("stash-1", devices)).toBe(sentence);
});
