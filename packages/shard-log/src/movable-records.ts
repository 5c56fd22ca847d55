/** Reads the items that compaction has to append again: records, the husks of damaged ones, and purge lists. */
import type { LogError } from "./errors.ts";
import { dataView, encodeRecord, RECORD_HEADER_BYTES, recordBytes } from "./format.ts";
import { decodePurges, type Purge } from "./purge-list.ts";
import { headerInPlace, readAgain, readFailed, verifyRecord } from "./read-record.ts";
import { decodeRecordHeader, type HeaderView } from "./record-header.ts";
import type { Entry, Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";

/** The bytes that represent a record in its new place: its own, or a husk. */
export interface MovableRecord {
  readonly bytes: Uint8Array;
  readonly metaBytes: number;
}

/** Null without an error for a record that need no longer be kept, or that cannot be moved because it is damaged. */
export type MovableDone = (error: LogError | null, movable: MovableRecord | null) => void;

const NOTHING = new Uint8Array(0);

export function readMovable(volume: Volume, entry: Entry, done: MovableDone): void {
  const bytes = new Uint8Array(entry.bytes);
  volume.read(entry.segment.file, "cache", entry.offset, bytes, (error) => {
    const refusal = volume.refusalToWrite();
    if (refusal !== null || !entry.isKept) done(refusal, null);
    else if (error !== null) done(readFailed(error), null);
    else {
      const record = verifyRecord(volume, entry, bytes);
      if (record === null) readDamaged(volume, entry, done);
      else done(null, { bytes, metaBytes: record.meta.length });
    }
  });
}

/** Reads from the medium: the copy in the page cache may be garbled while the medium is intact. */
function readDamaged(volume: Volume, entry: Entry, done: MovableDone): void {
  readAgain(volume, entry, (failed, record, bytes) => {
    const refusal = volume.refusalToWrite();
    if (refusal !== null || !entry.isKept) done(refusal, null);
    else if (failed !== null) done(failed, null);
    else if (record !== null) done(null, { bytes, metaBytes: record.meta.length });
    else {
      const header = entry.isLossConfirmed ? headerInPlace(volume, entry, bytes) : null;
      done(null, header && { bytes: makeHusk(volume, header), metaBytes: header.metaBytes });
    }
  });
}

/** Passes the purges of the list at `offset` to `done`, null if its checksum fails, or an error if it is unreadable. */
export function readPurgeList(
  volume: Volume,
  segment: Segment,
  offset: number,
  done: (error: LogError | null, purges: Purge[] | null) => void,
): void {
  const head = new Uint8Array(RECORD_HEADER_BYTES);
  volume.read(segment.file, "cache", offset, head, (error) => {
    if (error !== null) {
      done(readFailed(error), null);
      return;
    }
    const header = decodeRecordHeader(volume.identity, head, dataView(head), 0, head.length);
    const isRight =
      header !== null &&
      header.type === "purgeList" &&
      header.generation === segment.generation &&
      header.offset === offset &&
      offset + header.payloadBytes <= volume.options.segmentBytes;
    if (!isRight) {
      done(null, null);
      return;
    }
    const payload = new Uint8Array(header.payloadBytes);
    volume.read(segment.file, "cache", offset + RECORD_HEADER_BYTES, payload, (failed) => {
      const isWhole = failed === null && volume.identity.crc32c(payload) === header.payloadCrc;
      done(failed === null ? null : readFailed(failed), isWhole ? decodePurges(payload) : null);
    });
  });
}

/** Creates the husk of a record whose payload is lost, or a copy of an existing husk. */
function makeHusk({ identity }: Volume, header: HeaderView): Uint8Array {
  const { uploadId, shardIndex, k, m, versionOrder, placementEpoch, payloadCrc, meta } = header;
  const names = { uploadId, shardIndex, k, m, versionOrder, placementEpoch, payloadCrc, meta };
  const bytes = new Uint8Array(recordBytes(meta.length, 0));
  const { generation, offset, lsn, volumeEpoch } = header;
  const place = { generation, offset, lsn, volumeEpoch };
  encodeRecord(identity, bytes, dataView(bytes), 0, { ...names, type: "husk", payload: NOTHING }, place);
  return bytes;
}
