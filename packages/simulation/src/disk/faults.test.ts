import { expect, test } from "vitest";
import { filled, hdd, ssd, TestDisk } from "./testing.ts";

const PAGE = 4096;

test("after a failed sync the pages are clean, and the next sync succeeds but proves nothing", () => {
  const bench = new TestDisk(1, { keptByCut: 0, corruptByCut: 0 });
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  bench.disk.faults.syncError = 1;
  expect(bench.sync(file)?.code).toBe("io");
  bench.disk.faults.syncError = 0;
  expect(bench.sync(file)).toBeNull();
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(false);
  expect(bench.read(file, 0, PAGE, "readDirect")).toEqual(filled(PAGE, 0));
  expect(bench.disk.counters).toMatchObject({ syncErrors: 1, pagesOfFailedSyncDropped: 1 });
});

test("the cache hides a failed sync until the kernel drops the page", () => {
  const bench = new TestDisk(1, { keptByCut: 0, corruptByCut: 0, syncError: 1 });
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  bench.sync(file);
  expect(bench.read(file, 0, PAGE)).toEqual(filled(PAGE, 1));
  for (let reads = 0; reads < 1000 && bench.disk.counters.stalePagesEvicted === 0; reads++)
    bench.read(file, 0, PAGE);
  expect(bench.read(file, 0, PAGE)).toEqual(filled(PAGE, 0));
});

test("each page of a failed sync is independently on the media, not on it, or corrupt", () => {
  const bench = new TestDisk(2, { syncError: 1 });
  const file = bench.create("a", 100 * PAGE);
  bench.write(file, 0, filled(100 * PAGE, 1));
  bench.sync(file);
  const {
    pagesOfFailedSyncKept: kept,
    pagesOfFailedSyncDropped,
    pagesOfFailedSyncCorrupted,
  } = bench.disk.counters;
  const landed = Array.from({ length: 100 }, (_, page) =>
    bench.disk.isOnMedia("a", page * PAGE, filled(PAGE, 1)),
  );
  expect(landed.filter(Boolean)).toHaveLength(kept);
  for (const count of [kept, pagesOfFailedSyncDropped, pagesOfFailedSyncCorrupted])
    expect(count).toBeGreaterThan(5);
});

test("a page written again while its sync fails stays dirty, and the next sync lands it", () => {
  const bench = new TestDisk(1, { syncError: 1, keptByCut: 0, corruptByCut: 0 }, hdd);
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  file.sync(() => {
    bench.disk.faults.syncError = 0;
  });
  bench.write(file, 0, filled(10, 2));
  bench.clock.runToRest();
  expect(bench.sync(file)).toBeNull();
  expect(bench.disk.isOnMedia("a", 0, filled(10, 2))).toBe(true);
  expect(bench.disk.isOnMedia("a", 10, filled(PAGE - 10, 1))).toBe(true);
});

test("a lying sync reports success and keeps nothing, and a later honest sync lands the data", () => {
  const bench = new TestDisk(1, { lyingSync: 1, keptByCut: 0, corruptByCut: 0 });
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  expect(bench.sync(file)).toBeNull();
  expect(bench.read(file, 0, PAGE, "readDirect")).toEqual(filled(PAGE, 1));
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(false);
  expect(bench.disk.isOnMedia("a", PAGE, filled(PAGE, 0))).toBe(false);
  expect(bench.disk.counters).toMatchObject({ syncsLiedAbout: 1, createsLiedAbout: 1 });
  bench.disk.faults.lyingSync = 0;
  bench.sync(file);
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(true);
});

test("a file whose creation was falsely reported is whole, short or gone after a power cut", () => {
  const left = new Set<string>();
  for (let seed = 0; seed < 30; seed++) {
    const bench = new TestDisk(seed, { lyingSync: 1 });
    bench.create("a", 4 * PAGE);
    bench.powerCut();
    if (bench.list().length === 0) left.add("gone");
    else left.add(bench.open("a").sizeBytes === 4 * PAGE ? "whole" : "short");
  }
  expect(left).toEqual(new Set(["gone", "short", "whole"]));
});

test.each([
  { fault: "writeError", code: "io", counter: "writeErrors" },
  { fault: "noSpace", code: "no_space", counter: "noSpaceErrors" },
] as const)(
  "$fault: a write fails with $code after none, some or all of its pages were written",
  ({ fault, code, counter }) => {
    const bench = new TestDisk(1);
    const file = bench.create("a", 4 * PAGE);
    bench.disk.faults[fault] = 1;
    const entered = new Set<number>();
    for (let round = 1; round <= 40; round++) {
      expect(bench.write(file, 0, filled(3 * PAGE, round))?.code).toBe(code);
      const seen = bench.read(file, 0, 3 * PAGE) as Uint8Array;
      entered.add(seen.filter((byte) => byte === round).length / PAGE);
    }
    expect(entered).toEqual(new Set([0, 1, 2, 3]));
    expect(bench.disk.counters[counter]).toBe(40);
  },
);

test("a create without free space leaves no file", () => {
  const bench = new TestDisk(1, { noSpace: 1 });
  const [error] = bench.outcome((done) => bench.view.create("a", PAGE, done));
  expect(error?.code).toBe("no_space");
  expect(bench.list()).toEqual([]);
});

test("a read error is transient, and an unreadable page stays unreadable until it is rewritten", () => {
  const bench = new TestDisk(1);
  const file = bench.create("a", 4 * PAGE);
  bench.disk.faults.readError = 1;
  for (const from of ["read", "readDirect"] as const) {
    expect(bench.read(file, 0, PAGE, from)).toMatchObject({ code: "io" });
  }
  bench.disk.faults.readError = 0;
  expect(bench.read(file, 0, PAGE)).toEqual(filled(PAGE, 0));
  bench.disk.makeUnreadable({ fileName: "a", offset: PAGE + 5, bytes: 1 });
  expect(bench.read(file, 0, 4 * PAGE)).toMatchObject({ code: "io" });
  expect(bench.read(file, 2 * PAGE, 2 * PAGE)).toEqual(filled(2 * PAGE, 0));
  expect(bench.disk.isOnMedia("a", PAGE, filled(PAGE, 0))).toBe(false);
  bench.write(file, PAGE, filled(PAGE, 1));
  bench.sync(file);
  expect(bench.read(file, PAGE, PAGE)).toEqual(filled(PAGE, 1));
});

test("bit rot flips one bit of the media, notifies the checker, and is sometimes hidden by the cache", () => {
  const hidden = new Set<boolean>();
  for (let seed = 0; seed < 20; seed++) {
    const bench = new TestDisk(seed);
    const file = bench.create("a", 9 * PAGE);
    expect(bench.disk.rotBit()).toBeNull();
    bench.write(file, 5 * PAGE, filled(PAGE, 1));
    bench.sync(file);
    const changes: unknown[] = [];
    bench.disk.onMediaChange = (...change) => changes.push(change);
    const place = bench.disk.rotBit();
    expect(place).toMatchObject({ fileName: "a", bytes: 1 });
    expect(changes).toEqual([["a", 5, "bit_rot"]]);
    const media = bench.read(file, 5 * PAGE, PAGE, "readDirect") as Uint8Array;
    const wrong = [...media.entries()].filter(([, byte]) => byte !== 1);
    expect(wrong).toHaveLength(1);
    expect(wrong[0]?.[0]).toBe((place?.offset ?? 0) - 5 * PAGE);
    hidden.add((bench.read(file, 5 * PAGE, PAGE) as Uint8Array).every((byte) => byte === 1));
  }
  expect(hidden).toEqual(new Set([true, false]));
});

test("bit rot in a given place stays within it, and a place outside of a file is refused", () => {
  const bench = new TestDisk();
  bench.create("a", 9 * PAGE);
  for (let round = 0; round < 50; round++) {
    const place = bench.disk.rotBit({ fileName: "a", offset: 5000, bytes: 64 });
    expect(place?.offset).toBeGreaterThanOrEqual(5000);
    expect(place?.offset).toBeLessThan(5064);
  }
  expect(bench.disk.counters.bitsRotted).toBe(50);
  expect(() => bench.disk.rotBit({ fileName: "b", offset: 0, bytes: 1 })).toThrow('no "b"');
  expect(() => bench.disk.makeUnreadable({ fileName: "a", offset: 9 * PAGE, bytes: 1 })).toThrow("outside");
});

test("a misdirected page lands elsewhere, its own location keeps the old content, and the checker is notified of both", () => {
  const bench = new TestDisk(4);
  const file = bench.create("a", 50 * PAGE);
  bench.create("b", 50 * PAGE);
  const changes: [string, number, string][] = [];
  bench.disk.onMediaChange = (...change) => changes.push(change);
  bench.disk.faults.misdirectedWrite = 1;
  bench.write(file, 0, filled(PAGE, 1));
  expect(bench.sync(file)).toBeNull();
  expect(changes.map(([, , cause]) => cause)).toEqual(["misdirected", "lost_write"]);
  const [victim, victimPage] = changes[0] ?? ["", 0];
  expect(bench.disk.isOnMedia(victim, victimPage * PAGE, filled(PAGE, 1))).toBe(true);
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(false);
  expect(bench.disk.counters.pagesMisdirected).toBe(1);
});

test("early writeback brings a write to the media before any sync", () => {
  const bench = new TestDisk(1, { earlyWriteback: 1 });
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 100, filled(PAGE, 1));
  expect(bench.disk.isOnMedia("a", 100, filled(PAGE, 1))).toBe(true);
  expect(bench.disk.counters.pagesWrittenBackEarly).toBe(2);
});

test("a short write costs only time", () => {
  const quick = new TestDisk(1);
  const slow = new TestDisk(1, { shortWrite: 1 });
  const times = [quick, slow].map((bench) => {
    const file = bench.create("a", 100 * PAGE);
    const startUs = bench.clock.nowUs;
    bench.write(file, 0, filled(64 * PAGE, 1));
    expect(bench.read(file, 0, 64 * PAGE)).toEqual(filled(64 * PAGE, 1));
    return bench.clock.nowUs - startUs;
  });
  expect(times[1]).toBeGreaterThan(times[0] ?? 0);
  expect(slow.disk.counters.shortWrites).toBe(1);
});

test("a slow disk takes longer by the given factor", () => {
  const timeUs = (slowFactor: number): number => {
    const bench = new TestDisk(1, { slowFactor }, hdd);
    const file = bench.create("a", 4 * PAGE);
    bench.write(file, 0, filled(PAGE, 1));
    const startUs = bench.clock.nowUs;
    bench.sync(file);
    return bench.clock.nowUs - startUs;
  };
  expect(timeUs(50) / timeUs(1)).toBeCloseTo(50, 0);
});

test("a hung disk answers nothing until it is released, and then everything", () => {
  const bench = new TestDisk(1);
  const file = bench.create("a", 4 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  const done: string[] = [];
  file.sync(() => done.push("sync"));
  bench.disk.setHung(true);
  file.write(PAGE, filled(PAGE, 2), () => done.push("write"));
  bench.clock.runToRest();
  expect(done).toEqual([]);
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(false);
  bench.disk.heal();
  expect(done).toEqual([]);
  bench.clock.runToRest();
  expect(done.toSorted()).toEqual(["sync", "write"]);
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 1))).toBe(true);
  expect(bench.disk.counters.operationsHeldByHang).toBe(2);
});

test("a power cut ends a hang and drops the held operations", () => {
  const bench = new TestDisk(1);
  const file = bench.create("a", 4 * PAGE);
  bench.disk.setHung(true);
  file.sync(() => {
    throw new Error("A held sync called back after a power cut.");
  });
  bench.clock.runToRest();
  bench.powerCut();
  expect(bench.disk.isHung).toBe(false);
  expect(bench.list()).toEqual(["a"]);
});

test("a sync of adjacent pages is one device operation, a sync of scattered pages several", () => {
  const timeUs = (pages: readonly number[]): number => {
    const bench = new TestDisk(1, {}, { ...hdd, serviceTimeUs: (_o, bytes) => (bytes === 0 ? 0 : 1000) });
    const file = bench.create("a", 100 * PAGE);
    for (const page of pages) bench.write(file, page * PAGE, filled(PAGE, 1));
    const startUs = bench.clock.nowUs;
    bench.sync(file);
    return bench.clock.nowUs - startUs;
  };
  expect(timeUs([4, 5, 6])).toBe(1000);
  expect(timeUs([4, 50, 51, 7])).toBe(3000);
});

test("operations queue behind each other on the device", () => {
  const bench = new TestDisk(1, {}, { ...ssd, serviceTimeUs: () => 1000, occupancyUs: () => 400 });
  const file = bench.create("a", 100 * PAGE);
  bench.clock.schedule(5000, () => {});
  bench.clock.runToRest();
  const startUs = bench.clock.nowUs;
  const endsUs: number[] = [];
  for (let page = 0; page < 3; page++) {
    file.read(page * PAGE, filled(PAGE, 0), () => endsUs.push(bench.clock.nowUs - startUs));
  }
  bench.clock.runToRest();
  expect(endsUs).toEqual([1000, 1400, 1800]);
});

test("failNextSync fails one sync, calls onSyncFailed, and is cancelled by a crash", () => {
  const bench = new TestDisk(1);
  const told: string[] = [];
  bench.disk.onSyncFailed = () => told.push("listener");
  const file = bench.create("a", PAGE);
  bench.disk.failNextSync();
  expect(bench.sync(file)?.code).toBe("io");
  expect(bench.sync(file)).toBeNull();
  expect(told).toEqual(["listener"]);
  bench.disk.failNextSync();
  bench.processCrash();
  expect(bench.sync(bench.open("a"))).toBeNull();
});

test("writeBack lands the pages of a sync in flight before newer ones, and a falsely reported file", () => {
  const bench = new TestDisk(1, { lyingSync: 1 });
  const file = bench.create("a", 2 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  bench.sync(file);
  bench.disk.faults.lyingSync = 0;
  file.sync(() => {});
  bench.write(file, 0, filled(PAGE, 2));
  bench.disk.writeBack();
  bench.clock.runToRest();
  expect(bench.disk.isOnMedia("a", 0, filled(PAGE, 2))).toBe(true);
  bench.powerCut();
  expect(bench.list()).toEqual(["a"]);
});

test("mediaPage bypasses the cache, and is null for an unreadable or missing page", () => {
  const bench = new TestDisk(1);
  const file = bench.create("a", 2 * PAGE);
  bench.write(file, 0, filled(PAGE, 1));
  expect(bench.disk.mediaPage("a", 0)).toEqual(filled(PAGE, 0));
  bench.sync(file);
  expect(bench.disk.mediaPage("a", 0)).toEqual(filled(PAGE, 1));
  bench.disk.makeUnreadable({ fileName: "a", offset: 0, bytes: 1 });
  expect(bench.disk.mediaPage("a", 0)).toBeNull();
  expect(bench.disk.mediaPage("a", 2)).toBeNull();
  expect(bench.disk.mediaPage("b", 0)).toBeNull();
});
