/** Tests that a record that fails its checksum is reported, kept and never served, however it was detected. */
import { expect, test } from "vitest";
import type { LogError } from "./errors.ts";
import type { OpenedLog } from "./open.ts";
import type { RecordId } from "./record-key.ts";
import {
  collectAnswer,
  crc32c,
  decodeText,
  encodeText,
  MemoryDisk,
  makeRecord,
  makeRecordId,
  openedLog,
} from "./testing/index.ts";

/** Flips a bit of the payload of record 2; a second call flips it back. */
function garble(disk: MemoryDisk): void {
  const medium = disk.medium("segment-00000");
  const clean = Buffer.from(medium).indexOf(encodeText("payload 2"));
  const at = clean === -1 ? Buffer.from(medium).indexOf(encodeText("qayload 2")) : clean;
  medium[at] = (medium[at] as number) ^ 1;
}

/** Four records in separate frames; the payload of number 2 is damaged on the medium. */
function damaged(closeSegment: boolean): { disk: MemoryDisk; opened: OpenedLog; told: RecordId[] } {
  const disk = new MemoryDisk();
  const opened = openedLog(disk, {}, true);
  for (const number of [1, 2, 3, 4]) {
    const error = collectAnswer<LogError | null>(disk, (done) => opened.log.append(makeRecord(number), done));
    expect(error).toBeNull();
  }
  if (closeSegment) collectAnswer<LogError | null>(disk, (done) => opened.log.checkpoint(done));
  garble(disk);
  const told: RecordId[] = [];
  opened.log.onCorrupt = (id) => told.push(id);
  return { disk, opened, told };
}

const read = (disk: MemoryDisk, { log }: OpenedLog, number: number): string =>
  collectAnswer<string>(disk, (done) =>
    log.read(makeRecordId(number), (error) => done(error?.code ?? "read")),
  );

test("a read reports a corrupt record once, with its id", () => {
  const { disk, opened, told } = damaged(false);
  expect(read(disk, opened, 2)).toBe("record_corrupt");
  expect(read(disk, opened, 2)).toBe("record_corrupt");
  expect(read(disk, opened, 1)).toBe("read");
  expect(told).toEqual([makeRecordId(2)]);
});

test("a scrub reports a corrupt record", () => {
  const { disk, opened, told } = damaged(false);
  collectAnswer(disk, (done) => opened.log.scrub(1_000_000, () => done(null)));
  expect(told).toEqual([makeRecordId(2)]);
});

test("compaction keeps a corrupt record in place, and serves it again once it reads correctly", () => {
  const { disk, opened, told } = damaged(true);
  const isEmptied = collectAnswer<boolean>(disk, (done) =>
    opened.log.compact((_error, hasEmptied) => done(hasEmptied)),
  );
  expect(isEmptied).toBe(true);
  expect(told).toEqual([makeRecordId(2)]);
  expect(opened.log.has(makeRecordId(2))).toBe(true);
  expect(opened.log.stats().recordsCorrupt).toBe(1);
  // The medium is intact again: data garbled in transfer reads correctly.
  garble(disk);
  expect(read(disk, opened, 2)).toBe("read");
  expect(opened.log.stats().recordsCorrupt).toBe(0);
});

test("compaction keeps a husk of a corrupt record once its loss is confirmed, which names the record after a restart", () => {
  const { disk, opened } = damaged(true);
  expect(read(disk, opened, 2)).toBe("record_corrupt");
  opened.log.confirmLosses([makeRecordId(2)]);
  const isEmptied = collectAnswer<boolean>(disk, (done) =>
    opened.log.compact((_error, hasEmptied) => done(hasEmptied)),
  );
  expect(isEmptied).toBe(true);
  expect(read(disk, opened, 2)).toBe("record_corrupt");
  collectAnswer<LogError | null>(disk, (done) => opened.log.flush(done));
  const again = openedLog(disk.powerCut(() => "dropped"));
  expect([...again.records].map(({ shardIndex }) => shardIndex)).toEqual([1, 3, 4]);
  const named = [...again.damagedRecords].map(({ shardIndex, meta, payloadCrc }) => {
    return { shardIndex, meta: decodeText(meta), payloadCrc };
  });
  const payloadCrc = crc32c(makeRecord(2).payload);
  expect(named).toEqual([{ shardIndex: 2, meta: "meta 2", payloadCrc }]);
  expect(again.damage.map(({ kind }) => kind)).toEqual(["payload_lost"]);
  // The loss stays confirmed.
  expect(again.corruptRecords).toEqual([]);
});

test("a repeated append replaces the corrupt record, and counts as a repair", () => {
  const { disk, opened } = damaged(false);
  expect(read(disk, opened, 2)).toBe("record_corrupt");
  collectAnswer<LogError | null>(disk, (done) => opened.log.append(makeRecord(2), done));
  expect(read(disk, opened, 2)).toBe("read");
  const { recordsCorrupt, counters } = opened.log.stats();
  expect({ recordsCorrupt, repaired: counters.recordsRepairedTotal }).toEqual({
    recordsCorrupt: 0,
    repaired: 1,
  });
});

test("recovery reports corrupt records separately from those that can be served", () => {
  const { disk } = damaged(false);
  const { records, corruptRecords } = openedLog(disk.processCrash());
  expect([...records].map(({ shardIndex }) => shardIndex)).toEqual([1, 3, 4]);
  expect(corruptRecords.map(({ shardIndex }) => shardIndex)).toEqual([2]);
});

test("an append raises nextLsn by one at once, and its write does not raise it again", () => {
  const disk = new MemoryDisk();
  const { log } = openedLog(disk, {}, true);
  collectAnswer<LogError | null>(disk, (done) => log.append(makeRecord(1), done));
  const before = log.nextLsn;
  log.append(makeRecord(2), () => {});
  expect(log.nextLsn).toBe(before + 1);
  disk.run();
  expect(log.nextLsn).toBe(before + 1);
});
