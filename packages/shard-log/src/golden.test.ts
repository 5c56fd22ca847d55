import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import { MemoryDisk } from "./testing/index.ts";
import { answerOf, idOf, openedLog, recordOf, smallOptions, textOf } from "./testing/samples.ts";

const golden = new URL("./testing/golden/small-log.bin.gz", import.meta.url);
const changes = { segmentBytes: 32_768, segmentCount: 4, recordBytesMax: 2_048, batchBytesMax: 16_384 };

/** Two epochs, segments with checkpoints, a purge list and a tombstone. */
function smallLog(): MemoryDisk {
  const disk = new MemoryDisk();
  const first = openedLog(disk, changes, true).log;
  const append = (log: typeof first, number: number): LogError | null =>
    answerOf(disk, (done) => log.append(recordOf(number, "p".repeat(number * 40)), done));
  for (let number = 1; number <= 9; number++) expect(append(first, number)).toBeNull();
  expect(answerOf(disk, (done) => first.kill([1, 2, 3, 4, 5, 6, 7].map(idOf), done))).toBeNull();
  expect(answerOf(disk, (done) => first.checkpoint(done))).toBeNull();
  const second = openedLog(disk, changes).log;
  const tombstone = { ...recordOf(10, ""), type: "tombstone" as const };
  expect(answerOf(disk, (done) => second.append(tombstone, done))).toBeNull();
  expect(append(second, 11)).toBeNull();
  return disk;
}

const imageOf = (disk: MemoryDisk): Buffer => Buffer.concat(disk.names().map((name) => disk.medium(name)));

test("the bytes of a small log are what they have always been, and are read as such", () => {
  const disk = smallLog();
  const image = imageOf(disk);
  if (process.env.STASHLIGHT_UPDATE_GOLDEN === "1") writeFileSync(golden, gzipSync(image, { level: 9 }));
  const kept = gunzipSync(readFileSync(golden));
  expect(image.equals(kept)).toBe(true);
  const restored = disk.powerCut(() => "dropped");
  let at = 0;
  for (const name of restored.names()) {
    const medium = restored.medium(name);
    medium.set(kept.subarray(at, at + medium.length));
    at += medium.length;
  }
  const opened = openedLog(restored, smallOptions(restored, changes));
  const told = opened.records.map((each) => `${each.type} ${textOf(each.meta)} ${each.payloadBytes}`);
  expect(told.sort()).toEqual([
    "shard meta 11 440",
    "shard meta 8 320",
    "shard meta 9 360",
    "tombstone meta 10 0",
  ]);
  expect(opened.damage).toEqual([]);
});
