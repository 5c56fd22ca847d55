/** Tests when records of extents are objects of the heap: only while something is about to change them. */
import { queryObjects } from "node:v8";
import { beforeEach, expect, test } from "vitest";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import type { ShardLog } from "./log.ts";
import { Entry } from "./segment.ts";
import { collectAnswer, MemoryDisk, makeRecord, makeRecordId, openedLog } from "./testing/index.ts";

const COUNT = 40;
const numbers = Array.from({ length: COUNT }, (_, number) => number);
const extents = { policy: "extents", segmentCount: 12 } as const;

let disk: MemoryDisk;
let log: ShardLog;

beforeEach(() => {
  disk = new MemoryDisk();
  log = openedLog(disk, extents, true).log;
  for (const number of numbers) append(number);
  flush();
});

function append(number: number): void {
  const record = makeRecord(number, `payload ${number} `.padEnd(3700, "z"));
  expect(collectAnswer<LogError | null>(disk, (done) => log.append(record, done))).toBeNull();
}

function flush(): void {
  expect(collectAnswer<LogError | null>(disk, (done) => log.flush(done))).toBeNull();
}

function kill(killed: readonly number[]): void {
  log.kill(killed.map(makeRecordId));
  flush();
}

const compact = (): string =>
  collectAnswer(disk, (done) => log.compact((error) => done(error?.code ?? "ok")));
const awakeCount = (): number => log.stats().recordsAwake;

test("appended records rest once they are durable", () => {
  expect(awakeCount()).toBe(0);
  append(COUNT);
  expect(awakeCount()).toBe(1);
  flush();
  expect(awakeCount()).toBe(0);
});

test("a read wakes no record, not even while it lasts", () => {
  let readCount = 0;
  for (const number of numbers) {
    log.read(makeRecordId(number), (error) => {
      expect(error).toBeNull();
      readCount += 1;
    });
  }
  expect(awakeCount()).toBe(0);
  disk.run();
  expect(readCount).toBe(COUNT);
  expect(awakeCount()).toBe(0);
});

test("killed records leave nothing in the heap while others hold their segments", () => {
  kill(numbers.filter((number) => number % 2 === 0));
  expect(log.stats()).toMatchObject({ recordsLive: COUNT / 2, recordsAwake: 0 });
});

test("moved records rest once the segments of their older copies are recycled", () => {
  kill(numbers.filter((number) => number % 4 !== 0));
  while (log.stats().counters.recordsMovedTotal < 4) expect(compact()).toBe("ok");
  disk.run();
  expect(log.stats().counters.recyclesTotal).toBeGreaterThan(0);
  expect(awakeCount()).toBe(0);
});

test("a record that is replaced often leaves fewer than five entries while the segment of its oldest copy stays", () => {
  const before = queryObjects(Entry) as number;
  for (let turn = 0; turn < 40; turn += 1) {
    append(0);
    flush();
  }
  expect((queryObjects(Entry) as number) - before).toBeLessThan(5);
});

test("a replaced record rests once the segment of its older copy is recycled", () => {
  append(0);
  flush();
  expect(awakeCount()).toBe(1);
  kill(numbers.slice(1, 20));
  disk.run();
  expect(log.stats().counters.recyclesTotal).toBeGreaterThan(0);
  expect(awakeCount()).toBe(0);
});

test("records that compaction could not move rest again", () => {
  kill(numbers.filter((number) => number % 4 !== 0));
  disk.onOperation = (name) => (name.startsWith("read") ? new DiskError("io", "EIO") : null);
  expect(compact()).toBe("io_failed");
  expect(awakeCount()).toBe(0);
});

test("a start wakes no record, even if records were killed and moved before it", () => {
  kill(numbers.filter((number) => number % 4 !== 0));
  expect(compact()).toBe("ok");
  disk.run();
  flush();
  for (const left of [disk.powerCut(() => "dropped"), disk.processCrash()]) {
    const { recordsLive, recordsAwake } = openedLog(left, extents).log.stats();
    expect([recordsLive, recordsAwake]).toEqual([COUNT / 4, 0]);
  }
});

test("a start that finds two copies of a record rests it once the older one is recycled", () => {
  append(0);
  flush();
  disk = disk.powerCut(() => "dropped");
  log = openedLog(disk, extents).log;
  expect(awakeCount()).toBe(1);
  kill(numbers.slice(1, 20));
  disk.run();
  expect(awakeCount()).toBe(0);
});
