import { describe, expect, test } from "vitest";
import { type Disk, type DiskDone, DiskError, type DiskFile } from "./disk.ts";
import type { LogError } from "./errors.ts";
import type { RecordInput, ShardLog } from "./log.ts";
import type { LogRecord } from "./read-record.ts";
import type { ScrubResult } from "./scrub.ts";
import {
  collectAnswer,
  decodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
} from "./testing/index.ts";

const append = (disk: MemoryDisk, log: ShardLog, number: number): LogError | null =>
  collectAnswer(disk, (done) => log.append(makeRecord(number), done));

function read(disk: MemoryDisk, log: ShardLog, number: number): string {
  const { error, record } = collectAnswer<{ error: LogError | null; record: LogRecord | null }>(
    disk,
    (done) => log.read(makeRecordId(number), (error, record) => done({ error, record })),
  );
  return record === null ? (error?.code ?? "nothing") : decodeText(record.payload);
}

const dropAll = (disk: MemoryDisk): MemoryDisk => disk.powerCut(() => "dropped");

test("an acknowledged record of a ring survives a power cut", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  expect(append(disk, log, 1)).toBeNull();
  const left = dropAll(disk);
  const reopened = openedLog(left);
  expect([...reopened.records].map((header) => decodeText(header.meta))).toEqual(["meta 1"]);
  expect(read(left, reopened.log, 1)).toBe("payload 1");
  expect(reopened.damage).toEqual([]);
});

test("a ring is recycled many times and keeps its live records", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  expect(append(disk, log, 0)).toBeNull();
  for (let number = 1; number < 2000; number++) {
    expect(append(disk, log, number)).toBeNull();
    if (number > 5) log.kill([makeRecordId(number - 5)]);
  }
  disk.run();
  expect(log.stats().counters.recyclesTotal).toBeGreaterThan(100);
  expect(read(disk, log, 0)).toBe("payload 0");
  expect(log.stats().recordsLive).toBe(6);
  const left = dropAll(disk);
  const reopened = openedLog(left);
  expect(reopened.damage).toEqual([]);
  expect(reopened.log.stats().recordsLive).toBeLessThan(100);
  expect(read(left, reopened.log, 0)).toBe("payload 0");
  expect(read(left, reopened.log, 1999)).toBe("payload 1999");
});

const errorCode = (error: LogError | null): string => error?.code ?? "none";

test("a frame of a ring is one call on a disk that writes and syncs in one call, and survives a power cut", () => {
  const disk = new MemoryDisk();
  disk.hasDurableWrites = true;
  const { log } = openedLog(disk, {}, true);
  const calls: string[] = [];
  disk.onOperation = (name) => {
    calls.push(name);
    return null;
  };
  expect(append(disk, log, 1)).toBeNull();
  expect(calls).toEqual(["writeDurably"]);
  const left = dropAll(disk);
  expect(read(left, openedLog(left).log, 1)).toBe("payload 1");
});

test("large records that arrive with answers are written while other answers are still outstanding", () => {
  const disk = new MemoryDisk();
  const sizes = { segmentBytes: 4_194_304, recordBytesMax: 65_536, batchBytesMax: 2_097_152 };
  const { log } = openedLog(disk, sizes, true);
  const large = (number: number): RecordInput => makeRecord(number, "x".repeat(60_000));
  const queued: number[] = [];
  const appendNext = (number: number): void =>
    log.append(large(number), (error) => {
      expect(error).toBeNull();
      if (number >= 20) return;
      appendNext(number + 20);
      queued.push(disk.queuedCount);
    });
  for (let number = 0; number < 20; number++) appendNext(number);
  disk.run();
  // The first record has its own frame, and the 19 others are on their way when it is answered. Their ninth answer
  // brings half of the bytes that their frame had.
  expect(queued).toEqual([1, ...Array(8).fill(0), ...Array(11).fill(1)]);
  expect(log.stats()).toMatchObject({ recordsLive: 40 });
});

test.each(["write", "sync", "writeDurably"] as const)(
  "after a failed %s every waiter is notified, nothing is written again, and reads continue",
  (failing) => {
    const disk = new MemoryDisk();
    disk.hasDurableWrites = failing === "writeDurably";
    const { log } = openedLog(disk, {}, true);
    append(disk, log, 1);
    let isFailing = true;
    const after: string[] = [];
    disk.onOperation = (name) => {
      if (name === failing && isFailing) {
        isFailing = false;
        return new DiskError("io", "Broken.");
      }
      if (!isFailing) after.push(name);
      return null;
    };
    const told: string[] = [];
    for (let number = 2; number < 6; number++) {
      log.append(makeRecord(number), (error) => told.push(errorCode(error)));
    }
    log.kill([makeRecordId(1)], (error) => told.push(errorCode(error)));
    log.flush((error) => told.push(errorCode(error)));
    disk.run();
    expect(told).toEqual(Array(6).fill("io_failed"));
    expect(errorCode(append(disk, log, 9))).toBe("log_poisoned");
    expect(errorCode(collectAnswer(disk, (done) => log.kill([makeRecordId(1)], done)))).toBe("log_poisoned");
    expect(log.stats()).toMatchObject({ state: "poisoned", bytesAppendable: 0 });
    expect(after).toEqual([]);
    disk.onOperation = () => null;
    expect(errorCode(collectAnswer(disk, (done) => log.close(done)))).toBe("io_failed");
    // The next epoch reads only the medium: data that the failed sync left in the page cache does not count.
    const reopened = openedLog(disk.processCrash());
    expect([...reopened.records].map((header) => decodeText(header.meta))).toEqual(["meta 1"]);
    expect(reopened.log.stats().marks.volumeEpoch).toBe(2);
  },
);

test("a poisoned log still serves acknowledged records", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { policy: "extents" }, true);
  append(disk, log, 1);
  disk.onOperation = (name) => (name === "sync" ? new DiskError("io", "Broken.") : null);
  expect(errorCode(collectAnswer(disk, (done) => log.flush(done)))).toBe("io_failed");
  expect(read(disk, log, 1)).toBe("payload 1");
});

test("two syncs of a file never overlap, because a failure might be reported to only one of them", () => {
  const memory = new MemoryDisk();
  const inFlight: DiskDone[] = [];
  let isHolding = false;
  const hold = (file: DiskFile): DiskFile => ({
    ...file,
    sync: (done) => (isHolding ? inFlight.push(done) : file.sync(done)),
  });
  const disk: Disk = {
    list: (done) => memory.list(done),
    create: (name, sizeBytes, done) => memory.create(name, sizeBytes, done),
    open: (name, done) => memory.open(name, (error, file) => done(error, file && hold(file))),
  };
  const { log } = openedLog(memory, { disk, policy: "extents" }, true);
  isHolding = true;
  const told: string[] = [];
  const ask = (number: number): void => {
    log.append(makeRecord(number), () => {});
    memory.run();
    log.flush((error) => told.push(`flush ${errorCode(error)}`));
    log.checkpoint((error) => told.push(`checkpoint ${errorCode(error)}`));
    memory.run();
  };
  ask(1);
  ask(2);
  expect(inFlight).toHaveLength(1);
  inFlight.shift()?.(null);
  expect(told).toEqual(["flush none"]);
  memory.run();
  expect(inFlight).toHaveLength(1);
  inFlight.shift()?.(new DiskError("io", "Broken."));
  expect(told).toEqual(["flush none", ...Array(3).fill(expect.stringContaining("io_failed"))]);
});

test("extents answer once the record is written, and one flush makes it durable", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { policy: "extents" }, true);
  append(disk, log, 1);
  append(disk, log, 2);
  expect([...openedLog(dropAll(disk), { policy: "extents" }).records]).toEqual([]);
  const syncs = log.stats().counters.syncsTotal;
  expect(collectAnswer(disk, (done) => log.flush(done))).toBeNull();
  expect(log.stats().counters.syncsTotal).toBe(syncs + 1);
  expect([...openedLog(dropAll(disk), { policy: "extents" }).records]).toHaveLength(2);
});

test("records that arrive while a write is in flight share one frame and one sync", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  let answered = 0;
  for (let number = 0; number < 64; number++) {
    log.append(makeRecord(number), (error) => {
      if (error === null) answered++;
    });
  }
  disk.run();
  expect(answered).toBe(64);
  expect(log.stats().counters).toMatchObject({ framesTotal: 2, syncsTotal: 2 });
});

test("an acknowledged purge is permanent, and the id can be used again", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  append(disk, log, 1);
  expect(collectAnswer(disk, (done) => log.kill([makeRecordId(1), makeRecordId(2)], done))).toBeNull();
  expect(read(disk, log, 1)).toBe("not_found");
  expect(log.stats().counters).toMatchObject({ purgesTotal: 1, purgesOfUnknownTotal: 1 });
  const killed = dropAll(disk);
  expect([...openedLog(killed).records]).toEqual([]);
  append(disk, log, 1);
  const again = dropAll(disk);
  expect(read(again, openedLog(again).log, 1)).toBe("payload 1");
});

describe("a refusal is typed, counted, and changes nothing", () => {
  const rows: [string, Partial<RecordInput>][] = [
    ["invalid_record", { uploadId: new Uint8Array(15) }],
    ["invalid_record", { shardIndex: 65_536 }],
    ["invalid_record", { k: 256 }],
    ["invalid_record", { placementEpoch: -1 }],
    ["record_too_large", { payload: new Uint8Array(16_385) }],
  ];
  test.each(rows)("with the code %s", (code, changes) => {
    const disk = new MemoryDisk();
    const { log } = openedLog(disk, {}, true);
    const before = log.stats().bytesAppendable;
    const error = collectAnswer<LogError | null>(disk, (done) =>
      log.append({ ...makeRecord(1), ...changes }, done),
    );
    expect(errorCode(error)).toBe(code);
    expect(log.stats()).toMatchObject({ bytesAppendable: before, recordsLive: 0 });
    expect(log.stats().counters.refusals).toEqual({ [code]: 1 });
    expect(disk.queuedCount).toBe(0);
  });
});

test("a full log refuses appends, still takes purges, and has space again after them", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  let number = 0;
  // The first refusal triggers compaction, which may help; the second one shows that it did not.
  for (let refusals = 0; refusals < 2; ) {
    const record = makeRecord(number, "x".repeat(8000));
    const error = collectAnswer<LogError | null>(disk, (done) => log.append(record, done));
    if (error !== null) expect(error.code).toBe("log_full");
    refusals = error === null ? 0 : refusals + 1;
    if (error === null) number++;
  }
  const full = log.stats();
  expect(full.segmentsFree).toBe(2);
  // A record of three pages does not fit before the checkpoint.
  expect(full.bytesAppendable).toBeLessThanOrEqual(12_288);
  expect(full.bytesLive + full.bytesGarbage).toBe(full.bytesUsed);
  // The reserve is all remaining space that appends cannot use.
  const reserveBytes = full.bytesTotal - full.bytesUsed - full.bytesAppendable;
  expect(reserveBytes).toBe((2 * full.bytesTotal) / full.segmentsTotal);
  expect(full.recordsLive).toBe(number);
  for (let killed = 0; killed < number; killed += 2) {
    expect(collectAnswer(disk, (done) => log.kill([makeRecordId(killed)], done))).toBeNull();
  }
  expect(append(disk, log, 999)).toBeNull();
  const left = dropAll(disk);
  expect([...openedLog(left).records]).toHaveLength(log.stats().recordsLive);
});

test("compaction frees a segment that is less than half live and loses nothing, including its purges", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { segmentCount: 12 }, true);
  for (let number = 0; number < 40; number++) {
    collectAnswer<LogError | null>(disk, (done) =>
      log.append(makeRecord(number, `${number}`.padEnd(6000, "x")), done),
    );
  }
  const killed = Array.from({ length: 40 }, (_, number) => number).filter((number) => number % 4 !== 0);
  expect(collectAnswer(disk, (done) => log.kill(killed.map(makeRecordId), done))).toBeNull();
  const compact = (): boolean =>
    collectAnswer(disk, (done) => log.compact((_error, hasEmptied) => done(hasEmptied)));
  let steps = 0;
  while (compact()) steps++;
  expect(steps).toBeGreaterThan(1);
  expect(log.stats().counters.recordsMovedTotal).toBeGreaterThan(0);
  const left = dropAll(disk);
  const reopened = openedLog(left, { segmentCount: 12 });
  expect([...reopened.records]).toHaveLength(10);
  for (const number of [0, 20, 36])
    expect(read(left, reopened.log, number)).toBe(`${number}`.padEnd(6000, "x"));
});

test("scrub finds rot on the medium step by step, and a bad record is never served and can be replaced", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  for (let number = 0; number < 8; number++) append(disk, log, number);
  const medium = disk.medium("segment-00000");
  const at = Buffer.from(medium).indexOf("payload 5");
  medium[at] = 0;
  const bad: unknown[] = [];
  let verified = 0;
  for (let isDone = false; !isDone; ) {
    const result = collectAnswer<ScrubResult | null>(disk, (done) =>
      log.scrub(200, (_error, each) => done(each)),
    );
    bad.push(...(result?.bad ?? []));
    verified += result?.recordsVerified ?? 0;
    isDone = result?.isRoundDone ?? true;
  }
  expect(bad).toEqual([makeRecordId(5)]);
  expect(verified).toBe(7);
  expect(read(disk, log, 5)).toBe("record_corrupt");
  expect(append(disk, log, 5)).toBeNull();
  expect(read(disk, log, 5)).toBe("payload 5");
});

test("high-water marks never go back, although every record that raised them is gone", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  append(disk, log, 70_000);
  log.kill([makeRecordId(70_000)]);
  for (let number = 0; number < 300; number++) {
    append(disk, log, number);
    log.kill([makeRecordId(number)]);
  }
  disk.run();
  const { marks } = log.stats();
  const reopened = openedLog(dropAll(disk)).log.stats().marks;
  expect(reopened.versionOrder).toEqual(makeRecordId(70_000).uploadId);
  expect(reopened.generation).toBeGreaterThanOrEqual(marks.generation);
  expect(reopened.nextLsn).toBeGreaterThanOrEqual(marks.nextLsn - 1);
  expect(reopened.volumeEpoch).toBe(marks.volumeEpoch + 1);
});
