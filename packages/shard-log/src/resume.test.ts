/** Histories with stops in order, or with kills after a checkpoint, after which the log is opened in both ways. */
import { PageMemory, type SavedPages } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import { expect, test, vi } from "vitest";
import { DiskError } from "./disk.ts";
import { LogError } from "./errors.ts";
import type { ShardLog } from "./log.ts";
import { openLog } from "./open.ts";
import type { LogOptions } from "./options.ts";
import { RecordIndex } from "./record-index.ts";
import type { LogResumption, SavedLog } from "./saved-log.ts";
import { listFrames, type PlacedFrame } from "./testing/frames.ts";
import {
  collectAnswer,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  type PageFate,
  smallOptions,
} from "./testing/index.ts";
import { createChance } from "./testing/model.ts";

/** Everything that a stop or a kill leaves. */
interface Left {
  readonly disk: MemoryDisk;
  readonly file: ArrayFile;
  readonly pages: SavedPages;
  readonly saved: SavedLog;
}

const geometry: Partial<LogOptions> = { policy: "extents", segmentCount: 7 };

const memoryOf = (file: ArrayFile) => new PageMemory({ heldPagesMax: 3, file });

/** A log with limited memory, and the file of its pages. */
class Bench {
  disk = new MemoryDisk();
  file = new ArrayFile();
  memory = memoryOf(this.file);
  log = openedLog(this.disk, { ...geometry, memory: this.memory }, true).log;

  /** Stops in order. Passes the reason if there is nothing to resume from. */
  stop(): Left | string {
    const saved = collectAnswer<SavedLog | string>(this.disk, (done) => this.log.settle(done));
    if (typeof saved === "string") return saved;
    const pages = structuredClone(this.memory.save());
    collectAnswer(this.disk, (done) => this.log.close(done));
    const disk = this.disk.powerCut(() => "dropped");
    return { disk, file: this.file.copy(), pages, saved: structuredClone(saved) };
  }

  #checkpoint: Pick<Left, "pages" | "saved"> | null = null;
  /** Keys that the log had at the checkpoint. */
  keysSaved: string[] = [];

  /** Saves the log, which goes on. Passes the reason if it cannot be saved now. */
  checkpoint(): string | null {
    this.log.pause();
    let pages: SavedPages | null = null;
    let clone: SavedLog | null = null;
    const saved = collectAnswer<SavedLog | string>(this.disk, (done) =>
      this.log.save((state) => {
        // Only during this call is the state that of the pages.
        if (typeof state !== "string") {
          [pages, clone] = [this.memory.save(), structuredClone(state)];
          this.keysSaved = [...this.log.places()].map(({ key }) => key);
        }
        this.log.unpause();
        done(state);
      }),
    );
    if (pages === null || clone === null) return saved as string;
    this.memory.keep(pages);
    this.#checkpoint = { pages: structuredClone(pages), saved: clone };
    return null;
  }

  /** Ends the process, or the power, at any moment. There must have been a checkpoint. */
  kill(fate: () => PageFate): Left {
    const checkpoint = this.#checkpoint as Pick<Left, "pages" | "saved">;
    return { disk: this.disk.powerCut(fate), file: this.file.copy(), ...checkpoint };
  }

  scan(disk: MemoryDisk): object {
    return this.#open(disk, new ArrayFile(), null).state;
  }

  /** Returns the state as it was opened, or why the log was read after all. */
  resume({ disk, file, pages, saved }: Left, displacedMax = Number.POSITIVE_INFINITY): object | string {
    let refusal: string | null = null;
    const decide = (reason: string | null, next: (mayResume: boolean) => void): void => {
      refusal = reason;
      if (reason === null) this.memory.adopt(pages);
      next(reason === null);
    };
    const { isResumed, state, keys, displacedKeys } = this.#open(disk, file.copy(), {
      saved: structuredClone(saved),
      displacedMax,
      decide,
    });
    expect(isResumed).toBe(refusal === null);
    if (refusal !== null) return refusal;
    if (!saved.isEnd) {
      const displaced = new Set(displacedKeys);
      expect(displaced.size).toBe(displacedKeys.length);
      const kept = this.keysSaved.filter((key) => !displaced.has(key));
      expect([...kept, ...keys].sort()).toEqual(Array.from(this.log.places(), ({ key }) => key).sort());
      this.readOnCount += keys.length;
      this.displacedCount += displaced.size;
    }
    return state;
  }

  readOnCount = 0;
  displacedCount = 0;

  #open(disk: MemoryDisk, file: ArrayFile, resume: LogResumption | null) {
    this.disk = disk.powerCut(() => "dropped");
    this.memory = memoryOf(file);
    this.file = file;
    const options = {
      ...smallOptions(this.disk, { ...geometry, memory: this.memory }),
      ...(resume && { resume }),
    };
    const answer = collectAnswer<Opened | LogError>(this.disk, (done) =>
      openLog(options, (error, opened) => {
        if (opened === null) {
          done(error as LogError);
          return;
        }
        expect(opened.damage.filter(({ kind }) => kind !== "header_copy_lost")).toEqual([]);
        const { log, isResumed, records, displacedKeys } = opened;
        const keys = Array.from(records, ({ key }) => key);
        done({ log, isResumed, displacedKeys, keys, state: stateOf(log) });
      }),
    );
    if (answer instanceof LogError) throw answer;
    this.log = answer.log;
    return answer;
  }
}

interface Opened {
  readonly log: ShardLog;
  readonly isResumed: boolean;
  readonly keys: readonly string[];
  readonly displacedKeys: readonly string[];
  readonly state: object;
}

/** Everything that a caller of the log can see, and where its records are. */
function stateOf(log: ShardLog): object {
  const { counters, recordsAwake, marks, ...stats } = log.stats();
  // Recycling begins with the opening; a log that is read knows less about which purges are still needed.
  const { generation, ...marksAtStop } = marks;
  const places = [...log.places()].map(({ key, generation, offset, bytes, lsn, isBad }) => {
    return { key, generation, offset, bytes, lsn, isBad };
  });
  return { places, stats, marks: structuredClone(marksAtStop), nextLsn: log.nextLsn };
}

const none = () => {};

/** One step of a history, the same for all benches. */
function stepAll(benches: readonly Bench[], chance: () => number, keyCount: number): void {
  const [dice, number, size, lag] = [chance(), Math.floor(chance() * keyCount), chance(), chance()];
  for (const { log, disk } of benches) {
    if (dice < 0.55)
      log.append(makeRecord(number, "x".repeat(size < 0.3 ? Math.floor(size * 30_000) : 20)), none);
    else if (dice < 0.85) log.kill([makeRecordId(number)]);
    else if (dice < 0.9) log.flush(none);
    else if (dice < 0.93) log.compact(none);
    else if (dice < 0.95) log.checkpoint(none);
    else if (dice < 0.97) log.attest(none);
    else log.scrub(20_000, none);
    if (lag < 0.5) disk.run(Math.floor(lag * 30));
  }
}

test("a log that continues as it was left equals one that was read, over many stops", () => {
  let resumedCount = 0;
  let compactedCount = 0;
  for (let seed = 1; seed <= 15; seed++) {
    const chance = createChance(seed);
    const [read, resumed] = [new Bench(), new Bench()];
    const keyCount = [5, 40, 300][seed % 3] as number;
    for (let stop = 0; stop < 6; stop++) {
      const stepCount = Math.floor(chance() * 200);
      for (let step = 0; step < stepCount; step++) stepAll([resumed], chance, keyCount);
      compactedCount += resumed.log.stats().counters.recordsMovedTotal;
      const left = resumed.stop();
      if (typeof left === "string") {
        expect(left).toBe("purges wait for space in its log");
        break;
      }
      expect(resumed.resume(left)).toEqual(read.scan(left.disk));
      resumedCount++;
    }
  }
  expect(resumedCount).toBeGreaterThan(50);
  expect(compactedCount).toBeGreaterThan(50);
}, 60_000);

/** Steps with checkpoints in between; returns the number of checkpoints. */
function liveWithCheckpoints(bench: Bench, chance: () => number, keyCount: number): number {
  let count = 0;
  for (let part = Math.floor(chance() * 3); part >= 0; part--) {
    for (let step = Math.floor(chance() * 120); step >= 0; step--) stepAll([bench], chance, keyCount);
    if (bench.checkpoint() === null) count++;
  }
  for (let step = Math.floor(chance() * 150); step >= 0; step--) stepAll([bench], chance, keyCount);
  return count;
}

/** Seed 462 once recycled the last frames before a kill, and seed 809 revived a deleted record from an older copy. */
const KILL_SEEDS = [...Array.from({ length: 70 }, (_, at) => at + 1), 462, 809];
/** A header that is torn by the kill, or that was not written twice. */
const REFUSAL = "headers of segments have changed";

test("a log continued from a checkpoint equals one that was read whole, over many kills", () => {
  const counts = { resumed: 0, refused: 0, readOn: 0, displaced: 0 };
  for (const seed of KILL_SEEDS) {
    const chance = createChance(seed);
    const [read, resumed] = [new Bench(), new Bench()];
    const keyCount = [5, 40, 300][seed % 3] as number;
    const fates: readonly PageFate[] = [["kept"], ["dropped"], ["kept", "dropped", "corrupt"]][
      seed % 3
    ] as PageFate[];
    for (let kill = 0; kill < 5; kill++) {
      if (liveWithCheckpoints(resumed, chance, keyCount) === 0) break;
      const left = resumed.kill(() => fates[Math.floor(chance() * fates.length)] as PageFate);
      const state = resumed.resume(left);
      if (typeof state === "string") {
        expect(state).toBe(REFUSAL);
        counts.refused++;
      } else {
        expect(state).toEqual(read.scan(left.disk));
        counts.resumed++;
      }
    }
    counts.readOn += resumed.readOnCount;
    counts.displaced += resumed.displacedCount;
  }
  expect(counts.resumed).toBeGreaterThan(4 * counts.refused);
  expect(Math.min(counts.readOn, counts.displaced)).toBeGreaterThan(1000);
}, 60_000);

/** A log with some records after a stop. */
function stopped(): { bench: Bench; left: Left } {
  const bench = new Bench();
  for (let number = 1; number <= 20; number++) bench.log.append(makeRecord(number), none);
  const left = bench.stop();
  if (typeof left === "string") throw new Error(left);
  return { bench, left };
}

function flip(disk: MemoryDisk, file: string, at: number): void {
  const bytes = disk.medium(file);
  bytes[at] = (bytes[at] as number) ^ 1;
}

/** Continues a log on this disk with one record more, as a start that knows nothing of what was saved. */
function continueOn(disk: MemoryDisk): MemoryDisk {
  const bench = new Bench();
  bench.scan(disk);
  bench.log.append(makeRecord(99), none);
  bench.log.flush(none);
  bench.disk.run();
  return bench.disk.powerCut(() => "dropped");
}

test.each<[string, string, (left: Left) => Left]>([
  [
    "of another drive",
    "it is of another drive",
    (left) => ({ ...left, saved: { ...left.saved, deviceId: new Uint8Array(16) } }),
  ],
  [
    "of another size",
    "the size of the volume has changed",
    (left) => ({ ...left, saved: { ...left.saved, segmentBytes: 2 ** 20 } }),
  ],
  [
    "that was opened since",
    "the log was opened after it was saved, or is older",
    (left) => ({ ...left, disk: continueOn(left.disk) }),
  ],
  [
    "that has frames after its end although its epoch is the same",
    "the log continues after the frame with which it was saved",
    (left) => {
      const disk = continueOn(left.disk);
      disk.medium("volume").set(left.disk.medium("volume"));
      return { ...left, disk };
    },
  ],
  [
    "whose last frame is damaged",
    "the log does not have the frame after which it was saved",
    (left) => {
      const { end } = left.saved;
      const slot = left.saved.active?.slot ?? 0;
      flip(left.disk, `segment-0000${slot}`, (end?.offset ?? 0) + 300);
      return left;
    },
  ],
  [
    "of which a header is damaged",
    "headers of segments have changed",
    (left) => {
      flip(left.disk, "segment-00003", 20);
      return left;
    },
  ],
])("a log %s is read", (_name, reason, change) => {
  const { left } = stopped();
  const { bench } = stopped();
  expect(bench.resume(change(left))).toBe(reason);
});

/** A log of 40 records, of which ten have gone since it was saved. */
function displaced(isRecycled: boolean): { bench: Bench; left: Left } {
  const bench = new Bench();
  for (let number = 1; number <= 40; number++) {
    bench.log.append(makeRecord(number), none);
    // Ends the segment, so that the records after it are in another one.
    if (number === 10 || number === 20) bench.log.checkpoint(none);
    bench.disk.run();
  }
  expect(bench.checkpoint()).toBeNull();
  for (let number = 11; number <= 20; number++)
    bench.log.kill([makeRecordId(isRecycled ? number : 2 * number)]);
  bench.log.flush(none);
  bench.disk.run();
  expect(bench.log.stats().counters.recyclesTotal).toBe(isRecycled ? 1 : 0);
  return { bench, left: bench.kill(() => "dropped") };
}

test("a log with as many displaced records as allowed is continued, and one with more is read whole", () => {
  for (const isRecycled of [true, false]) {
    const { bench, left } = displaced(isRecycled);
    const state = new Bench().scan(left.disk);
    expect(bench.resume(left, 10)).toEqual(state);
    expect(bench.displacedCount).toBe(10);
    if (isRecycled) expect(bench.resume(left, 9)).toBe("the log has changed too much since it was saved");
    else expect(() => bench.resume(left, 9)).toThrow("open it again to read all of it");
    expect(bench.scan(left.disk)).toEqual(state);
  }
});

test("a log that has lost all frames behind a checkpoint is read whole", () => {
  const bench = new Bench();
  const { log, disk } = bench;
  log.append(makeRecord(9), none);
  log.checkpoint(none);
  disk.run();
  log.append(makeRecord(1), none);
  expect(bench.checkpoint()).toBeNull();
  log.kill([makeRecordId(1)]);
  log.checkpoint(none);
  disk.run();
  log.append(makeRecord(2), none);
  log.flush(none);
  disk.run();
  // The header of the segment that was recycled names the frame of record 2.
  expect(log.stats().counters.recyclesTotal).toBe(1);
  const left = bench.kill(() => "dropped");
  const { file, frame } = listFrames(left.disk).at(-1) as PlacedFrame;
  left.disk.medium(file).fill(0, frame.offset, frame.offset + 4096);
  expect(() => bench.resume(left)).toThrow("Damage (tail_lost) was found");
  const { damage, records } = openedLog(left.disk, geometry);
  expect([damage.map(({ kind }) => kind), records.length]).toEqual([["tail_lost"], 1]);
});

test("a save is abandoned once its log continues", () => {
  const bench = new Bench();
  bench.log.append(makeRecord(1), none);
  bench.log.pause();
  const answers: (SavedLog | string)[] = [];
  bench.log.save((saved) => answers.push(saved));
  bench.log.unpause();
  expect(answers).toEqual(["its log does not come to rest"]);
  bench.disk.run();
  expect(answers).toHaveLength(1);
  expect(bench.checkpoint()).toBeNull();
});

test("a log that waits for a purge, or has failed, is not saved", () => {
  const { bench, left } = stopped();
  bench.resume(left);
  bench.disk.onOperation = (name) => (name === "sync" ? new DiskError("io", "injected") : null);
  bench.log.append(makeRecord(50), none);
  expect(bench.stop()).toBe("its log accepts no more writes");
});

test("nothing is accepted once a log ends, and everything accepted before is durable", () => {
  const { bench, left } = stopped();
  bench.resume(left);
  bench.log.append(makeRecord(50), none);
  const saved = collectAnswer<SavedLog | string>(bench.disk, (done) => {
    bench.log.settle(done);
    bench.log.append(makeRecord(51), (error) => expect(error?.code).toBe("log_closed"));
  });
  expect(saved).toHaveProperty("end");
  const read = new Bench();
  read.scan(bench.disk);
  expect([50, 51].map((number) => read.log.has(makeRecordId(number)))).toEqual([true, false]);
});

test("a stop is answered with the reason if the state of the log cannot be saved", () => {
  const bench = new Bench();
  vi.spyOn(RecordIndex.prototype, "save").mockImplementationOnce(() => {
    throw new Error("A record is saved at rest.");
  });
  expect(bench.stop()).toBe("its log cannot be saved: A record is saved at rest.");
});
