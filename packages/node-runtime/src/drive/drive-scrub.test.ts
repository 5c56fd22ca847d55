import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { useTestFolder } from "@stashlight/contracts/testing";
import { scrubMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS } from "@stashlight/contracts/time";
import type { LogError, OpenedLog, ShardLog } from "@stashlight/shard-log";
import { collectAnswer, MemoryDisk, openedLogKeeping } from "@stashlight/shard-log/testing";
import { type KeptRecord, keepRecord, type Position, ShardStore } from "@stashlight/shard-store";
import { createPod, FAULT_PASSES_WITHIN_MS, type Message, type PodState } from "@stashlight/write-path";
import { afterEach, describe, expect, test } from "vitest";
import { startPod } from "./drive-machine.ts";
import { DriveScrub } from "./drive-scrub.ts";
import { ReadErrorBudget } from "./read-error-budget.ts";
import { ScrubDisk } from "./scrub-disk.ts";
import {
  failingReads,
  type IsReadFailing,
  ignoredAnswers,
  makeShard,
  PAYLOAD_BYTES,
  podConfig,
} from "./testing/pod-drive.ts";
import { OpenCalls, watchedDisk } from "./watched-disk.ts";

const folder = useTestFolder();
const scrubs: DriveScrub[] = [];
afterEach(async () => {
  for (const scrub of scrubs.splice(0)) await scrub.settle();
});

const TICK_MS = 250;
const RECORDS = 60;
/** Limit on records per segment: a record has a frame of two pages. */
const RECORDS_A_SEGMENT = 8;
const FAST = 1e9;

/** A drive with shards in several segments. The test chooses which reads fail. */
class Bench {
  disk = new MemoryDisk();
  store: ShardStore;
  scrub: DriveScrub;
  readonly budget = new ReadErrorBudget();
  readonly complaints: string[] = [];
  /** Messages that the pod sent. */
  readonly sent: Message[] = [];
  failedReads = 0;
  nowMs = 1_000_000;
  isReadFailing: IsReadFailing = () => false;
  isIdle = false;
  sharedDisk: ScrubDisk | null = null;
  readonly #deferred: (() => void)[] = [];
  #timers: { readonly atMs: number; readonly action: () => void }[] = [];

  readonly stateFolder: string;

  constructor(stateFolder = join(folder, "p0")) {
    this.stateFolder = stateFolder;
    this.store = this.#start(this.open(true));
    for (let number = 0; number < RECORDS; number++) this.append(number);
    this.scrub = this.newScrub();
  }

  get log(): ShardLog {
    return this.store.log;
  }

  open(isNew: boolean): OpenedLog<KeptRecord> {
    const failing = failingReads(this.disk, (...read) => this.isReadFailing(...read));
    const watched = watchedDisk(
      failing,
      new OpenCalls(() => this.nowMs),
      (file, offset, _bytes, { code }) => {
        this.failedReads++;
        this.budget.note(file, offset, code, this.nowMs);
      },
    );
    const changes = { disk: watched, policy: "extents", segmentCount: 30 } as const;
    return openedLogKeeping(this.disk, keepRecord, changes, isNew);
  }

  get #storeOptions() {
    return {
      defer: (action: () => void) => void this.#deferred.push(action),
      after: (delayUs: number, action: () => void) => this.#setTimer(delayUs / 1000, action),
      fullAtShare: 0.75,
      relievedAtShare: 0.7,
    };
  }

  #setTimer(delayMs: number, action: () => void): void {
    this.#timers.push({ atMs: this.nowMs + delayMs, action });
  }

  #start(opened: OpenedLog<KeptRecord>): ShardStore {
    return ShardStore.start({ ...this.#storeOptions, opened, answers: ignoredAnswers }).store;
  }

  /** Opens the drive again after a crash of the process. */
  restart(): void {
    this.scrub.detach();
    this.disk = this.disk.processCrash();
    this.store = this.#start(this.open(false));
    this.scrub = this.newScrub();
  }

  /** Opens the drive again after a crash, with a pod that has settled. */
  restartAsPod(): PodState<Position> {
    this.scrub.detach();
    this.disk = this.disk.processCrash();
    const pod = createPod<Position>(podConfig, 0);
    const { store, recover } = startPod(
      pod,
      { podIndex: 0, driveId: "d0", bootId: 2 },
      {
        opened: this.open(false),
        storeOptions: this.#storeOptions,
        surroundings: {
          send: (_to, message) => void this.sent.push(message),
          startTimer: (delayMs, action) => {
            this.#setTimer(delayMs, action);
            return () => {};
          },
          defer: (action) => void this.#deferred.push(action),
          nowMs: () => this.nowMs,
        },
        halt: (reason) => {
          throw new Error(reason);
        },
        watch: undefined,
      },
    );
    recover();
    pod.lifecycle = "settled";
    this.store = store;
    this.scrub = this.newScrub();
    return pod;
  }

  newScrub(): DriveScrub {
    const scrub = new DriveScrub({
      stateFolder: this.stateFolder,
      driveId: "d1",
      roundMs: 30 * DAY_MS,
      wallClockMs: () => this.nowMs,
      monotonicMs: () => this.nowMs,
      disk: () => this.sharedDisk,
      saveFailed: (reason) => this.complaints.push(reason),
    });
    scrubs.push(scrub);
    scrub.attach(this.store);
    return scrub;
  }

  append(number: number): void {
    this.store.append(makeShard(number), "data");
    expect(collectAnswer<LogError | null>(this.disk, (done) => this.log.flush(done))).toBeNull();
  }

  kill(number: number): void {
    const { upload, shardIndex } = makeShard(number);
    this.log.kill([{ uploadId: Buffer.from(upload.uploadId, "hex"), shardIndex }]);
  }

  placeOf(number: number): { file: string; offset: number } {
    const find = (file: string) => Buffer.from(this.disk.medium(file)).indexOf(`payload ${number} `);
    const file = this.disk.names().find((each) => find(each) !== -1) as string;
    return { file, offset: find(file) };
  }

  damage(number: number): void {
    const { file, offset } = this.placeOf(number);
    this.disk.medium(file)[offset + 20] = 0;
  }

  tick(): void {
    this.nowMs += TICK_MS;
    this.scrub.tick(this.log.stats(), this.isIdle);
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { action } of due) action();
    this.disk.run();
    for (const action of this.#deferred.splice(0)) action();
    this.disk.run();
  }

  /** Ticks until the requested round has ended; returns the number of ticks. */
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

test("a requested round verifies each record once, and then a scheduled one begins", () => {
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

test("a scrub reads no faster than the requested rate", () => {
  const bench = new Bench();
  bench.scrub.start(20_000);
  bench.tick();
  for (let seconds = 1; seconds <= 8; seconds++) {
    for (let tick = 0; tick < 4; tick++) bench.tick();
    const { bytesVerified } = bench.scrub.report(bench.log.stats());
    // A step may exceed its budget by one record, which the next steps compensate for.
    expect(bytesVerified).toBeLessThan(seconds * 20_000 + 2 * PAYLOAD_BYTES);
    expect(bytesVerified).toBeGreaterThan(seconds * 20_000 - 2 * PAYLOAD_BYTES);
  }
  const { secondsLeft, bytesTotal, bytesVerified } = bench.scrub.report(bench.log.stats());
  expect(secondsLeft).toBeCloseTo(((bytesTotal ?? 0) - bytesVerified) / 20_000, 0);
});

test("a requested round reads an eighth of its rate while others keep the disk busy, and ends", () => {
  const bench = new Bench();
  const othersMs = () => bench.nowMs;
  bench.sharedDisk = new ScrubDisk({ monotonicMs: () => bench.nowMs, queueMs: othersMs });
  bench.scrub.start(80_000);
  bench.tick();
  for (let tick = 0; tick < 40; tick++) bench.tick();
  const { bytesVerified, bytesPerSecond } = bench.scrub.report(bench.log.stats());
  expect(bytesPerSecond).toBe(10_000);
  expect(bytesVerified).toBeLessThan(10 * 10_000 + 2 * PAYLOAD_BYTES);
  bench.toEnd();
  expect(bench.last).toMatchObject(clean);
});

test("a drive on a disk that others keep busy is not idle", () => {
  const bench = new Bench();
  bench.isIdle = true;
  let othersMs = 0;
  bench.sharedDisk = new ScrubDisk({ monotonicMs: () => bench.nowMs, queueMs: () => othersMs });
  const rateAfter = (load: number) => {
    for (let tick = 0; tick < 40; tick++) {
      othersMs += load * TICK_MS;
      bench.tick();
    }
    return bench.scrub.report(bench.log.stats()).bytesPerSecond ?? 0;
  };
  const quiet = rateAfter(0);
  expect(quiet).toBeGreaterThan(0);
  expect(quiet / rateAfter(1)).toBeGreaterThan(scrubMarks.idlePaces * 0.9);
});

test("records that fail their checksum are counted once, and counted as repaired when they are appended again", () => {
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

test("a scrub waits out reads that fail for twenty seconds, and counts no record as unreadable", () => {
  const bench = new Bench();
  bench.damage(3);
  const goneMs = bench.nowMs + 20_000;
  bench.isReadFailing = () => bench.nowMs < goneMs;
  bench.scrub.start(FAST);
  bench.toEnd();
  expect(bench.failedReads).toBeGreaterThan(0);
  expect(bench.last).toMatchObject({ recordsVerified: RECORDS - 1, corruptCount: 1, unreadableCount: 0 });
});

test("records that can never be read are skipped and counted, and the others are verified", () => {
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

test("a restart resumes the requested round at the same segment", async () => {
  const bench = new Bench();
  bench.scrub.start(40_000);
  for (let tick = 0; tick < 20; tick++) bench.tick();
  const before = bench.scrub.report(bench.log.stats());
  expect(before.recordsVerified).toBeGreaterThan(RECORDS / 2);
  await bench.scrub.settle();
  bench.restart();
  expect(bench.scrub.report(bench.log.stats())).toMatchObject({
    isOnDemand: true,
    startedAtMs: before.startedAtMs,
    recordsVerified: before.recordsVerified,
  });
  bench.toEnd();
  const { recordsVerified = 0 } = bench.last ?? {};
  expect(recordsVerified).toBeGreaterThanOrEqual(RECORDS);
  expect(recordsVerified).toBeLessThan(RECORDS + RECORDS_A_SEGMENT);
});

test("records that are written faster than they are scrubbed do not prevent the end of a round", () => {
  const bench = new Bench();
  bench.scrub.start(8000);
  let number = 0;
  bench.toEnd(() => {
    // Each replaces an earlier record, in a segment after the others.
    for (let count = 0; count < 2; count++) bench.append(number++ % RECORDS);
    collectAnswer(bench.disk, (done) => bench.log.compact((error) => done(error)));
  });
  expect(bench.last?.corruptCount).toBe(0);
});

test("stopping returns to the scheduled round, and starting again begins a new one", () => {
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

test("a requested round on an empty drive ends at once", () => {
  const bench = new Bench();
  for (let number = 0; number < RECORDS; number++) bench.kill(number);
  collectAnswer<LogError | null>(bench.disk, (done) => bench.log.flush(done));
  bench.scrub.start(null);
  expect(bench.toEnd()).toBeLessThan(5);
  expect(bench.last).toMatchObject({ recordsVerified: 0, bytesVerified: 0 });
});

test("an unwritable state folder is reported once, and the scrub continues", async () => {
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

describe("a record that the device fails to read", () => {
  /** A drive with one shard on a sector that cannot be read. */
  function withBadSector(): { bench: Bench; pod: PodState<Position>; mend: () => void } {
    const bench = new Bench();
    const pod = bench.restartAsPod();
    const bad = bench.placeOf(7);
    let isBad = true;
    bench.isReadFailing = (file, offset, bytes) =>
      isBad && file === bad.file && offset <= bad.offset && bad.offset < offset + bytes;
    const mend = (): void => {
      isBad = false;
    };
    return { bench, pod, mend };
  }
  const ticksFor = (ms: number) => Math.ceil(ms / TICK_MS);

  test("is reported to the pod when the round ends, and no longer once it can be read", () => {
    const { bench, pod, mend } = withBadSector();
    bench.scrub.start(FAST);
    bench.toEnd();
    expect(bench.last).toMatchObject({ recordsVerified: RECORDS - 1, unreadableCount: 1 });
    expect([...pod.unreadable.keys()]).toEqual([makeShard(7).upload.uploadId]);
    mend();
    for (let ticks = ticksFor(120_000); ticks > 0; ticks--) bench.tick();
    expect(pod.unreadable.size + pod.damaged.size).toBe(0);
  });

  test("counts as damaged once the fault has lasted, and the pod requests its rebuild", () => {
    const { bench, pod } = withBadSector();
    bench.scrub.start(FAST);
    for (let ticks = ticksFor(FAULT_PASSES_WITHIN_MS + 120_000); ticks > 0; ticks--) bench.tick();
    const { upload } = makeShard(7);
    expect([...pod.damaged.keys()]).toEqual([upload.uploadId]);
    expect(pod.unreadable.size).toBe(0);
    expect(bench.sent).toContainEqual(expect.objectContaining({ type: "coordinator.resolve", upload }));
  });
});
