/**
 * Reads single records. Only data proved by its own checksums and its own place is returned. A read that the device
 * fails proves nothing about the record; one whose bytes fail their checksum is repeated from the medium before the
 * record counts as corrupt, because a cable or a controller may have garbled it in transfer.
 */
import assert from "node:assert/strict";
import type { DiskError } from "./disk.ts";
import { LogError } from "./errors.ts";
import { alignPage, dataView, PAGE_BYTES, type RecordHeader, recordBytes } from "./format.ts";
import { decodeRecordHeader, type HeaderView } from "./record-header.ts";
import { packRecordKey, type RecordId } from "./record-key.ts";
import type { Entry } from "./segment.ts";
import type { Volume } from "./volume.ts";

const NOTHING = new Uint8Array(0);

export interface LogRecord extends RecordHeader {
  readonly payload: Uint8Array;
}

export type ReadDone = (error: LogError | null, record: LogRecord | null) => void;

/**
 * Returns the record at the start of `bytes` if it is complete, correct and the one that `entry` refers to; otherwise
 * null.
 */
export function verifyRecord(volume: Volume, entry: Entry, bytes: Uint8Array): LogRecord | null {
  const header = headerInPlace(volume, entry, bytes);
  if (header === null || header.type === "husk") return null;
  const payload = header.payloadBehind;
  return volume.identity.crc32c(payload) === header.payloadCrc ? toLogRecord(header, payload) : null;
}

function toLogRecord(header: HeaderView, payload: Uint8Array): LogRecord {
  const { type, lsn, generation, offset, volumeEpoch, uploadId, shardIndex, k, m } = header;
  const { versionOrder, placementEpoch, meta, payloadBytes, payloadCrc } = header;
  const place = { lsn, generation, offset, volumeEpoch };
  const fields = { type, uploadId, shardIndex, k, m, versionOrder, placementEpoch, meta };
  return { ...place, ...fields, payloadBytes, payloadCrc, payload };
}

/**
 * Returns the newest readable copy of a record: the previous one while the newest is still being written. A record that
 * rests is not woken.
 */
function readableEntry(volume: Volume, key: string): Entry | null {
  let entry = volume.index.look(key) ?? null;
  while (entry !== null && !entry.isReadable) entry = entry.previous;
  return entry;
}

/**
 * Returns true if reads now use another copy of the record, or find none. Each copy has its own log sequence number.
 */
function isReplaced(volume: Volume, entry: Entry): boolean {
  return readableEntry(volume, entry.key)?.lsn !== entry.lsn;
}

export function readRecord(volume: Volume, id: RecordId, done: ReadDone): void {
  const key = packRecordKey(id.uploadId, id.shardIndex);
  const entry = readableEntry(volume, key);
  if (entry === null) {
    done(volume.refuse("not_found", "This log has no such record."), null);
    return;
  }
  if (entry.isBad) {
    readBadAgain(volume, entry, id, done);
    return;
  }
  // A read fills the buffer or fails, so it need not be zeroed first.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(entry.bytes).buffer);
  const answer = (record: LogRecord): void => {
    assert.equal(entry.key, key, "A read answers with the record that was asked for.");
    done(null, record);
  };
  volume.read(entry.segment.file, "cache", entry.offset, bytes, (error) => {
    if (error !== null) {
      done(readFailed(error), null);
      return;
    }
    const record = verifyRecord(volume, entry, bytes);
    if (record !== null) answer(record);
    else if (isReplaced(volume, entry)) {
      // The record was moved or purged, and its segment recycled, during the read.
      readRecord(volume, id, done);
    } else readBadAgain(volume, entry, id, done);
  });
}

/** The page cache may hold good bytes of a record that has rotted, so a bad record is read from the medium. */
function readBadAgain(volume: Volume, entry: Entry, id: RecordId, done: ReadDone): void {
  const meant = volume.index.get(entry.key);
  const own = meant?.lsn === entry.lsn ? meant : entry;
  readAgain(volume, own, (failed, found) => {
    if (found !== null || failed !== null) done(failed, found);
    else if (isReplaced(volume, own)) readRecord(volume, id, done);
    else done(corrupt(own), null);
  });
}

type ReadAgainDone = (error: LogError | null, record: LogRecord | null, bytes: Uint8Array) => void;

/**
 * Reads a record whose bytes failed their checksum a second time, from the medium once it is durable. A result with
 * neither an error nor a record means that it is corrupt, and it is marked so if it still has to be kept; `bytes` are
 * the bytes of that read.
 */
export function readAgain(volume: Volume, entry: Entry, done: ReadAgainDone): void {
  entry.useCount++;
  const end = (error: LogError | null, bytes: Uint8Array | null): void => {
    entry.useCount--;
    if (error !== null || bytes === null) {
      volume.rest(entry);
      done(error, null, NOTHING);
      return;
    }
    const record = verifyRecord(volume, entry, bytes);
    if (record !== null) markGood(volume, entry);
    else if (entry.isKept) markBad(volume, entry, bytes);
    volume.rest(entry);
    done(null, record, bytes);
  };
  if (entry.lsn < volume.durableLsn) {
    readEntryDirect(volume, entry, end);
    return;
  }
  const bytes = new Uint8Array(entry.bytes);
  volume.read(entry.segment.file, "cache", entry.offset, bytes, (error) =>
    end(error === null ? null : readFailed(error), bytes),
  );
}

function markBad(volume: Volume, entry: Entry, bytes: Uint8Array): void {
  entry.isHeaderBad = headerInPlace(volume, entry, bytes) === null;
  if (entry.isBad) return;
  entry.isBad = true;
  if (entry.isMeant) volume.damaged.add(entry);
  volume.counters.recordsCorruptTotal++;
  volume.onCorrupt(entry);
}

/** Marks the record good after a clean read. */
function markGood(volume: Volume, entry: Entry): void {
  if (!entry.isBad) return;
  entry.isBad = false;
  entry.isHeaderBad = false;
  entry.isLossConfirmed = false;
  volume.damaged.delete(entry);
  volume.changeCount++;
  volume.counters.recordsRepairedTotal++;
}

/**
 * Returns the header at the start of `bytes` if it is complete and belongs to the entry. The payload is not checked.
 */
export function headerInPlace(volume: Volume, entry: Entry, bytes: Uint8Array): HeaderView | null {
  const header = decodeRecordHeader(volume.identity, bytes, dataView(bytes), 0, bytes.length);
  if (header === null || !header.hasKey(entry.key)) return null;
  const isInPlace = header.generation === entry.generation && header.offset === entry.offset;
  const hasSize = recordBytes(header.metaBytes, header.payloadBytes) === entry.bytes;
  return isInPlace && hasSize && header.lsn === entry.lsn ? header : null;
}

export function readFailed(cause: DiskError): LogError {
  return new LogError("io_failed", `The device failed a read: ${cause.message}`, cause);
}

function corrupt(entry: Entry): LogError {
  return new LogError(
    "record_corrupt",
    `The record at offset ${entry.offset} of generation ${entry.generation} fails its checksum; fetch the shard from elsewhere and append it again.`,
  );
}

/** Reads the whole pages around an entry from the medium, and passes exactly its bytes to `done`. */
export function readEntryDirect(
  volume: Volume,
  entry: Entry,
  done: (error: LogError | null, bytes: Uint8Array | null) => void,
): void {
  const start = Math.floor(entry.offset / PAGE_BYTES) * PAGE_BYTES;
  const inPage = entry.offset - start;
  const pages = new Uint8Array(alignPage(inPage + entry.bytes));
  volume.read(entry.segment.file, "medium", start, pages, (error) => {
    if (error !== null) done(readFailed(error), null);
    else done(null, pages.subarray(inPage, inPage + entry.bytes));
  });
}
