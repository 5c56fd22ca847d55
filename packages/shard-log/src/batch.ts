/** One frame while it is being filled: a reused buffer, its records, and the callers that wait for it. */
import assert from "node:assert/strict";
import type { LogDone } from "./errors.ts";
import {
  alignPage,
  alignRecord,
  dataView,
  encodeRecord,
  FRAME_HEADER_BYTES,
  type Identity,
  RECORD_HEADER_BYTES,
  type RecordFields,
  type RecordPlace,
  recordBytes,
} from "./format.ts";
import { encodePurges, PURGE_ENTRY_BYTES, type Purge } from "./purge-list.ts";
import type { Entry, Segment } from "./segment.ts";

const NOTHING = new Uint8Array(0);
const ZERO_ID = new Uint8Array(16);

/** A buffer with its view; it grows by doubling and is passed from batch to batch. */
export class BatchBuffer {
  bytes = new Uint8Array(16_384);
  view = dataView(this.bytes);

  reserve(bytes: number, keep: number): void {
    if (bytes <= this.bytes.length) return;
    let size = this.bytes.length;
    while (size < bytes) size *= 2;
    const larger = new Uint8Array(size);
    larger.set(this.bytes.subarray(0, keep));
    this.bytes = larger;
    this.view = dataView(larger);
  }
}

/** Bytes that a purge list of `count` purges takes in its frame. */
export const purgeListBytes = (count: number): number =>
  count === 0 ? 0 : alignRecord(RECORD_HEADER_BYTES + count * PURGE_ENTRY_BYTES);

export class Batch {
  readonly segment: Segment;
  readonly offset: number;
  readonly sequence: number;
  readonly firstLsn: number;
  readonly buffer: BatchBuffer;
  /** Bytes of header and records, excluding the purge list until the batch is closed. */
  length = FRAME_HEADER_BYTES;
  recordCount = 0;
  nextLsn: number;
  readonly entries: Entry[] = [];
  /** Called when this batch is committed: durable in a ring, written in extents. */
  readonly commitDones: LogDone[] = [];
  /** Called when this batch is durable. */
  readonly durableDones: LogDone[] = [];
  readonly purges: Purge[] = [];
  /** Copies that are dead once this batch is durable. */
  readonly releases: Entry[] = [];
  /** True if the segment ends with this batch. Without records, the batch is only that mark and no frame. */
  isSeal = false;
  /** True if the batch must be written even if it is empty, because its header attests the frames before it. */
  isAttesting = false;
  /**
   * True if a caller other than compaction has added something. Otherwise compaction decides when it is full enough.
   */
  isForOthers = false;

  constructor(segment: Segment, offset: number, sequence: number, firstLsn: number, buffer: BatchBuffer) {
    this.segment = segment;
    this.offset = offset;
    this.sequence = sequence;
    this.firstLsn = firstLsn;
    this.nextLsn = firstLsn;
    this.buffer = buffer;
  }

  /** Length of the frame with the waiting purges and this number of further bytes and purges. */
  lengthWith(recordBytes: number, purgeCount: number): number {
    return this.length + recordBytes + purgeListBytes(this.purges.length + purgeCount);
  }

  get end(): number {
    return this.offset + alignPage(this.lengthWith(0, 0));
  }

  /** Offset of the next record. */
  nextPlace(volumeEpoch: number): RecordPlace {
    return {
      lsn: this.nextLsn,
      generation: this.segment.generation,
      offset: this.offset + this.length,
      volumeEpoch,
    };
  }

  /** Accounts for a record of `bytes` that was written at the current end. */
  advance(headerAndMetaBytes: number, bytes: number): void {
    const at = this.length;
    this.segment.directory?.add(this.buffer.bytes.subarray(at, at + headerAndMetaBytes));
    this.length += bytes;
    this.recordCount++;
    this.nextLsn++;
  }

  /** True if it was closed with an empty purge list, so that only its header matters. */
  get isBare(): boolean {
    return this.entries.length === 0 && this.length === FRAME_HEADER_BYTES + recordBytes(0, 0);
  }

  /** Writes the waiting purges as the last record and zeroes the rest of the page; nothing is added afterwards. */
  close(identity: Identity, volumeEpoch: number): void {
    if (this.purges.length > 0 || (this.isAttesting && this.recordCount === 0)) {
      const payload = encodePurges(this.purges);
      const bytes = recordBytes(0, payload.length);
      this.buffer.reserve(alignPage(this.length + bytes), this.length);
      const { bytes: target, view } = this.buffer;
      const place = this.nextPlace(volumeEpoch);
      encodeRecord(identity, target, view, this.length, systemRecord("purgeList", payload), place);
      this.segment.purgeLists.push(place.offset);
      this.advance(RECORD_HEADER_BYTES, bytes);
      this.purges.length = 0;
    }
    const padded = alignPage(this.length);
    this.buffer.reserve(padded, this.length);
    this.buffer.bytes.fill(0, this.length, padded);
    assert(this.recordCount > 0 || this.isSeal, "An empty frame is never written.");
  }
}

export function systemRecord(type: "purgeList" | "checkpoint", payload: Uint8Array): RecordFields {
  return {
    type,
    uploadId: ZERO_ID,
    shardIndex: 0,
    k: 0,
    m: 0,
    versionOrder: ZERO_ID,
    placementEpoch: 0,
    meta: NOTHING,
    payload,
  };
}
