/**
 * Tests that a device that fails reads for a while has lost nothing, and that nothing is written because of missing
 * answers.
 */
import { describe, expect, test } from "vitest";
import { DiskError } from "./disk.ts";
import type { LogError } from "./errors.ts";
import { type OpenedLog, openLog } from "./open.ts";
import type { LogOptions } from "./options.ts";
import {
  collectAnswer,
  decodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
  smallOptions,
} from "./testing/index.ts";

const EIO = new DiskError("io", "EIO: the device gave no answer.");
const GEOMETRY = { policy: "extents", segmentCount: 12 } as const;
type Opening = { error: LogError | null; opened: OpenedLog | null };

const tryOpen = (disk: MemoryDisk, changes: Partial<LogOptions> = {}): Opening =>
  collectAnswer<Opening>(disk, (done) =>
    openLog(smallOptions(disk, changes), (error, opened) => done({ error, opened })),
  );

const diskImage = (disk: MemoryDisk): Uint8Array[] => disk.names().map((name) => disk.medium(name).slice());

const readOutcome = (disk: MemoryDisk, { log }: OpenedLog, number: number): string =>
  collectAnswer<string>(disk, (done) =>
    log.read(makeRecordId(number), (error, record) =>
      done(record === null ? (error?.code ?? "") : decodeText(record.payload)),
    ),
  );

/** Makes reads fail while `isFailing` returns true for the file. */
function failReads(disk: MemoryDisk, isFailing: (file: string) => boolean): void {
  disk.onOperation = (name, file) =>
    (name === "read" || name === "readDirect") && isFailing(file) ? EIO : null;
}

/** Fills several segments with records, with purges in between. */
function filledDisk(): { disk: MemoryDisk; opened: OpenedLog; kept: number[] } {
  const disk = new MemoryDisk();
  const opened = openedLog(disk, GEOMETRY, true);
  const kept: number[] = [];
  for (let number = 1; number <= 60; number += 1) {
    opened.log.append(makeRecord(number, `payload ${number} `.padEnd(3000, "z")), () => {});
    if (number % 4 === 0) opened.log.kill([makeRecordId(number - 1)]);
    if (number % 4 !== 3) kept.push(number);
    disk.run();
  }
  collectAnswer<LogError | null>(disk, (done) => opened.log.flush(done));
  return { disk, opened, kept };
}

describe("opening a log", () => {
  test("fails while any file of the volume cannot be read, and changes nothing", () => {
    const { disk, kept } = filledDisk();
    const left = disk.powerCut(() => "dropped");
    const before = diskImage(left);
    for (const failing of left.names()) {
      failReads(left, (file) => file === failing);
      expect(tryOpen(left, GEOMETRY).error?.code, failing).toBe("io_failed");
      expect(diskImage(left), failing).toEqual(before);
    }
    failReads(left, () => false);
    const { opened } = tryOpen(left, GEOMETRY);
    expect([...(opened?.records ?? [])].map(({ shardIndex, uploadId }) => [shardIndex, uploadId])).toEqual(
      kept.map((number) => [makeRecordId(number).shardIndex, makeRecordId(number).uploadId]),
    );
    expect(opened?.damage).toEqual([]);
  });

  test("may skip some unreadable pages, and never reuses their segments", () => {
    const { disk } = filledDisk();
    const left = disk.powerCut(() => "dropped");
    // Fails the last frames of the second segment; each read of several pages is retried page by page.
    let failing = 0;
    left.onOperation = (name, file) => {
      if (name !== "readDirect" || file !== "segment-00001") return null;
      failing += 1;
      return failing === 3 || failing === 4 ? EIO : null;
    };
    const { opened } = tryOpen(left, { ...GEOMETRY, unreadablePagesMax: 4 });
    left.onOperation = () => null;
    expect(opened?.damage).toContainEqual(expect.objectContaining({ kind: "page_unreadable", slot: 1 }));
    const log = opened?.log as OpenedLog["log"];
    const generationOf = (slot: number) => left.medium(`segment-0000${slot}`).slice(0, 4096);
    const header = generationOf(1);
    for (const record of opened?.records ?? []) log.kill([record]);
    for (let number = 100; number < 140; number += 1) {
      log.append(makeRecord(number, "x".repeat(3000)), () => {});
      left.run();
      log.kill([makeRecordId(number)]);
    }
    left.run();
    expect(generationOf(1)).toEqual(header);
    const again = tryOpen(
      left.powerCut(() => "kept"),
      GEOMETRY,
    );
    expect(again.error).toBeNull();
  });

  test("does not recycle segments when several have lost both copies of their headers", () => {
    const { disk } = filledDisk();
    const left = disk.powerCut(() => "dropped");
    const saved = new Map(
      ["segment-00000", "segment-00001"].map((name) => [name, left.medium(name).slice()]),
    );
    for (const name of saved.keys()) {
      const medium = left.medium(name);
      medium.fill(0x5a, 0, 4096);
      medium.fill(0x5a, medium.length - 4096);
    }
    const { opened } = tryOpen(left, GEOMETRY);
    left.run();
    expect(opened?.damage.filter(({ kind }) => kind === "segment_lost")).toHaveLength(2);
    for (const [name, before] of saved)
      expect(left.medium(name).slice(4096, -4096)).toEqual(before.slice(4096, -4096));
    expect(left.medium("segment-00000").slice(0, 4096)).toEqual(new Uint8Array(4096).fill(0x5a));
  });
});

describe("an open log", () => {
  test("answers a failed read with io_failed, and with the record once the device answers", () => {
    const { disk, opened } = filledDisk();
    failReads(disk, () => true);
    expect(readOutcome(disk, opened, 1)).toBe("io_failed");
    failReads(disk, () => false);
    expect(readOutcome(disk, opened, 1)).toContain("payload 1 ");
    const { counters, recordsCorrupt } = opened.log.stats();
    expect([counters.readErrorsTotal, counters.recordsCorruptTotal, recordsCorrupt]).toEqual([1, 0, 0]);
  });

  test("reports records that a scrub cannot read, and counts none of them as bad", () => {
    const { disk, opened, kept } = filledDisk();
    failReads(disk, () => true);
    const result = collectAnswer(disk, (done: (result: unknown) => void) =>
      opened.log.scrub(Number.POSITIVE_INFINITY, (_error, found) => done(found)),
    );
    expect(result).toMatchObject({ bad: [], recordsVerified: 0, isRoundDone: true });
    expect((result as { unreadable: unknown[] }).unreadable).toHaveLength(kept.length);
    failReads(disk, () => false);
    for (const number of kept) expect(readOutcome(disk, opened, number)).toContain(`payload ${number} `);
  });

  test("leaves a segment unchanged when compaction cannot read it, and empties it later", () => {
    const { disk, opened, kept } = filledDisk();
    const compact = (): [string | null, boolean] =>
      collectAnswer(disk, (done) =>
        opened.log.compact((error, hasEmptied) => done([error?.code ?? null, hasEmptied])),
      );
    opened.log.kill(kept.slice(0, 12).map(makeRecordId));
    collectAnswer<LogError | null>(disk, (done) => opened.log.flush(done));
    failReads(disk, () => true);
    expect(compact()).toEqual(["io_failed", false]);
    failReads(disk, () => false);
    expect(compact()).toEqual([null, true]);
    for (const number of kept.slice(12))
      expect(readOutcome(disk, opened, number)).toContain(`payload ${number} `);
  });

  test("trusts the second read when bytes were only garbled in transfer", () => {
    const { disk, opened } = filledDisk();
    const cached = disk.medium("segment-00000");
    const at = Buffer.from(cached).indexOf("payload 1 ");
    let readCount = 0;
    disk.onOperation = (name, file) => {
      if (file !== "segment-00000" || !name.startsWith("read")) return null;
      readCount += 1;
      cached[at] = readCount === 1 ? 0 : "p".charCodeAt(0);
      return null;
    };
    expect(readOutcome(disk, opened, 1)).toContain("payload 1 ");
    expect(readCount).toBe(2);
    expect(opened.log.stats().counters.recordsCorruptTotal).toBe(0);
  });

  test("continues a scrub from its position before a restart", () => {
    const { disk, opened, kept } = filledDisk();
    const step = (log: OpenedLog["log"], from: MemoryDisk) =>
      collectAnswer<{ recordsVerified: number; isRoundDone: boolean } | null>(from, (done) =>
        log.scrub(40_000, (_error, result) => done(result)),
      );
    const first = step(opened.log, disk);
    expect(first?.isRoundDone).toBe(false);
    const position = opened.log.scrubPosition;
    const left = disk.powerCut(() => "dropped");
    const again = openedLog(left, GEOMETRY);
    again.log.resumeScrub(position);
    let verified = first?.recordsVerified ?? 0;
    for (let isDone = false; !isDone; ) {
      const result = step(again.log, left);
      verified += result?.recordsVerified ?? 0;
      isDone = result?.isRoundDone ?? true;
    }
    expect(verified).toBe(kept.length);
  });
});
