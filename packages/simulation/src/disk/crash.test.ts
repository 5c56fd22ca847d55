import type { DiskFile } from "@stashlight/shard-log";
import { expect, test } from "vitest";
import { filled, TestDisk } from "./testing.ts";

const PAGE = 4096;
const SECTOR = 512;

function mediaByte(bench: TestDisk, page: number, values: readonly number[]): number | "mixed" {
  return values.find((value) => bench.disk.isOnMedia("a", page * PAGE, filled(PAGE, value))) ?? "mixed";
}

test("synced pages survive a power cut even if other pages are unsynced", () => {
  for (let seed = 0; seed < 100; seed++) {
    const bench = new TestDisk(seed);
    const file = bench.create("a", 20 * PAGE);
    bench.write(file, 0, filled(10 * PAGE, 1));
    bench.sync(file);
    bench.write(file, 10 * PAGE, filled(10 * PAGE, 2));
    bench.powerCut();
    const left = bench.read(bench.open("a"), 0, 10 * PAGE);
    expect(left instanceof Uint8Array && left.every((byte) => byte === 1)).toBe(true);
  }
});

test("a power cut keeps, drops or corrupts each unsynced page independently, and counts all three", () => {
  const bench = new TestDisk(3);
  const file = bench.create("a", 400 * PAGE);
  bench.write(file, 0, filled(400 * PAGE, 1));
  bench.sync(file);
  bench.write(file, 0, filled(400 * PAGE, 2));
  bench.powerCut();
  const fates = Array.from({ length: 400 }, (_, page) => mediaByte(bench, page, [1, 2]));
  const { pagesKeptByCut, pagesDroppedByCut, pagesCorruptedByCut } = bench.disk.counters;
  expect(fates.filter((fate) => fate === 2)).toHaveLength(pagesKeptByCut);
  expect(fates.filter((fate) => fate === 1)).toHaveLength(pagesDroppedByCut);
  expect(fates.filter((fate) => fate === "mixed")).toHaveLength(pagesCorruptedByCut);
  for (const count of [pagesKeptByCut, pagesDroppedByCut]) expect(count / 400).toBeCloseTo(0.4, 0);
  expect(pagesCorruptedByCut).toBeGreaterThan(40);
});

test("a corrupt page mixes whole sectors: old, new or garbage", () => {
  const bench = new TestDisk(5, { keptByCut: 0, corruptByCut: 1 });
  const file = bench.create("a", 50 * PAGE);
  bench.write(file, 0, filled(50 * PAGE, 1));
  bench.sync(file);
  bench.write(file, 0, filled(50 * PAGE, 2));
  bench.powerCut();
  const media = bench.read(bench.open("a"), 0, 50 * PAGE) as Uint8Array;
  const seen = { old: 0, fresh: 0, garbage: 0 };
  for (let at = 0; at < media.length; at += SECTOR) {
    const values = new Set(media.subarray(at, at + SECTOR));
    if (values.size > 1) {
      expect(values.size).toBeGreaterThan(100);
      seen.garbage++;
    } else if (values.has(1)) seen.old++;
    else if (values.has(2)) seen.fresh++;
    else throw new Error("A sector has content that was never written.");
  }
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(80);
});

test("a power cut decides the pages of a sync in flight at random, and the sync never calls back", () => {
  const outcomes = new Set<number | "mixed">();
  for (let seed = 0; seed < 60; seed++) {
    const bench = new TestDisk(seed);
    const file = bench.create("a", 4 * PAGE);
    bench.write(file, 0, filled(PAGE, 1));
    let hasCalledBack = false;
    file.sync(() => {
      hasCalledBack = true;
    });
    bench.powerCut();
    bench.clock.runToRest();
    expect(hasCalledBack).toBe(false);
    expect(bench.disk.counters.syncsCutShort).toBe(1);
    outcomes.add(mediaByte(bench, 0, [0, 1]));
  }
  expect(outcomes).toEqual(new Set([0, 1, "mixed"]));
});

test("a write in flight may have reached the page cache up to some page, and never calls back", () => {
  const lengths = new Set<number>();
  for (let seed = 0; seed < 60; seed++) {
    const bench = new TestDisk(seed);
    const file = bench.create("a", 4 * PAGE);
    file.write(0, filled(3 * PAGE, 1), () => {
      throw new Error("A write called back after a crash.");
    });
    bench.processCrash();
    bench.clock.runToRest();
    const bytes = bench.read(bench.open("a"), 0, 4 * PAGE) as Uint8Array;
    const length = bytes.lastIndexOf(1) + 1;
    expect(bytes.subarray(0, length)).toEqual(filled(length, 1));
    lengths.add(length / PAGE);
  }
  expect(lengths).toEqual(new Set([0, 1, 2, 3]));
});

test("a process crash keeps the dirty page cache, and a sync of the next process lands it", () => {
  const bench = new TestDisk();
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  bench.processCrash();
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(false);
  const back = bench.open("a");
  expect(bench.read(back, 0, PAGE)).toEqual(filled(PAGE, 1));
  expect(bench.sync(back)).toBeNull();
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(true);
});

test("a sync that fails while its process dies is not reported, and the next sync proves nothing", () => {
  const bench = new TestDisk(1, { syncError: 1, keptByCut: 0, corruptByCut: 0 });
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  file.sync(() => {});
  bench.processCrash();
  bench.disk.faults.syncError = 0;
  expect(bench.sync(bench.open("a"))).toBeNull();
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(false);
});

test("a file is whole or gone if its creation was cut, and present if its creation was done", () => {
  const sizes = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const bench = new TestDisk(seed);
    bench.create("a", 8 * PAGE);
    bench.view.create("b", 8 * PAGE, () => {
      throw new Error("A create called back after a power cut.");
    });
    bench.powerCut();
    bench.clock.runToRest();
    const names = bench.list();
    expect(names).toContain("a");
    if (!names.includes("b")) sizes.add("gone");
    else sizes.add(bench.open("b").sizeBytes === 8 * PAGE ? "whole" : "short");
  }
  expect(sizes).toEqual(new Set(["gone", "whole"]));
});

test("a file is whole or gone if its process died before its creation was reported", () => {
  const sizes = new Set<number>();
  for (let seed = 0; seed < 20; seed++) {
    const bench = new TestDisk(seed);
    bench.view.create("a", 8 * PAGE, () => {});
    bench.processCrash();
    sizes.add(bench.list().length === 0 ? 0 : bench.open("a").sizeBytes);
  }
  expect(sizes).toEqual(new Set([0, 8 * PAGE]));
});

test("requests of a dead process are counted, change nothing and are never answered", () => {
  const bench = new TestDisk();
  const file = bench.create("a", 4 * PAGE);
  const old = bench.view;
  bench.disk.powerCut();
  const never = (): void => {
    throw new Error("A dead process was answered.");
  };
  const askAll = (dead: DiskFile): void => {
    dead.write(0, filled(PAGE, 1), never);
    dead.sync(never);
    dead.read(0, filled(PAGE, 0), never);
    dead.readDirect(0, filled(PAGE, 0), never);
    dead.close(never);
  };
  askAll(file);
  old.open("a", never);
  bench.view = bench.disk.reopen();
  bench.clock.runToRest();
  expect(bench.disk.counters.callsAfterCrash).toBe(6);
  expect(bench.read(bench.open("a"), 0, PAGE)).toEqual(filled(PAGE, 0));
});

test("a power cut during recovery reads keeps the result of the previous one", () => {
  const bench = new TestDisk(7);
  const file = bench.create("a", 20 * PAGE);
  bench.write(file, 0, filled(20 * PAGE, 1));
  bench.powerCut();
  const hash = bench.disk.imageHash();
  bench.open("a").read(0, filled(20 * PAGE, 0), () => {});
  bench.powerCut();
  expect(bench.disk.imageHash()).toBe(hash);
});
