import { MemoryDisk, openedLog } from "@stashlight/shard-log/testing";
import type { PodFreeSpace } from "@stashlight/write-path";
import { expect, test } from "vitest";
import { FreeSpace } from "./fullness.ts";

/** Free bytes that a pod reports while those of a log of 100 MB change like this. */
function reports(freeBytes: readonly number[]): number[] {
  const stats = openedLog(new MemoryDisk(), { policy: "extents" }, true).log.stats();
  const told: PodFreeSpace[] = [];
  let dataBytesFree = 0;
  const log = { stats: () => ({ ...stats, dataBytesMax: 100_000_000, dataBytesFree, isShort: false }) };
  const space = new FreeSpace(log, (room) => told.push(room));
  for (const free of freeBytes) {
    dataBytesFree = free;
    space.check();
  }
  return told.map((room) => room.freeBytes);
}

test("a pod with much free space reports it in steps of half a percent of the total", () => {
  expect(reports([80e6, 79.6e6, 79.5e6, 79.4e6])).toEqual([80e6, 79.5e6]);
});

test("a pod whose free space has stopped changing reports it exactly, once", () => {
  expect(reports([80e6, 79.9e6, 79.8e6, 79.8e6, 79.8e6, 79.8e6])).toEqual([80e6]);
  expect(reports([80e6, 79.9e6, 79.8e6, 79.8e6, 79.8e6, 79.8e6, 79.8e6, 79.8e6])).toEqual([80e6, 79.8e6]);
});

test("a pod whose free space returns to the reported value reports nothing", () => {
  expect(reports([80e6, 79.9e6, 80e6, 80e6, 80e6, 80e6, 80e6, 80e6])).toEqual([80e6]);
});

test("a nearly full pod reports its free space more exactly, so that no oversized upload is sent", () => {
  expect(reports([240_000, 229_000, 220_000, 27_000, 0, 0, 3_000_000])).toEqual([
    ...[240_000, 220_000, 27_000, 0, 3_000_000],
  ]);
});

test.each([
  { space: "free", room: { freeBytes: 5e6, isShort: false } },
  { space: "short", room: { freeBytes: 5e6, isShort: true } },
  { space: "full", room: { freeBytes: 0, isShort: false } },
] as const)("a pod whose index is $space reports $room", ({ space, room }) => {
  const stats = openedLog(new MemoryDisk(), { policy: "extents" }, true).log.stats();
  const reported: PodFreeSpace[] = [];
  const log = { stats: () => ({ ...stats, dataBytesMax: 100_000_000, dataBytesFree: 5e6, isShort: false }) };
  new FreeSpace(log, (each) => reported.push(each), { spaceFor: () => space }).check();
  expect(reported).toEqual([room]);
});

test.each([
  { code: "log_full", dataBytesFree: 70_000, answer: "busy" },
  { code: "log_full", dataBytesFree: 69_999, answer: "full" },
  { code: "log_full", dataBytesFree: 0, answer: "full" },
  { code: "log_busy", dataBytesFree: 0, answer: "busy" },
] as const)(
  "$code of a record of 70 kB with $dataBytesFree bytes free is $answer",
  ({ code, dataBytesFree, answer }) => {
    const stats = openedLog(new MemoryDisk(), { policy: "extents" }, true).log.stats();
    const log = { stats: () => ({ ...stats, dataBytesFree }) };
    expect(new FreeSpace(log, () => {}).refused({ code }, 70_000)).toBe(answer);
  },
);
