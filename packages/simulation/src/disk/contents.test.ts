import { expect, test } from "vitest";
import { filled, hdd, TestDisk } from "./testing.ts";

const PAGE = 4096;

test("a new file is all zeros, durable once it is created, and uses no pages", () => {
  const bench = new TestDisk();
  const file = bench.create("a", 256 * 1024 * 1024);
  expect(file.sizeBytes).toBe(256 * 1024 * 1024);
  expect(bench.pool.pagesInUse).toBe(0);
  expect(bench.read(file, 12_345, 10_000)).toEqual(filled(10_000, 0));
  expect(bench.disk.isOnMedia("a", 5 * PAGE + 7, filled(3 * PAGE, 0))).toBe(true);
  bench.powerCut();
  expect(bench.list()).toEqual(["a"]);
});

test("reads see a write at once, and the media only after a sync", () => {
  const bench = new TestDisk();
  const file = bench.create("a", 10 * PAGE);
  const bytes = filled(PAGE + 100, 7);
  expect(bench.write(file, PAGE - 50, bytes)).toBeNull();
  expect(bench.read(file, PAGE - 50, bytes.length)).toEqual(bytes);
  expect(bench.disk.isOnMedia("a", PAGE - 50, bytes)).toBe(false);
  expect(bench.sync(file)).toBeNull();
  expect(bench.disk.isOnMedia("a", PAGE - 50, bytes)).toBe(true);
  expect(bench.disk.isOnMedia("a", PAGE - 51, filled(1, 0))).toBe(true);
  expect(bench.disk.isOnMedia("a", PAGE - 51, filled(1, 7))).toBe(false);
});

test("a sync covers only writes before its call", () => {
  const bench = new TestDisk(1, {}, hdd);
  const file = bench.create("a", 10 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  const done: string[] = [];
  file.sync(() => done.push("sync"));
  file.write(10, filled(20, 2), () => done.push("write"));
  bench.clock.runToRest();
  expect(done).toEqual(["write", "sync"]);
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(true);
  const [head, changed] = [bench.read(file, 0, 10), bench.read(file, 10, 20)];
  expect([head, changed]).toEqual([filled(10, 1), filled(20, 2)]);
  bench.sync(file);
  expect(bench.disk.isOnMedia("a", 10, filled(20, 2))).toBe(true);
});

test("a sync answers only once the pages that an earlier sync is writing are on the media", () => {
  for (let seed = 0; seed < 50; seed++) {
    const bench = new TestDisk(seed);
    const file = bench.create("a", 100 * PAGE);
    bench.write(file, 0, filled(64 * PAGE, 3));
    file.sync(() => {});
    let isChecked = false;
    file.sync(() => {
      isChecked = bench.disk.isOnMedia("a", 0, filled(64 * PAGE, 3));
    });
    bench.clock.runToRest();
    expect(isChecked).toBe(true);
  }
});

test("a direct read sees dirty pages, which are durable afterwards only on a drive with power-loss protection", () => {
  const protectedDrive = new TestDisk();
  const volatileDrive = new TestDisk(1, {}, hdd);
  for (const bench of [protectedDrive, volatileDrive]) {
    const file = bench.create("a", 10 * PAGE);
    bench.write(file, PAGE, filled(PAGE, 9));
    expect(bench.read(file, 0, 3 * PAGE, "readDirect")).toEqual(
      Uint8Array.from([...filled(PAGE, 0), ...filled(PAGE, 9), ...filled(PAGE, 0)]),
    );
  }
  expect(protectedDrive.disk.isOnMedia("a", PAGE, filled(PAGE, 9))).toBe(true);
  expect(volatileDrive.disk.isOnMedia("a", PAGE, filled(PAGE, 9))).toBe(false);
});

test("an existing name, a missing name and bytes past the end give typed errors, and a direct read must be of whole pages", () => {
  const bench = new TestDisk();
  const file = bench.create("a", PAGE + 10);
  const [exists] = bench.outcome((done) => bench.view.create("a", PAGE, done));
  const [missing] = bench.outcome((done) => bench.view.open("b", done));
  expect([exists?.code, missing?.code]).toEqual(["exists", "not_found"]);
  expect(bench.write(file, PAGE, filled(11, 1))?.code).toBe("io");
  expect(bench.read(file, PAGE, 11)).toMatchObject({ code: "io" });
  expect(bench.write(file, PAGE, filled(10, 1))).toBeNull();
  expect(() => file.readDirect(1, filled(PAGE, 0), () => {})).toThrow("whole pages");
});

test("a disk stores no more than its capacity", () => {
  const bench = new TestDisk(1, {}, { ...hdd, capacityBytes: 10 * PAGE });
  bench.create("a", 6 * PAGE);
  const [error] = bench.outcome((done) => bench.view.create("b", 5 * PAGE, done));
  expect(error?.code).toBe("no_space");
  expect(bench.list()).toEqual(["a"]);
  bench.create("c", 4 * PAGE);
});

test("a closed file refuses a sync", () => {
  const bench = new TestDisk();
  const file = bench.create("a", PAGE);
  file.close(() => {});
  bench.clock.runToRest();
  expect(() => file.sync(() => {})).toThrow("closed");
});

test("releasing a disk returns its pages to the pool", () => {
  const bench = new TestDisk();
  const file = bench.create("a", 100 * PAGE);
  for (let round = 0; round < 5; round++) {
    bench.write(file, 0, filled(50 * PAGE, round));
    file.sync(() => {});
    bench.write(file, 100, filled(60 * PAGE, round));
  }
  bench.sync(file);
  expect(bench.pool.pagesInUse).toBe(61);
  bench.write(file, 0, filled(10, 1));
  file.sync(() => {});
  bench.disk.release();
  expect(bench.pool.pagesInUse).toBe(0);
});
