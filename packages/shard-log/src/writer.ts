/**
 * The writing half of a log: gives every record its place in the order of the calls, and collects records in an open
 * batch while another is being committed.
 */
import assert from "node:assert/strict";
import { Batch, BatchBuffer, purgeListBytes, systemRecord } from "./batch.ts";
import { type ChainEnd, Committer } from "./committer.ts";
import { enterDyingRecord, enterRecord, fits } from "./enter-record.ts";
import type { LogDone, LogError } from "./errors.ts";
import {
  alignPage,
  encodeRecord,
  FRAME_HEADER_BYTES,
  PAGE_BYTES,
  placeRecord,
  RECORD_HEADER_BYTES,
  type RecordFields,
  recordBytes,
} from "./format.ts";
import { raiseVersionOrder } from "./header-page.ts";
import { checkpointBytesMax, frameSpace, RESERVE_SEGMENTS } from "./options.ts";
import type { Purge } from "./purge-list.ts";
import { packRecordKey } from "./record-key.ts";
import { Directory, type Entry, type Segment, type WaitingKill } from "./segment.ts";
import { liveBytesMax, type SpaceClass } from "./space-limits.ts";
import type { Volume } from "./volume.ts";
import { WaitingKills } from "./waiting-kills.ts";

/** Position from which writing continues after recovery. */
export interface WriterStart {
  readonly segment: Segment | null;
  readonly offset: number;
  readonly chainEnd: ChainEnd;
}

/** Number of purges that fill most of a page. Fewer are not written alone unless a caller waits for them. */
const LAZY_PURGES_MAX = 72;
export class Writer {
  readonly #volume: Volume;
  /** Called when appends are close to the reserve. */
  onLowSpace: () => void = () => {};
  #segment: Segment | null;
  /** Position of the next batch; an open batch ends there at the latest once it is closed. */
  #cursor: number;
  #open: Batch | null = null;
  readonly #spare: BatchBuffer[] = [];
  readonly #committer: Committer;
  #placedSequence: number;
  readonly waitingKills = new WaitingKills();
  #isMoving = false;
  #isLow = false;
  readonly #proceed = (): void => {
    this.#committer.pump();
    this.#tellLowSpace();
  };

  constructor(volume: Volume, start: WriterStart) {
    this.#volume = volume;
    this.#segment = start.segment;
    this.#cursor = start.offset;
    this.#placedSequence = volume.marks.epochFirstSequence - 1;
    this.#committer = new Committer(volume, start.chainEnd, this.#spare, (bytesMin) => {
      if (this.#isOpenWanted(bytesMin)) this.#closeOpen();
    });
  }

  get durableSequence(): number {
    return this.#committer.durableSequence;
  }

  get chainEnd(): ChainEnd {
    return this.#committer.chainEnd;
  }

  /** Offset of the next frame in the active segment. */
  get cursor(): number {
    return this.#cursor;
  }

  get isWriting(): boolean {
    return this.#committer.isWriting;
  }

  /** True if everything that was placed is durable. */
  get isIdle(): boolean {
    return this.#open === null && this.#committer.isIdle;
  }

  get nextLsn(): number {
    return this.#open?.nextLsn ?? this.#volume.marks.nextLsn;
  }

  get activeSegment(): Segment | null {
    return this.#segment;
  }

  /** Bytes that appends may still use, excluding space for purges and compaction. */
  appendableBytes(): number {
    const { free, options } = this.#volume;
    if (free.length < RESERVE_SEGMENTS) return 0;
    return this.roomBytes() - RESERVE_SEGMENTS * frameSpace(options.segmentBytes);
  }

  /** Bytes that frames can still use in the active segment and the free ones. */
  roomBytes(): number {
    const { free, options } = this.#volume;
    return free.length * frameSpace(options.segmentBytes) + this.restBytes();
  }

  /** Bytes that frames can still use in the active segment. */
  restBytes(): number {
    if (this.#segment === null) return 0;
    const end = this.#volume.options.segmentBytes - PAGE_BYTES;
    return Math.max(0, end - (this.#open === null ? this.#cursor : this.#open.end));
  }

  /** Part of the rest that compaction can rely on: a checkpoint may be placed at the segment's end. */
  movableRestBytes(): number {
    if (this.#segment === null || this.#segment.directory === null) return this.restBytes();
    return Math.max(0, this.restBytes() - alignPage(checkpointBytesMax(this.#volume.options.segmentBytes)));
  }

  /** Appends a record that the log has checked. Returns null if it now waits for its commit. */
  append(fields: RecordFields, done: LogDone, room: SpaceClass): LogError | null {
    const volume = this.#volume;
    const bytes = recordBytes(fields.meta.length, fields.payload.length);
    if (this.#committer.waitingCount >= volume.options.batchesWaitingMax) {
      return volume.refuse("log_busy", "Too many batches wait for this device; try again later.");
    }
    const mayTake =
      volume.free.length >= RESERVE_SEGMENTS &&
      volume.liveBytes + bytes <= liveBytesMax(volume.options, room);
    const batch = mayTake
      ? this.#place(bytes, Directory.entryBytes(fields.meta.length), 0, RESERVE_SEGMENTS)
      : null;
    if (batch === null) {
      this.onLowSpace();
      return volume.refuse("log_full", "This device has no space for more records until some are purged.");
    }
    const key = packRecordKey(fields.uploadId, fields.shardIndex);
    const { previous } = enterRecord(volume, batch, key, bytes);
    if (previous?.isBad) volume.counters.recordsRepairedTotal++;
    const place = batch.nextPlace(volume.marks.volumeEpoch);
    batch.buffer.reserve(batch.length + bytes, batch.length);
    const { bytes: target, view } = batch.buffer;
    encodeRecord(volume.identity, target, view, batch.length, fields, place);
    batch.advance(RECORD_HEADER_BYTES + fields.meta.length, bytes);
    batch.commitDones.push(done);
    batch.isForOthers = true;
    raiseVersionOrder(volume.marks.versionOrder, fields.versionOrder);
    volume.counters.appendsTotal++;
    // From here on, a failure of the log calls `done`.
    volume.guard(this.#proceed);
    return null;
  }

  /**
   * Called when compaction begins or ends. While it uses the reserve, no other caller writes: it began because
   * everything it moves fits, and that must stay true.
   */
  setMoving(isMoving: boolean): void {
    this.#isMoving = isMoving;
    this.#closeOpen();
    if (!isMoving) this.placeKills();
  }

  /** Calls `done(null)` when everything that was moved is durable. */
  flushMoved(done: LogDone): void {
    this.#closeOpen();
    this.#committer.flush(this.#placedSequence, done);
  }

  /**
   * Appends another copy of a record, or the husk of a damaged one, whose bytes are complete; returns false if there is
   * no space. `record` is at most as long as the entry's own bytes.
   */
  move(entry: Entry, record: Uint8Array, metaBytes: number): boolean {
    const volume = this.#volume;
    assert(entry.isKept, "Only a record that has to be kept is moved.");
    assert(record.length <= entry.bytes, "A record does not grow when it is moved.");
    const bytes = record.length;
    const batch = this.#place(bytes, Directory.entryBytes(metaBytes), 0, 0);
    if (batch === null) return false;
    const { waitingKill } = entry;
    const moved =
      waitingKill === null
        ? enterRecord(volume, batch, entry.key, bytes)
        : enterDyingRecord(volume, batch, entry, waitingKill, bytes);
    moved.isBad = entry.isBad;
    moved.isLossConfirmed = entry.isLossConfirmed;
    if (moved.isBad && waitingKill === null) volume.damaged.add(moved);
    const place = batch.nextPlace(volume.marks.volumeEpoch);
    batch.buffer.reserve(batch.length + bytes, batch.length);
    const { bytes: target, view } = batch.buffer;
    target.set(record, batch.length);
    placeRecord(volume.identity, target, view, batch.length, metaBytes, place);
    batch.advance(RECORD_HEADER_BYTES + metaBytes, bytes);
    volume.counters.recordsMovedTotal++;
    return true;
  }

  /** Appends a purge of another segment again, which must survive that segment; returns false if there is no space. */
  movePurge(purge: Purge): boolean {
    const batch = this.#place(0, 0, 1, 0);
    if (batch === null) return false;
    batch.purges.push(purge);
    batch.segment.owe(purge.generation);
    return true;
  }

  /** Removes records from the index at once; their death becomes durable, and `done` is called, with a later batch. */
  kill(entries: readonly Entry[], done: LogDone | null): void {
    this.waitingKills.add(entries, this.nextLsn, done);
    for (const entry of entries) {
      this.#volume.index.forget(entry);
      this.#volume.damaged.delete(entry);
    }
    this.#volume.counters.purgesTotal += entries.length;
    this.#volume.changeCount++;
    this.placeKills();
  }

  /** Puts waiting purges into batches, as many as their reserve can hold. */
  placeKills(): void {
    const isReserved = this.#isMoving && this.#volume.free.length < RESERVE_SEGMENTS;
    if (!isReserved) this.waitingKills.place((kill) => this.#placeKill(kill));
    this.#committer.pump();
    this.#isLow ||= this.waitingKills.count > 0;
    this.#tellLowSpace();
  }

  #placeKill({ entry, belowLsn, done }: WaitingKill): boolean {
    const copies = this.#volume.copiesOf(entry);
    const batch = this.#place(0, 0, copies.length, 1);
    if (batch === null) return false;
    batch.isForOthers = true;
    for (const generation of copies) {
      batch.purges.push({ key: entry.key, belowLsn, generation });
      batch.segment.owe(generation);
    }
    this.#volume.drop(entry);
    batch.releases.push(entry);
    if (done !== null) batch.durableDones.push(done);
    return true;
  }

  /** Calls `done(null)` when everything appended before this call is durable, and every kill that had space. */
  flush(done: LogDone): void {
    const isOpenMeant = this.#open === null || this.#open.isForOthers;
    this.#committer.flush(isOpenMeant ? this.#placedSequence : this.#placedSequence - 1, done);
  }

  /** Writes purges that wait for the next frame, and an attesting frame if none yet attests the last ones. */
  attest(): void {
    if (this.#volume.free.length < RESERVE_SEGMENTS) return;
    if (this.#open === null && this.#committer.isAttested) return;
    const batch = this.#open ?? this.#place(0, 0, 1, RESERVE_SEGMENTS);
    if (batch === null) return;
    batch.isAttesting = true;
    batch.isForOthers = true;
    this.#committer.pump();
  }

  /** Ends the active segment, with a checkpoint if it is worth its space. */
  seal(done: LogDone): void {
    this.#closeOpen();
    const batch = this.#sealSegment();
    if (batch === null) this.flush(done);
    else {
      batch.commitDones.push(done);
      this.#committer.pump();
    }
  }

  /** Fails all waiting callers with this error; nothing is written afterwards. */
  fail(error: LogError): void {
    const open = this.#open;
    this.#open = null;
    this.#committer.fail(error, open);
    this.waitingKills.fail(error);
  }

  /** Returns true if the open batch should be written now instead of waiting for the next record. */
  #isOpenWanted(bytesMin: number): boolean {
    const open = this.#open;
    if (open === null || !open.isForOthers || open.length < bytesMin) return false;
    return (
      open.recordCount > 0 ||
      open.isAttesting ||
      open.durableDones.length > 0 ||
      open.purges.length >= LAZY_PURGES_MAX ||
      this.#committer.awaitedSequence >= open.sequence
    );
  }

  /**
   * Returns the batch that takes this number of further bytes, in this segment or the next; null if that would use the
   * reserve.
   */
  #place(bytes: number, directoryBytes: number, purges: number, keepFree: number): Batch | null {
    const open = this.#open;
    const { options } = this.#volume;
    if (
      open !== null &&
      fits(options, open.segment, open.offset, open.lengthWith(bytes, purges), directoryBytes)
    ) {
      return open;
    }
    const frameBytes = FRAME_HEADER_BYTES + bytes + purgeListBytes(purges);
    const cursor = open === null ? this.#cursor : open.end;
    if (this.#segment === null || !fits(options, this.#segment, cursor, frameBytes, directoryBytes)) {
      const { free } = this.#volume;
      if (free.length <= keepFree) {
        // Gives up the checkpoint of the last segment in the reserve for the space that it would take.
        if (keepFree > 0 || this.#segment === null || this.#segment.directory === null) return null;
        this.#segment.directory = null;
        return this.#place(bytes, 0, purges, 0);
      }
      this.#closeOpen();
      this.#sealSegment();
      this.#activate(free.shift() as Segment);
    }
    this.#closeOpen();
    const segment = this.#segment as Segment;
    const buffer = this.#spare.pop() ?? new BatchBuffer();
    this.#open = new Batch(segment, this.#cursor, ++this.#placedSequence, this.#volume.marks.nextLsn, buffer);
    return this.#open;
  }

  #activate(segment: Segment): void {
    assert.equal(segment.state, "free", "Only a free segment is activated.");
    segment.state = "active";
    segment.directory = new Directory();
    this.#segment = segment;
    this.#cursor = PAGE_BYTES;
    this.#isLow = this.#volume.free.length <= RESERVE_SEGMENTS;
  }

  /** Called once placing is done, because compaction places records too. */
  #tellLowSpace(): void {
    if (!this.#isLow) return;
    this.#isLow = false;
    this.onLowSpace();
  }

  #closeOpen(): void {
    const batch = this.#open;
    if (batch === null) return;
    batch.close(this.#volume.identity, this.#volume.marks.volumeEpoch);
    this.#open = null;
    this.#cursor = batch.end;
    this.#volume.marks.nextLsn = batch.nextLsn;
    this.#committer.enqueue(batch);
  }

  /** Queues the end of the active segment; returns null if there is none or nothing was ever placed in it. */
  #sealSegment(): Batch | null {
    const segment = this.#segment;
    if (segment === null || this.#cursor === PAGE_BYTES) return null;
    const { identity, marks } = this.#volume;
    const { directory } = segment;
    segment.directory = null;
    this.#segment = null;
    const hasCheckpoint = directory !== null && directory.length > 0;
    if (hasCheckpoint) this.#placedSequence++;
    const batch = new Batch(
      segment,
      this.#cursor,
      this.#placedSequence,
      this.#volume.marks.nextLsn,
      new BatchBuffer(),
    );
    batch.isSeal = true;
    if (hasCheckpoint) {
      const payload = directory.bytes.subarray(0, directory.length);
      const bytes = recordBytes(0, payload.length);
      batch.buffer.reserve(alignPage(batch.length + bytes), batch.length);
      const record = systemRecord("checkpoint", payload);
      const { bytes: target, view } = batch.buffer;
      encodeRecord(identity, target, view, batch.length, record, batch.nextPlace(marks.volumeEpoch));
      batch.advance(RECORD_HEADER_BYTES, bytes);
    }
    batch.close(identity, marks.volumeEpoch);
    const isInside = !hasCheckpoint || batch.end <= this.#volume.options.segmentBytes - PAGE_BYTES;
    assert(isInside, "Space is reserved for a checkpoint.");
    this.#volume.marks.nextLsn = batch.nextLsn;
    this.#committer.enqueue(batch);
    return batch;
  }
}
