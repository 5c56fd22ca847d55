/** Tests compaction that meets unreadable records or failed checksums: the rest of the drive regains its space. */
import { beforeEach, describe, expect, test } from "vitest";
import { SET_ASIDE_MS } from "./compactor.ts";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import type { ShardLog } from "./log.ts";
import { RESERVE_SEGMENTS } from "./options.ts";
import type { RecordId } from "./record-key.ts";
import { collectAnswer, MemoryDisk, makeRecord, makeRecordId, openedLog } from "./testing/index.ts";

const EIO = new DiskError("io", "EIO: the device gave no answer.");
/** Size with which each record fills a page, together with the header of its frame. */
const PAYLOAD_BYTES = 3700;
/** Ids that occur nowhere else among the bytes of a volume. */
const FIRST = 0x5a_5b_5c_00;

let disk: MemoryDisk;
let log: ShardLog;
let nowMs: number;
let unreadable: RecordId[];
let isFailing: (file: string) => boolean;

beforeEach(() => {
  disk = new MemoryDisk();
  nowMs = 1_000_000;
  isFailing = () => false;
  unreadable = [];
  disk.onOperation = (name, file) => (name.startsWith("read") && isFailing(file) ? EIO : null);
});

function open(changes: { policy: "ring" | "extents"; segmentCount: number }): void {
  log = openedLog(disk, { ...changes, nowMs: () => nowMs }, true).log;
  log.onUnreadable = (id) => unreadable.push(id);
}

function append(number: number): LogError | null {
  const record = makeRecord(number, `payload ${number} `.padEnd(PAYLOAD_BYTES, "z"));
  const error = collectAnswer<LogError | null>(disk, (done) => log.append(record, done));
  if (error === null) flush();
  return error;
}

const flush = (): LogError | null => collectAnswer(disk, (done) => log.flush(done));

function kill(numbers: readonly number[]): void {
  log.kill(numbers.map(makeRecordId));
  flush();
}

const compact = (): [string | null, boolean] =>
  collectAnswer(disk, (done) => log.compact((error, hasEmptied) => done([error?.code ?? null, hasEmptied])));

const canRead = (number: number): boolean =>
  collectAnswer(disk, (done) => log.read(makeRecordId(number), (error) => done(error === null)));

/** Returns the numbers of the records in this file, in order. */
function recordsIn(file: string): number[] {
  const text = Buffer.from(disk.medium(file)).toString("latin1");
  return [...text.matchAll(/payload (\d+) /g)].map(([, number]) => Number(number));
}

function flipBit(file: string, bytes: string | Uint8Array): void {
  const medium = disk.medium(file);
  const at = Buffer.from(medium).indexOf(bytes);
  medium[at] = (medium[at] as number) ^ 1;
}

describe("background compaction", () => {
  beforeEach(() => {
    open({ policy: "extents", segmentCount: 12 });
    for (let number = FIRST; number < FIRST + 45; number++) expect(append(number)).toBeNull();
  });

  test("reports an unreadable record, empties other segments, and tries again later", () => {
    const [first, second] = ["segment-00000", "segment-00001"];
    kill([...recordsIn(first).slice(0, -2), ...recordsIn(second).slice(0, -4)]);
    const [cold = 0] = recordsIn(first).slice(-2);
    isFailing = (file) => file === first;
    expect(compact()).toEqual(["io_failed", false]);
    expect(unreadable).toEqual([makeRecordId(cold)]);
    expect(compact()).toEqual([null, true]);
    expect(compact()).toEqual([null, false]);
    nowMs += SET_ASIDE_MS;
    expect(compact()).toEqual(["io_failed", false]);
    isFailing = () => false;
    expect(compact()).toEqual([null, false]);
    nowMs += SET_ASIDE_MS;
    expect(compact()).toEqual([null, true]);
    expect(canRead(cold)).toBe(true);
  });

  test("frees the segment at once when the unreadable record has been replaced", () => {
    const first = "segment-00000";
    const kept = recordsIn(first).slice(-1);
    kill(recordsIn(first).slice(0, -1));
    isFailing = (file) => file === first;
    expect(compact()).toEqual(["io_failed", false]);
    const { recyclesTotal } = log.stats().counters;
    expect(append(kept[0] as number)).toBeNull();
    expect(log.stats().counters.recyclesTotal).toBe(recyclesTotal + 1);
  });

  test("accepts the second read of a record that was garbled in transfer, and reads no third time", () => {
    const first = "segment-00000";
    const [number = 0] = recordsIn(first).slice(-1);
    kill(recordsIn(first).slice(0, -1));
    const medium = disk.medium(first);
    const at = Buffer.from(medium).indexOf(`payload ${number} `);
    let readCount = 0;
    disk.onOperation = (name, file) => {
      if (!name.startsWith("read") || file !== first) return null;
      readCount++;
      // Only the second read returns the true content.
      medium[at] = readCount === 2 ? "p".charCodeAt(0) : 0;
      return null;
    };
    expect(compact()).toEqual([null, true]);
    expect(readCount).toBe(2);
    expect(canRead(number)).toBe(true);
    expect(log.stats()).toMatchObject({ recordsCorrupt: 0, counters: { recyclesTotal: 1 } });
  });

  test.each([
    ["cannot be read", "io_failed"],
    ["fails its checksum", "record_corrupt"],
  ])("skips a segment whose purge list %s, and empties others", (_name, code) => {
    const [first, second] = ["segment-00000", "segment-00001"];
    // The purges of the first segment's records are in the segment being written.
    const [purged = 0] = recordsIn(first);
    kill(recordsIn(first).slice(0, -1));
    const uploadId = Buffer.from(makeRecordId(purged).uploadId);
    const isPurging = (name: string) => name !== first && Buffer.from(disk.medium(name)).includes(uploadId);
    const purging = disk.names().find(isPurging) as string;
    collectAnswer(disk, (done) => log.checkpoint(done));
    kill([...recordsIn(second).slice(0, -4), ...recordsIn(purging)]);
    if (code === "io_failed") isFailing = (file) => file === purging;
    else flipBit(purging, uploadId);
    expect(compact()).toEqual([code, false]);
    expect(compact()).toEqual([null, true]);
    expect(unreadable).toEqual([]);
  });
});

describe("compaction under space pressure", () => {
  /** Leaves some garbage in each of the first two segments, and fills the log until appends are refused. */
  function fill(): void {
    open({ policy: "ring", segmentCount: 6 });
    for (let number = FIRST; append(number) === null; number++) expect(number).toBeLessThan(FIRST + 100);
    expect(log.stats()).toMatchObject({ segmentsFree: RESERVE_SEGMENTS, counters: { recordsMovedTotal: 0 } });
  }

  test("moves nothing out of a segment whose last record cannot be moved", () => {
    fill();
    const first = "segment-00000";
    const numbers = recordsIn(first);
    flipBit(first, `payload ${numbers.at(-1)} `);
    kill(numbers.slice(0, 4));
    expect(log.stats()).toMatchObject({ recordsCorrupt: 1, counters: { recordsMovedTotal: 0 } });
    for (const number of numbers.slice(4, -1)) expect(canRead(number)).toBe(true);
  });

  test.each(["cannot be read", "fails its checksum"])(
    "continues with another segment when a record of the first %s",
    (name) => {
      fill();
      const [first, second] = ["segment-00000", "segment-00001"];
      const [damaged, sound] = [recordsIn(first), recordsIn(second)];
      if (name === "cannot be read") isFailing = (file) => file === first;
      else flipBit(first, `payload ${damaged.at(-1)} `);
      kill([...damaged.slice(0, 6), ...sound.slice(0, 4)]);
      expect(log.stats().counters.recyclesTotal).toBe(1);
      expect(append(FIRST + 1000)).toBeNull();
    },
  );

  test("retries an unreadable segment when the log is full and idle", () => {
    fill();
    const numbers = recordsIn("segment-00000");
    isFailing = (file) => file === "segment-00000";
    kill(numbers.slice(0, 6));
    isFailing = () => false;
    expect(append(FIRST + 1000)?.code).toBe("log_full");
    nowMs += SET_ASIDE_MS;
    expect(append(FIRST + 1000)?.code).toBe("log_full");
    expect(append(FIRST + 1000)).toBeNull();
  });

  /** Damages the first record of each segment; the others' kills leave no space for those of the damaged ones. */
  function fillWithKills(): { files: string[]; damaged: number[] } {
    fill();
    const files = disk.names().filter((name) => recordsIn(name).length > 0);
    const damaged = files.map((file) => recordsIn(file)[0] as number);
    const others = files.flatMap((file) => recordsIn(file).slice(1));
    for (const [at, file] of files.entries()) {
      flipBit(file, `payload ${damaged[at]} `);
      expect(canRead(damaged[at] as number)).toBe(false);
    }
    // Unreadable purge lists cannot be packed, so only a limited number of them fits.
    isFailing = (file) => !files.includes(file);
    for (const number of others) kill([number]);
    expect(log.areKillsPlaced).toBe(false);
    return { files, damaged };
  }

  test("does not count a corrupt record whose kill waits for space, and writes the kill once there is space", () => {
    const { damaged } = fillWithKills();
    kill(damaged.slice(1));
    expect(log.stats()).toMatchObject({ recordsLive: 1, recordsCorrupt: 1 });
    isFailing = () => false;
    nowMs += SET_ASIDE_MS;
    kill(damaged.slice(0, 1));
    expect(log.areKillsPlaced).toBe(true);
    expect(log.stats()).toMatchObject({ recordsLive: 0, recordsCorrupt: 0 });
    expect(append(FIRST + 1000)).toBeNull();
  });

  test("reads damaged records again while their kills wait for space", () => {
    const { files, damaged } = fillWithKills();
    for (const [at, file] of files.entries()) flipBit(file, `qayload ${damaged[at]} `);
    kill(damaged.slice(1));
    expect(log.areKillsPlaced).toBe(true);
    expect(log.stats().counters.recordsRepairedTotal).toBe(files.length);
  });
});
