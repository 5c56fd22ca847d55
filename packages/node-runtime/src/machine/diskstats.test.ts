import { expect, test } from "vitest";
import { type DiskCounts, parseDiskstats, workBetween } from "./diskstats.ts";

const text = `   7       0 loop0 0 0 0 0 0 0 0 0 0 0 0
 259       0 nvme0n1 1000 5 80000 500 2000 7 160000 4000 3 1500 4700 10 0 8000 1 40 200
   8       0 sda 10 0 80 100 20 0 160 400 0 300 500
   8       1 sda1 broken
`;

test("the fields match the kernel's documentation, and older kernels have fewer", () => {
  const counts = parseDiskstats(text);
  expect([...counts.keys()]).toEqual(["loop0", "nvme0n1", "sda"]);
  expect(counts.get("nvme0n1")).toEqual({
    reads: 1000,
    readSectors: 80_000,
    readMs: 500,
    writes: 2000,
    writtenSectors: 160_000,
    writeMs: 4000,
    busyMs: 1500,
    weightedMs: 4700,
    flushes: 40,
    flushMs: 200,
  });
  expect(counts.get("sda")).toMatchObject({ flushes: null, flushMs: null });
});

const zero: DiskCounts = {
  reads: 0,
  readSectors: 0,
  readMs: 0,
  writes: 0,
  writtenSectors: 0,
  writeMs: 0,
  busyMs: 0,
  weightedMs: 0,
  flushes: 0,
  flushMs: 0,
};

test("a window has means, busy time and the mean queue; an operation that did not occur has no mean", () => {
  const after = { ...zero, writes: 400, writtenSectors: 3200, writeMs: 800, busyMs: 2500, weightedMs: 8000 };
  expect(workBetween(zero, after, 10_000)).toEqual({
    reads: 0,
    readBytes: 0,
    writes: 400,
    writtenBytes: 3200 * 512,
    readMeanSeconds: null,
    writeMeanSeconds: 0.002,
    flushMeanSeconds: null,
    busyRatio: 0.25,
    queueRequests: 0.8,
  });
  expect(workBetween(zero, { ...zero, busyMs: 10_004 }, 10_000)?.busyRatio).toBe(1);
  expect(workBetween(zero, { ...zero, flushes: 4, flushMs: 8 }, 1)?.flushMeanSeconds).toBe(0.002);
  expect(workBetween({ ...zero, flushes: null }, zero, 1)?.flushMeanSeconds).toBeNull();
});

test("a 32-bit time that wraps around continues", () => {
  const before = { ...zero, weightedMs: 2 ** 32 - 1000, writeMs: 2 ** 32 - 10, writes: 5 };
  const after = { ...zero, weightedMs: 3000, writeMs: 10, writes: 9 };
  expect(workBetween(before, after, 10_000)).toMatchObject({ queueRequests: 0.4, writeMeanSeconds: 0.005 });
});

test.each<[string, DiskCounts, DiskCounts, number]>([
  ["counts that fell", { ...zero, writes: 500 }, zero, 10_000],
  ["counts beyond 32 bits that fell", { ...zero, readSectors: 2 ** 40 }, { ...zero, readSectors: 7 }, 10_000],
  ["readings at the same time", zero, zero, 0],
])("%s give no figures, so that a new device is a gap, not a burst", (_, before, after, elapsedMs) => {
  expect(workBetween(before, after, elapsedMs)).toBeNull();
});
