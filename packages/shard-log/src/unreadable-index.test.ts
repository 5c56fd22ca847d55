/** Tests what becomes of a log when a page of its index cannot be read back, at each read in turn. */
import { type Page, PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import type { ShardLog } from "./log.ts";
import { type OpenedLog, openLog } from "./open.ts";
import {
  collectAnswer,
  decodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";

const extents = { policy: "extents", segmentCount: 12 } as const;
/** Appends are short of space, so that they start compaction. */
const fullExtents = { policy: "extents", segmentCount: 10 } as const;
type Extents = typeof extents | typeof fullExtents;
const COUNT = 40;
const KILLED_BELOW = 20;

class FailingFile extends ArrayFile {
  readsLeft = Number.POSITIVE_INFINITY;

  override read(page: Page, bytes: Uint8Array): void {
    if (this.readsLeft <= 0) throw new Error("EIO");
    this.readsLeft--;
    super.read(page, bytes);
  }
}

const failingMemory = () => {
  const file = new FailingFile();
  return { file, memory: new PageMemory({ heldPagesMax: 2, file }) };
};

const payloadOf = (number: number): string => `payload ${number} `.padEnd(3700, "z");

function fill(log: ShardLog, disk: MemoryDisk): void {
  for (let number = 0; number < COUNT; number++) {
    const record = makeRecord(number, payloadOf(number));
    expect(collectAnswer<LogError | null>(disk, (done) => log.append(record, done))).toBeNull();
  }
  expect(collectAnswer<LogError | null>(disk, (done) => log.flush(done))).toBeNull();
}

/** Starts one operation of each kind; returns how often each has called back. */
function startAll(log: ShardLog, disk: MemoryDisk): Map<string, number> {
  const counts = new Map<string, number>();
  const once = (name: string) => {
    counts.set(name, 0);
    return () => counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  for (let number = 0; number < KILLED_BELOW; number++)
    log.kill([makeRecordId(number)], once(`kill ${number}`));
  for (const number of [25, 26, 27, COUNT, COUNT + 1, COUNT + 2, COUNT + 3])
    log.append(makeRecord(number, payloadOf(number)), once(`append ${number}`));
  log.read(makeRecordId(35), once("read"));
  log.scrub(1_000_000, once("scrub"));
  log.flush(once("flush"));
  disk.run(20);
  log.compact(once("compact"));
  log.attest(once("attest"));
  log.has(makeRecordId(30));
  log.confirmLosses([makeRecordId(31)]);
  disk.run();
  log.checkpoint(once("checkpoint"));
  disk.run();
  return counts;
}

/** Returns the records that were not killed and that a log on this disk lacks. */
function lostNumbers(disk: MemoryDisk, changes: Extents): number[] {
  const { log } = openedLog(disk, changes);
  const kept = Array.from({ length: COUNT - KILLED_BELOW }, (_, at) => KILLED_BELOW + at);
  return kept.filter((number) => {
    const text = collectAnswer<string>(disk, (done) =>
      log.read(makeRecordId(number), (error, record) =>
        done(record === null ? `${error?.code}` : decodeText(record.payload)),
      ),
    );
    return text !== payloadOf(number);
  });
}

test.each<[string, Extents]>([
  ["with free space", extents],
  ["short of space", fullExtents],
])("a log %s fails with its index, calls back each caller once, and loses nothing", (_name, changes) => {
  let poisonedCount = 0;
  for (let readsLeft = 0; ; readsLeft++) {
    const { file, memory } = failingMemory();
    const disk = new MemoryDisk();
    const { log } = openedLog(disk, { ...changes, memory }, true);
    fill(log, disk);
    let failureCount = 0;
    log.onPoisoned = () => failureCount++;
    file.readsLeft = readsLeft;
    const counts = startAll(log, disk);
    expect([...counts].filter(([, count]) => count !== 1)).toEqual([]);
    const isPoisoned = log.stats().state === "poisoned";
    expect(failureCount).toBe(isPoisoned ? 1 : 0);
    expect(lostNumbers(disk.processCrash(), changes)).toEqual([]);
    if (!isPoisoned) break;
    poisonedCount++;
  }
  expect(poisonedCount).toBeGreaterThan(50);
});

test("a log does not open if its index fails meanwhile, and opens later", () => {
  const disk = new MemoryDisk();
  fill(openedLog(disk, extents, true).log, disk);
  const left = disk.processCrash();
  let failedCount = 0;
  for (let readsLeft = 0; ; readsLeft++) {
    const { file, memory } = failingMemory();
    file.readsLeft = readsLeft;
    const answer = collectAnswer<{ error: LogError | null; opened: OpenedLog | null }>(left, (done) =>
      openLog(smallOptions(left, { ...extents, memory }), (error, opened) => done({ error, opened })),
    );
    if (answer.error === null) break;
    expect(answer.error.code).toBe("io_failed");
    failedCount++;
  }
  expect(failedCount).toBeGreaterThan(5);
  expect(lostNumbers(left, extents)).toEqual([]);
});

test("a kill without a callback that meets an unreadable page fails the log", () => {
  const { file, memory } = failingMemory();
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { ...extents, memory }, true);
  fill(log, disk);
  file.readsLeft = 0;
  for (let number = 0; number < KILLED_BELOW; number++) log.kill([makeRecordId(number)]);
  expect(log.poison).not.toBeNull();
});

/** Returns the answers to a stop during compaction, whose index fails after this many steps of the disk. */
function settleWhileCompacting(stepCount: number): { answers: string[]; isClosed: boolean } {
  const { file, memory } = failingMemory();
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, { policy: "extents", segmentCount: 9, memory }, true);
  const appendAll = (): void => {
    for (let number = 1; number < 500; number++) {
      log.append(makeRecord(number), () => {});
      if (number % 40 === 0) log.flush(() => {});
      if (number % 40 === 0) disk.run();
    }
    log.flush(() => {});
    disk.run();
  };
  log.append(makeRecord(0), () => {});
  appendAll();
  log.checkpoint(() => {});
  disk.run();
  appendAll();
  log.kill([makeRecordId(0)]);
  log.flush(() => {});
  disk.run(stepCount);
  const answers: string[] = [];
  log.settle((saved) => answers.push(typeof saved === "string" ? saved : "saved"));
  file.readsLeft = 0;
  disk.run();
  let isClosed = false;
  log.close(() => {
    isClosed = true;
  });
  disk.run();
  return { answers, isClosed };
}

test("a stop is answered once although the index fails during its last steps, and the log closes", () => {
  const stops = Array.from({ length: 12 }, (_, stepCount) => settleWhileCompacting(stepCount));
  for (const { answers, isClosed } of stops) expect([answers.length, isClosed]).toEqual([1, true]);
  const refusal = "its log accepts no more writes";
  expect(new Set(stops.flatMap(({ answers }) => answers))).toEqual(new Set(["saved", refusal]));
});
