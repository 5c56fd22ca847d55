import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "@stashlight/contracts/time/duration";
import { DiskError, type LogError, type ShardLog } from "@stashlight/shard-log";
import { answerOf, bytesOf, idOf, MemoryDisk, openedLog, recordOf } from "@stashlight/shard-log/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DriveScrub } from "./drive-scrub.ts";
import { ReadErrorBudget } from "./read-error-budget.ts";
import { OpenCalls, watchedDisk } from "./watched-disk.ts";

let folder: string;
const scrubs: DriveScrub[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-scrub-"));
});
afterEach(async () => {
  for (const scrub of scrubs.splice(0)) await scrub.settle();
  rmSync(folder, { recursive: true, force: true });
});

const TICK_MS = 250;
const RECORDS = 60;
const PAYLOAD_BYTES = 4000;
/** At most: a frame of two pages each. */
const RECORDS_A_SEGMENT = 8;
const FAST = 1e9;

/** A drive with records in several segments, of which the test says which reads fail. */
class Bench {
  disk = new MemoryDisk();
  log: ShardLog;
  scrub: DriveScrub;
  readonly budget = new ReadErrorBudget();
  readonly complaints: string[] = [];
  failedReads = 0;
  nowMs = 1_000_000;
  isReadFailing: (file: string) => boolean = () => false;

  readonly stateFolder: string;

  constructor(stateFolder = join(folder, "p0")) {
    this.stateFolder = stateFolder;
    this.disk.onOperation = (name, file) =>
      name === "readDirect" && this.isReadFailing(file) ? new DiskError("io", "EIO") : null;
    this.log = this.open(this.disk, true);
    for (let number = 0; number < RECORDS; number++) this.append(number);
    this.scrub = this.newScrub();
  }

  open(disk: MemoryDisk, isNew: boolean): ShardLog {
    const watched = watchedDisk(disk, new OpenCalls(() => this.nowMs), (file, offset, { code }) => {
      this.failedReads++;
      this.budget.note(file, offset, code, this.nowMs);
    });
    return openedLog(disk, { disk: watched, policy: "extents", segmentCount: 30 }, isNew).log;
  }

  newScrub(): DriveScrub {
    const scrub = new DriveScrub({
      stateFolder: this.stateFolder,
      driveId: "d1",
      roundMs: 30 * DAY_MS,
      wallClockMs: () => this.nowMs,
      monotonicMs: () => this.nowMs,
      saveFailed: (reason) => this.complaints.push(reason),
    });
    scrubs.push(scrub);
    scrub.attach(this.log);
    return scrub;
  }

  append(number: number): void {
    const record = recordOf(number, `payload ${number} `.padEnd(PAYLOAD_BYTES, "x"));
    expect(answerOf<LogError | null>(this.disk, (done) => this.log.append(record, done))).toBeNull();
    expect(answerOf<LogError | null>(this.disk, (done) => this.log.flush(done))).toBeNull();
  }

  damage(number: number): void {
    const name = this.disk
      .names()
      .find((each) => Buffer.from(this.disk.medium(each)).includes(`payload ${number} `)) as string;
    const medium = this.disk.medium(name);
    medium[Buffer.from(medium).indexOf(bytesOf(`payload ${number} `)) + 20] = 0;
  }

  tick(): void {
    this.nowMs += TICK_MS;
    this.scrub.tick(this.log.stats());
    this.disk.run();
  }

  /** Ticks until the round that was asked for has ended; returns the ticks. */
  toEnd(each: () => void = () => {}): number {
    for (let ticks = 0; ticks < 100_000; ticks++) {
      if (!this.scrub.report(this.log.stats()).isOnDemand) return ticks;
      each();
      this.tick();
    }
    throw new Error("The round did not end.");
  }

  get last() {
    return this.scrub.report(this.log.stats()).last;
  }
}

const clean = { recordsVerified: RECORDS, corruptCount: 0, unreadableCount: 0 };

test("a round that is asked for verifies each record once, and then a scheduled one begins", () => {
  const bench = new Bench();
  bench.nowMs += 5 * DAY_MS;
  expect(bench.scrub.report(bench.log.stats()).oldestUnverifiedSeconds).toBe(5 * 86_400);
  bench.scrub.start(FAST);
  bench.toEnd();
  expect(bench.last).toMatchObject(clean);
  expect(bench.last?.bytesVerified).toBeGreaterThan(RECORDS * PAYLOAD_BYTES);
  const report = bench.scrub.report(bench.log.stats());
  expect(report).toMatchObject({ recordsVerified: 0, isOnDemand: false });
  expect(report.oldestUnverifiedSeconds).toBeLessThan(5);
});

test("reads no faster than the rate that was asked for", () => {
  const bench = new Bench();
  bench.scrub.start(20_000);
  bench.tick();
  for (let seconds = 1; seconds <= 8; seconds++) {
    for (let tick = 0; tick < 4; tick++) bench.tick();
    const { bytesVerified } = bench.scrub.report(bench.log.stats());
    // A step may exceed its budget by one record, which the next ones make up for.
    expect(bytesVerified).toBeLessThan(seconds * 20_000 + 2 * PAYLOAD_BYTES);
    expect(bytesVerified).toBeGreaterThan(seconds * 20_000 - 2 * PAYLOAD_BYTES);
  }
  const { secondsLeft, bytesTotal, bytesVerified } = bench.scrub.report(bench.log.stats());
  expect(secondsLeft).toBeCloseTo(((bytesTotal ?? 0) - bytesVerified) / 20_000, 0);
});

test("records that fail their checksum are counted once, and those that are appended again count as repaired", () => {
  const bench = new Bench();
  bench.damage(7);
  bench.damage(44);
  bench.scrub.start(40_000);
  bench.toEnd(() => {
    if (bench.log.stats().recordsCorrupt === 1 && bench.log.stats().counters.recordsRepairedTotal === 0) {
      bench.append(7);
    }
  });
  expect(bench.last).toMatchObject({ corruptCount: 2, unreadableCount: 0, repairedCount: 1 });
  expect(bench.log.stats().recordsCorrupt).toBe(1);
});

test("reads that fail for twenty seconds are waited for, and every record is verified", () => {
  const bench = new Bench();
  bench.damage(3);
  const goneMs = bench.nowMs + 20_000;
  bench.isReadFailing = () => bench.nowMs < goneMs;
  bench.scrub.start(FAST);
  bench.toEnd();
  expect(bench.failedReads).toBeGreaterThan(0);
  expect(bench.last).toMatchObject({ recordsVerified: RECORDS - 1, corruptCount: 1, unreadableCount: 0 });
});

test("records that can never be read are passed over and counted, and the others are verified", () => {
  const bench = new Bench();
  bench.isReadFailing = (file) => file === "segment-00001";
  bench.scrub.start(FAST);
  bench.toEnd();
  const { recordsVerified = 0, unreadableCount = 0, corruptCount } = bench.last ?? {};
  expect(unreadableCount).toBeGreaterThan(5);
  expect(recordsVerified + unreadableCount).toBe(RECORDS);
  expect(corruptCount).toBe(0);
});

test("a scrub of a drive that fails every read never spends the budget that closes the drive", () => {
  const bench = new Bench();
  bench.isReadFailing = () => true;
  bench.scrub.start(FAST);
  bench.toEnd(() => expect(bench.budget.excess(bench.nowMs)).toBeNull());
  expect(bench.last).toMatchObject({ recordsVerified: 0, unreadableCount: RECORDS });
});

test("a restart goes on with the round that was asked for, at the segment where it was", async () => {
  const bench = new Bench();
  bench.scrub.start(40_000);
  for (let tick = 0; tick < 20; tick++) bench.tick();
  const before = bench.scrub.report(bench.log.stats());
  expect(before.recordsVerified).toBeGreaterThan(RECORDS / 2);
  await bench.scrub.settle();
  bench.scrub.detach();
  bench.disk = bench.disk.processCrash();
  bench.log = bench.open(bench.disk, false);
  bench.scrub = bench.newScrub();
  expect(bench.scrub.report(bench.log.stats())).toMatchObject({
    ...{ isOnDemand: true, startedAtMs: before.startedAtMs, recordsVerified: before.recordsVerified },
  });
  bench.toEnd();
  const { recordsVerified = 0 } = bench.last ?? {};
  expect(recordsVerified).toBeGreaterThanOrEqual(RECORDS);
  expect(recordsVerified).toBeLessThan(RECORDS + RECORDS_A_SEGMENT);
});

test("records that are written faster than they are scrubbed do not keep a round from its end", () => {
  const bench = new Bench();
  bench.scrub.start(8000);
  let number = 0;
  bench.toEnd(() => {
    // Each takes the place of an earlier one, in a segment after the others.
    for (let count = 0; count < 2; count++) bench.append(number++ % RECORDS);
    answerOf(bench.disk, (done) => bench.log.compact((error) => done(error)));
  });
  expect(bench.last?.corruptCount).toBe(0);
});

test("a stop returns to the scheduled round, and a start after it begins again", () => {
  const bench = new Bench();
  const { startedAtMs } = bench.scrub.report(bench.log.stats());
  bench.nowMs += DAY_MS;
  bench.scrub.start(20_000);
  for (let tick = 0; tick < 8; tick++) bench.tick();
  expect(bench.scrub.report(bench.log.stats()).recordsVerified).toBeGreaterThan(0);
  bench.scrub.stop();
  expect(bench.scrub.report(bench.log.stats())).toMatchObject({ startedAtMs, recordsVerified: 0 });
  bench.scrub.start(FAST);
  bench.toEnd();
  expect(bench.last).toMatchObject(clean);
});

test("an empty drive ends a round that is asked for at once", () => {
  const bench = new Bench();
  for (let number = 0; number < RECORDS; number++) bench.log.kill([idOf(number)]);
  answerOf<LogError | null>(bench.disk, (done) => bench.log.flush(done));
  bench.scrub.start(null);
  expect(bench.toEnd()).toBeLessThan(5);
  expect(bench.last).toMatchObject({ recordsVerified: 0, bytesVerified: 0 });
});

test("a state folder that cannot be written is reported once, and the scrub goes on", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const bench = new Bench(join(file, "p0"));
  bench.scrub.start(FAST);
  await bench.scrub.settle();
  bench.toEnd();
  await bench.scrub.settle();
  expect(bench.complaints).toHaveLength(1);
  expect(bench.last).toMatchObject(clean);
});
