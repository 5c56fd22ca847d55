/**
 * Tests that a full log rereads damaged records that hold segments, so that a record that becomes readable frees space.
 */
import { describe, expect, test } from "vitest";
import { RECHECK_AGAIN_MS } from "./compactor.ts";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import type { OpenedLog } from "./open.ts";
import {
  collectAnswer,
  encodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
} from "./testing/index.ts";

const GEOMETRY = {
  policy: "extents",
  segmentBytes: 131_072,
  segmentCount: 8,
  recordBytesMax: 16_384,
} as const;

/** A record that is kept when the others die. */
const LIVE = 1;

const makePayload = (number: number): string => `payload ${number} `.padEnd(700, "z");

/**
 * Creates a log without space for one more record. Every fifth of the first records is damaged, so that no segment can
 * be emptied although most of the others are dead.
 */
function fullLog(
  damagedCount: number,
  nowMs = () => 0,
): { disk: MemoryDisk; opened: OpenedLog; damaged: number[] } {
  const disk = new MemoryDisk();
  const opened = openedLog(disk, { ...GEOMETRY, nowMs }, true);
  let count = 0;
  const fill = (): void => {
    for (let refusals = 0; refusals < 6; refusals += 1) {
      for (; append(disk, opened, count) === null; refusals = 0) count += 1;
      flush(disk, opened);
    }
  };
  fill();
  const step = Math.floor(count / damagedCount);
  const numbers = Array.from({ length: count }, (_, number) => number);
  const damaged = numbers.filter((number) => number % step === 0).slice(0, damagedCount);
  for (const number of damaged) {
    garble(disk, number);
    expect(read(disk, opened, number)).toBe("record_corrupt");
  }
  opened.log.kill(numbers.filter((number) => number % step !== 0 && number !== LIVE).map(makeRecordId));
  fill();
  return { disk, opened, damaged };
}

function append(disk: MemoryDisk, { log }: OpenedLog, number: number): string | null {
  const error = collectAnswer<LogError | null>(disk, (done) =>
    log.append(makeRecord(number, makePayload(number)), done, "removal"),
  );
  return error?.code ?? null;
}

/** Flips a bit of each copy of the payload on the medium; a second call flips it back. Returns the files. */
function garble(disk: MemoryDisk, number: number): string[] {
  const text = encodeText(` ${number} zzz`);
  return disk.names().filter((file) => {
    const medium = Buffer.from(disk.medium(file).buffer);
    const places: number[] = [];
    for (let at = medium.indexOf(text); at !== -1; at = medium.indexOf(text, at + 1)) places.push(at);
    for (const at of places) medium[at + 20] = (medium[at + 20] as number) ^ 1;
    return places.length > 0;
  });
}

const read = (disk: MemoryDisk, { log }: OpenedLog, number: number): string =>
  collectAnswer<string>(disk, (done) =>
    log.read(makeRecordId(number), (error) => done(error?.code ?? "read")),
  );

const flush = (disk: MemoryDisk, { log }: OpenedLog) =>
  collectAnswer<LogError | null>(disk, (done) => log.flush(done));

/** Makes a change, without which another attempt would find nothing new. */
function change(disk: MemoryDisk, opened: OpenedLog): void {
  opened.log.kill([makeRecordId(LIVE)]);
  flush(disk, opened);
}

function countReads(disk: MemoryDisk, action: () => void): number {
  let readCount = 0;
  disk.onOperation = (name) => {
    if (name === "readDirect") readCount += 1;
    return null;
  };
  action();
  disk.onOperation = () => null;
  return readCount;
}

describe("a full log", () => {
  test("rereads all its damaged records in turn, some at a time", () => {
    const { disk, opened, damaged } = fullLog(150);
    for (const number of damaged.slice(100)) garble(disk, number);
    change(disk, opened);
    for (let i = 0; i < 3; i += 1) append(disk, opened, 900_000);
    expect(opened.log.stats().recordsCorrupt).toBe(100);
  });

  test("stops rereading them once all have been read, until something changes", () => {
    const { disk, opened } = fullLog(150);
    const refuse = () => expect(append(disk, opened, 900_000)).toBe("log_full");
    expect(countReads(disk, refuse)).toBe(0);
    change(disk, opened);
    const reads = [1, 2, 3, 4].map(() => countReads(disk, refuse));
    // The change has begun the first of three rounds.
    expect(reads).toEqual([64, 22, 0, 0]);
  });

  test("rereads them again after a while without a change, and has space once a fault has passed", () => {
    let nowMs = 0;
    const { disk, opened, damaged } = fullLog(60, () => nowMs);
    change(disk, opened);
    for (let i = 0; i < 3; i += 1) expect(append(disk, opened, 900_000)).toBe("log_full");
    for (const number of damaged) garble(disk, number);
    expect(append(disk, opened, 900_000)).toBe("log_full");
    expect(opened.log.stats().recordsCorrupt).toBe(60);
    nowMs += RECHECK_AGAIN_MS;
    for (let i = 0; i < 3; i += 1) append(disk, opened, 900_000 + i);
    expect(opened.log.stats().recordsCorrupt).toBe(0);
    expect(append(disk, opened, 900_009)).toBeNull();
  });

  test("rereads a readable record although the device fails to read the others", () => {
    const { disk, opened, damaged } = fullLog(60);
    const last = damaged.at(-1) as number;
    const good = garble(disk, last);
    disk.onOperation = (name, file) =>
      name === "readDirect" && !good.includes(file) ? new DiskError("io", "EIO") : null;
    change(disk, opened);
    append(disk, opened, 900_000);
    append(disk, opened, 900_000);
    expect(opened.log.stats().recordsCorrupt).toBe(59);
  });
});
