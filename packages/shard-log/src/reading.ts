/** Reads of single records. Nothing leaves here that its own checksums and its own place do not vouch for. */
import assert from "node:assert/strict";
import { LogError } from "./errors.ts";
import { alignPage, PAGE_BYTES, type RecordHeader, recordBytes, viewOf } from "./format.ts";
import { decodeRecordHeader, type HeaderView } from "./record-header.ts";
import { keyOf, keyOfHeader, type RecordId } from "./record-key.ts";
import type { Entry } from "./segment.ts";
import type { Volume } from "./volume.ts";

export interface LogRecord extends RecordHeader {
  readonly payload: Uint8Array;
}

export type ReadDone = (error: LogError | null, record: LogRecord | null) => void;

/** The record at the start of `bytes` if it is the one `entry` means, whole and right; null otherwise. */
export function verifyRecord(volume: Volume, entry: Entry, bytes: Uint8Array): LogRecord | null {
  const { identity } = volume;
  const header = decodeRecordHeader(identity, bytes, viewOf(bytes), 0, bytes.length);
  if (header === null || header.key !== entry.key) return null;
  if (header.generation !== entry.generation || header.offset !== entry.offset) return null;
  if (header.lsn !== entry.lsn) return null;
  if (recordBytes(header.metaBytes, header.payloadBytes) !== entry.bytes) return null;
  const start = 96 + header.metaBytes;
  const payload = bytes.subarray(start, start + header.payloadBytes);
  return identity.crc32c(payload) === header.payloadCrc ? recordOf(header, payload) : null;
}

function recordOf(header: HeaderView, payload: Uint8Array): LogRecord {
  const { type, lsn, generation, offset, volumeEpoch, uploadId, shardIndex, k, m } = header;
  const { versionOrder, placementEpoch, meta, payloadBytes, payloadCrc } = header;
  const place = { lsn, generation, offset, volumeEpoch };
  const fields = { type, uploadId, shardIndex, k, m, versionOrder, placementEpoch, meta };
  return { ...place, ...fields, payloadBytes, payloadCrc, payload };
}

/** The newest copy of a record that can be read: the one before it while that is still being written. */
function readableEntry(volume: Volume, key: string): Entry | null {
  let entry = volume.index.get(key) ?? null;
  while (entry !== null && !entry.isReadable) entry = entry.previous;
  return entry;
}

export function readRecord(volume: Volume, id: RecordId, done: ReadDone): void {
  const key = keyOf(id.uploadId, id.shardIndex);
  const entry = readableEntry(volume, key);
  if (entry === null) {
    done(volume.refuse("not_found", "This log has no such record."), null);
    return;
  }
  if (entry.isBad) {
    done(corrupt(entry), null);
    return;
  }
  // A read fills it or fails, so it need not be zeroed first.
  const bytes = new Uint8Array(Buffer.allocUnsafeSlow(entry.bytes).buffer);
  volume.read(entry.segment.file, "cache", entry.offset, bytes, (error) => {
    if (error !== null) {
      done(new LogError("io_failed", `A read failed: ${error.message}`, error), null);
      return;
    }
    const record = verifyRecord(volume, entry, bytes);
    if (record !== null) {
      assert.equal(keyOfHeader(record), key, "A read answers with the record that was asked for.");
      done(null, record);
    } else if (readableEntry(volume, key) !== entry) {
      // It was moved or purged, and its segment recycled, while we read.
      readRecord(volume, id, done);
    } else {
      markBad(volume, entry);
      done(corrupt(entry), null);
    }
  });
}

export function markBad(volume: Volume, entry: Entry): void {
  if (entry.isBad) return;
  entry.isBad = true;
  volume.counters.recordsCorruptTotal++;
  volume.onCorrupt(entry);
}

function corrupt(entry: Entry): LogError {
  return new LogError(
    "record_corrupt",
    `The record at offset ${entry.offset} of generation ${entry.generation} fails its checksum; fetch the shard from elsewhere and append it again.`,
  );
}

/** Reads the whole pages around an entry from the medium and hands over exactly its bytes. */
export function readEntryDirect(
  volume: Volume,
  entry: Entry,
  done: (error: LogError | null, bytes: Uint8Array | null) => void,
): void {
  const start = Math.floor(entry.offset / PAGE_BYTES) * PAGE_BYTES;
  const inPage = entry.offset - start;
  const pages = new Uint8Array(alignPage(inPage + entry.bytes));
  volume.read(entry.segment.file, "medium", start, pages, (error) => {
    if (error !== null)
      done(new LogError("io_failed", `A direct read failed: ${error.message}`, error), null);
    else done(null, pages.subarray(inPage, inPage + entry.bytes));
  });
}
