import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import {
  collectAnswer,
  decodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
} from "./testing/index.ts";

const changes = { segmentBytes: 32_768, segmentCount: 5, recordBytesMax: 2_048, batchBytesMax: 16_384 };
const lineBytes = 32;

/** Creates a log with two epochs, segments with checkpoints, a purge list and a tombstone. */
function smallLog(): MemoryDisk {
  const disk = new MemoryDisk();
  const first = openedLog(disk, changes, true).log;
  const append = (log: typeof first, number: number): LogError | null =>
    collectAnswer(disk, (done) => log.append(makeRecord(number, "p".repeat(number * 40)), done));
  for (let number = 1; number <= 9; number++) expect(append(first, number)).toBeNull();
  expect(collectAnswer(disk, (done) => first.kill([1, 2, 3, 4, 5, 6, 7].map(makeRecordId), done))).toBeNull();
  expect(collectAnswer(disk, (done) => first.checkpoint(done))).toBeNull();
  const second = openedLog(disk, changes).log;
  const tombstone = { ...makeRecord(10, ""), type: "tombstone" as const };
  expect(collectAnswer(disk, (done) => second.append(tombstone, done))).toBeNull();
  expect(append(second, 11)).toBeNull();
  return disk;
}

/** Dumps the bytes of all files as lines of file, offset and hexadecimal digits; lines of zeros are omitted. */
function dumpOf(disk: MemoryDisk): string {
  const lines = disk.names().flatMap((name) => {
    const medium = disk.medium(name);
    return Array.from({ length: medium.length / lineBytes }, (_, at) => {
      const bytes = medium.subarray(at * lineBytes, (at + 1) * lineBytes);
      const isZero = bytes.every((byte) => byte === 0);
      return isZero ? [] : [`${name} ${at * lineBytes} ${Buffer.from(bytes).toString("hex")}`];
    }).flat();
  });
  return `${lines.join("\n")}\n`;
}

test("the bytes of a small log never change, and are read back", async () => {
  const disk = smallLog();
  const dump = dumpOf(disk);
  await expect(dump).toMatchFileSnapshot("testing/golden/small-log.txt");
  const restored = disk.powerCut(() => "dropped");
  for (const name of restored.names()) restored.medium(name).fill(0);
  for (const line of dump.trimEnd().split("\n")) {
    const [name = "", offset, digits = ""] = line.split(" ");
    restored.medium(name).set(Buffer.from(digits, "hex"), Number(offset));
  }
  const opened = openedLog(restored, changes);
  const told = [...opened.records].map(
    (each) => `${each.type} ${decodeText(each.meta)} ${each.payloadBytes}`,
  );
  expect(told.sort()).toEqual([
    "shard meta 11 440",
    "shard meta 8 320",
    "shard meta 9 360",
    "tombstone meta 10 0",
  ]);
  expect(opened.damage).toEqual([]);
});
