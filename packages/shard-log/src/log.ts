/** An open log: the entry point for all reads and writes. Every callback is called exactly once. */
import { Compactor } from "./compactor.ts";
import type { DiskFile } from "./disk.ts";
import type { LogDone, LogError } from "./errors.ts";
import { ID_BYTES, META_BYTES_MAX, type RecordFields } from "./format.ts";
import type { Marks } from "./header-page.ts";
import { RESERVE_SEGMENTS } from "./options.ts";
import { type ReadDone, readRecord } from "./read-record.ts";
import { idOfKey, packRecordKey, type RecordId } from "./record-key.ts";
import { Recycler } from "./recycler.ts";
import { type SavedLog, saveLog } from "./saved-log.ts";
import { Scrubber, type ScrubDone, type ScrubPosition } from "./scrub.ts";
import type { Entry } from "./segment.ts";
import { eachInTurn } from "./series.ts";
import { Settling } from "./settling.ts";
import { liveBytesMax, type SpaceClass } from "./space-limits.ts";
import type { LogCounters, Volume } from "./volume.ts";
import { Writer, type WriterStart } from "./writer.ts";

/**
 * Segments with less than this share of live bytes are worth compacting in the background. If garbage exceeds the
 * allowed share of the used bytes, so are fuller segments and the active one, so that deleted data becomes free space
 * before it is needed.
 */
const BACKGROUND_SHARE_MAX = 0.5;
const UNTIDY_SHARE_MAX = 0.85;
const GARBAGE_SHARE_ALLOWED = 0.15;
/** Reason why a log that has failed or is closed is not saved. */
const NO_MORE_WRITES = "its log accepts no more writes";

export interface RecordInput extends RecordFields {
  readonly type: "shard" | "tombstone";
  /** CRC-32C of the payload as its sender computed it; a payload that does not match is refused. */
  readonly payloadCrc?: number;
}

export interface LogStats {
  readonly state: "open" | "poisoned" | "closed";
  readonly recordsLive: number;
  /** Number of these records that are known to fail their checksum. */
  readonly recordsCorrupt: number;
  /** Number of records that are objects on the heap at present. */
  readonly recordsAwake: number;
  readonly segmentsTotal: number;
  readonly segmentsFree: number;
  readonly bytesTotal: number;
  /** Bytes of records that a key refers to or whose death is not durable yet. */
  readonly bytesLive: number;
  /** Bytes that appends may still use at present. */
  readonly bytesAppendable: number;
  /** Bytes of dead records, padding and checkpoints, which are freed when their segments are recycled or compacted. */
  readonly bytesGarbage: number;
  /** Share of the volume that appends cannot use: live, garbage, and the reserve for purges and compaction. */
  readonly occupancy: number;
  /** Bytes of frames that are not free yet, including dead records. */
  readonly bytesUsed: number;
  /** Maximum bytes that data may use, and the number still free: none if compaction cannot gain anything. */
  readonly dataBytesMax: number;
  readonly dataBytesFree: number;
  /** True if data has no space until compaction has freed some. */
  readonly isShort: boolean;
  readonly marks: Readonly<Marks>;
  readonly counters: Readonly<LogCounters>;
}

export class ShardLog {
  readonly #volume: Volume;
  readonly #writer: Writer;
  readonly #recycler: Recycler;
  readonly #compactor: Compactor;
  readonly #scrubber: Scrubber;
  readonly #files: readonly DiskFile[];
  /** True if compaction was at work when the log was paused. */
  #wasAtWork = false;
  #settling: Settling | null = null;
  /** Called once when a write or a sync has failed and the log accepts no more writes. */
  onPoisoned: (error: LogError) => void = () => {};
  /**
   * Called once for each live record that a read, a scrub or compaction finds to be corrupt. It stays in the log: fetch
   * the shard from elsewhere and append it again, which replaces it.
   */
  onCorrupt: (id: RecordId) => void = () => {};
  /**
   * Called when compaction cannot read a live record, again at each attempt. The record is skipped until it is read or
   * replaced.
   */
  onUnreadable: (id: RecordId) => void = () => {};

  /** Created by `openLog`. */
  constructor(volume: Volume, start: WriterStart, files: readonly DiskFile[]) {
    this.#volume = volume;
    this.#files = files;
    this.#writer = new Writer(volume, start);
    this.#recycler = new Recycler(volume);
    this.#compactor = new Compactor(volume, this.#writer, () => this.#recycler.pump());
    this.#scrubber = new Scrubber(volume);
    this.#writer.onLowSpace = () => this.#compactor.relieve();
    volume.onEmptied = () => this.#recycler.pump();
    volume.onReleased = () => this.#compactor.relieve();
    volume.onSealed = () => this.#compactor.relieve();
    this.#recycler.onRecycled = () => {
      this.#writer.placeKills();
      this.#compactor.relieve();
    };
    volume.onCorrupt = (entry) => {
      if (entry.isMeant) this.onCorrupt(idOfKey(entry.key));
    };
    volume.onUnreadable = (entry) => {
      if (entry.isMeant) this.onUnreadable(idOfKey(entry.key));
    };
    volume.onPoison = (error) => {
      this.#writer.fail(error);
      this.onPoisoned(error);
    };
    this.#recycler.pump();
    volume.guard(() => this.#compactor.relieve());
  }

  /**
   * Appends a record; its bytes are copied before the call returns. `done(null)` means durable in a ring, and written
   * in extents, where `flush` makes it durable. A refusal is reported before the call returns and changes nothing. A
   * record with the id of a live one replaces it. `room` determines the part of the reserve that it may use
   * (space-limits.ts).
   */
  append(record: RecordInput, done: LogDone, room: SpaceClass = "removal"): void {
    const refusal = this.#volume.refusalToWrite() ?? this.#checkRecord(record);
    const error = refusal ?? this.#append(record, done, room);
    if (error !== null) done(error);
  }

  /** Returns null if the record now waits for its commit. */
  #append(record: RecordInput, done: LogDone, room: SpaceClass): LogError | null {
    try {
      return this.#writer.append(record, done, room);
    } catch (error) {
      return this.#volume.interrupted(error);
    }
  }

  /** Calls `done(null)` when everything appended before this call is durable. */
  flush(done: LogDone): void {
    const refusal = this.#volume.refusalToWrite();
    if (refusal !== null) done(refusal);
    else this.#volume.guard(() => this.#writer.flush(done));
  }

  /**
   * Flushes, and records on the medium that the flushed frames were durable. Recovery mistakes rot among unattested
   * frames for a torn tail, so a log that may become idle should call this periodically; it writes nothing if
   * everything is attested.
   */
  attest(done: LogDone): void {
    const refusal = this.#volume.refusalToWrite();
    if (refusal !== null) {
      done(refusal);
      return;
    }
    this.#volume.guard(() => this.#writer.attest());
    this.flush(done);
  }

  /**
   * Drops records: they can no longer be read from now on, and do not come back after a restart once `done` is called.
   * Without `done` that happens with some later batch; until then a power cut may bring them back. Ids that the log
   * does not hold are counted and otherwise ignored.
   */
  kill(ids: readonly RecordId[], done: LogDone | null = null): void {
    const volume = this.#volume;
    const refusal = volume.refusalToWrite();
    if (refusal !== null) {
      done?.(refusal);
      return;
    }
    let entries: readonly Entry[];
    try {
      entries = this.#entriesOf(ids);
    } catch (error) {
      const failed = volume.interrupted(error);
      done?.(failed);
      return;
    }
    if (entries.length > 0) volume.guard(() => this.#writer.kill(entries, done));
    else done?.(null);
  }

  #entriesOf(ids: readonly RecordId[]): Entry[] {
    const { index, counters } = this.#volume;
    const entries = new Set<Entry>();
    for (const { uploadId, shardIndex } of ids) {
      const entry = index.get(packRecordKey(uploadId, shardIndex));
      if (entry === undefined) counters.purgesOfUnknownTotal++;
      else entries.add(entry);
    }
    return [...entries];
  }

  /** Reads and verifies the record with its payload; works on a poisoned log too. */
  read(id: RecordId, done: ReadDone): void {
    const volume = this.#volume;
    if (volume.isClosed) {
      done(volume.refuse("log_closed", "This log is closed."), null);
      return;
    }
    const answer = volume.interruptible(done, null);
    volume.guard(() => readRecord(volume, id, answer));
  }

  /** Returns the log sequence number of a record; null if the log does not hold it. */
  lsnOf({ uploadId, shardIndex }: RecordId): number | null {
    return this.#volume.index.look(packRecordKey(uploadId, shardIndex))?.lsn ?? null;
  }

  /** Records appended from here on have at least this log sequence number. */
  get nextLsn(): number {
    return this.#writer.nextLsn;
  }

  /**
   * Returns true if a restart that finds the next record also finds every kill. It may not while there is no space for
   * kills, or compaction is using the space.
   */
  get areKillsPlaced(): boolean {
    return this.#writer.waitingKills.count === 0;
  }

  /** Returns false, and fails the log, if the index cannot be read. */
  has({ uploadId, shardIndex }: RecordId): boolean {
    try {
      return this.#volume.index.has(packRecordKey(uploadId, shardIndex));
    } catch (error) {
      this.#volume.interrupted(error);
      return false;
    }
  }

  /**
   * Fails the log if this error is a page that cannot be read, for structures of its user in the same memory. Throws any
   * other error again.
   */
  interrupted(error: unknown): void {
    this.#volume.interrupted(error);
  }

  /**
   * Ends the active segment with a checkpoint, so that the next open need not scan it. If that would waste the rest of
   * the segment and the next one belongs to the reserve, it only flushes.
   */
  checkpoint(done: LogDone): void {
    const volume = this.#volume;
    const refusal = volume.refusalToWrite();
    if (refusal !== null) done(refusal);
    else if (volume.free.length > RESERVE_SEGMENTS) volume.guard(() => this.#writer.seal(done));
    else this.flush(done);
  }

  /** Empties the segment with the fewest live bytes, if that is worthwhile; reports whether there was one. */
  compact(done: (error: LogError | null, hasEmptied: boolean) => void): void {
    const volume = this.#volume;
    const refusal = volume.refusalToWrite();
    if (refusal !== null || volume.isPaused) {
      done(refusal, false);
      return;
    }
    const answer = volume.interruptible(done, false);
    const isUntidy = this.#isUntidy();
    const shareMax = isUntidy ? UNTIDY_SHARE_MAX : BACKGROUND_SHARE_MAX;
    volume.guard(() => this.#compactor.compact(shareMax, isUntidy, answer));
  }

  /** Verifies roughly `budgetBytes` of live records from the medium; the next call continues from there. */
  scrub(budgetBytes: number, done: ScrubDone): void {
    const volume = this.#volume;
    if (volume.isClosed) {
      done(volume.refuse("log_closed", "This log is closed."), null);
      return;
    }
    const answer = volume.interruptible(done, null);
    volume.guard(() => this.#scrubber.step(budgetBytes, answer));
  }

  /**
   * Confirms that the damage of these records is on the medium, because it has lasted longer than a transient fault.
   * Compaction may then free their space, and keeps a husk of each that names its upload.
   */
  confirmLosses(ids: readonly RecordId[]): void {
    const volume = this.#volume;
    volume.guard(() => {
      for (const { uploadId, shardIndex } of ids) {
        const entry = volume.index.look(packRecordKey(uploadId, shardIndex));
        if (entry?.isBad) entry.isLossConfirmed = true;
      }
    });
    volume.changeCount++;
  }

  /** Keys of the live records that are known to fail their checksum. */
  damagedKeys(): string[] {
    return [...this.#volume.damaged].map(({ key }) => key);
  }

  /** Reason why nothing is written any more; null while the log accepts writes. */
  get poison(): LogError | null {
    return this.#volume.poison;
  }

  get scrubPosition(): ScrubPosition {
    return this.#scrubber.position;
  }

  resumeScrub(position: ScrubPosition): void {
    this.#scrubber.resume(position);
  }

  stats(): LogStats {
    const volume = this.#volume;
    const { poison, isClosed, segments, free, marks, counters } = volume;
    const bytesTotal = volume.capacityBytes();
    const bytesLive = volume.liveBytes;
    const bytesUsed = bytesTotal - this.#writer.roomBytes();
    const dataBytesMax = liveBytesMax(volume.options, "data");
    const isShort = !this.#hasRoomForData();
    const isFull = isShort && !this.#mayGainSpace;
    const bytesAppendable = poison === null && !isClosed ? this.#writer.appendableBytes() : 0;
    const state = isClosed ? "closed" : poison === null ? "open" : "poisoned";
    return {
      state,
      recordsLive: volume.index.size,
      recordsAwake: volume.index.awakeCount,
      recordsCorrupt: volume.damaged.size,
      segmentsTotal: segments.length,
      segmentsFree: free.length,
      bytesTotal,
      bytesLive,
      bytesAppendable,
      bytesGarbage: Math.max(0, bytesUsed - bytesLive),
      occupancy: 1 - bytesAppendable / bytesTotal,
      bytesUsed,
      dataBytesMax,
      dataBytesFree: isFull ? 0 : Math.max(0, dataBytesMax - bytesLive),
      isShort,
      marks,
      counters,
    };
  }

  /**
   * Ends all writing before the log is closed. Passes the state for the next opening, which the pages of the index
   * complete, or why that opening has to read the log.
   */
  settle(done: (saved: SavedLog | string) => void): void {
    const volume = this.#volume;
    if (volume.poison !== null || volume.isClosed) {
      done(NO_MORE_WRITES);
      return;
    }
    volume.isEnding = true;
    this.#saveAtRest(done);
  }

  /** True while compaction or recycling is in progress. */
  get isTidying(): boolean {
    return this.#compactor.isBusy || this.#recycler.isBusy;
  }

  /** Stops compaction and recycling from starting work until `unpause`. */
  pause(): void {
    this.#wasAtWork = this.#compactor.isAtWork;
    this.#volume.isPaused = true;
  }

  get #mayGainSpace(): boolean {
    return this.#volume.isPaused ? this.#wasAtWork : this.#compactor.isAtWork;
  }

  /** True while the log is left alone so that its state can be saved. */
  get isPaused(): boolean {
    return this.#volume.isPaused;
  }

  /** Lets compaction and recycling begin again. Gives up a `save` for which the log has not come to rest. */
  unpause(): void {
    const volume = this.#volume;
    volume.isPaused = false;
    this.#settling?.giveUp();
    if (volume.refusesWork) return;
    volume.guard(() => {
      this.#recycler.pump();
      this.#writer.placeKills();
      this.#compactor.relieve();
    });
  }

  /**
   * Makes everything that a paused log has accepted durable. Passes its state for the next opening, which the pages of
   * the index complete as they are during this call, or the reason why there is none. Nothing may be appended or killed
   * meanwhile.
   */
  save(done: (saved: SavedLog | string) => void): void {
    const volume = this.#volume;
    const refusal = volume.refusalToWrite();
    if (refusal !== null) done(NO_MORE_WRITES);
    else if (this.isTidying) done("its log is compacted");
    else this.#saveAtRest(done);
  }

  #saveAtRest(done: (saved: SavedLog | string) => void): void {
    const volume = this.#volume;
    const answer = volume.interruptible<SavedLog | string>((_error, saved) => done(saved), NO_MORE_WRITES);
    const save = (refusal: string | null): void => {
      if (refusal === null) saveLog(volume, this.#writer, (saved) => answer(null, saved));
      else answer(null, refusal);
    };
    volume.guard(() => {
      this.#settling = new Settling(volume, this.#writer, () => this.isTidying, save);
    });
  }

  /** Keys and places of the live records in the order of the log, for comparisons. */
  *places(): Generator<Pick<Entry, "key" | "generation" | "offset" | "bytes" | "lsn" | "isBad">> {
    const { segments, index } = this.#volume;
    for (const segment of [...segments].sort((a, b) => a.generation - b.generation)) {
      for (let cell = 0; cell < segment.cells.count; cell++) {
        const entry = index.lookAt(segment, cell);
        if (entry !== null) yield entry;
      }
    }
  }

  /** Flushes unless poisoned, and closes the files; the error names the data that could not be made durable. */
  close(done: LogDone): void {
    const volume = this.#volume;
    if (volume.isClosed) {
      done(null);
      return;
    }
    const end = (error: LogError | null): void => {
      if (volume.isClosed) {
        done(error);
        return;
      }
      volume.isClosed = true;
      const closeFile = (file: DiskFile, next: (error: null) => void): void => file.close(() => next(null));
      volume.whenIdle(() => eachInTurn<DiskFile, never>(this.#files, closeFile, () => done(error)));
    };
    if (volume.poison === null) volume.guard(() => this.#writer.flush(end));
    else end(volume.poison);
  }

  #isUntidy(): boolean {
    const volume = this.#volume;
    const usedBytes = volume.capacityBytes() - this.#writer.roomBytes();
    return usedBytes - volume.liveBytes > GARBAGE_SHARE_ALLOWED * usedBytes;
  }

  /** Returns true if a record of the maximum size fits. */
  #hasRoomForData(): boolean {
    const { free, options } = this.#volume;
    return free.length > RESERVE_SEGMENTS || this.#writer.restBytes() >= options.recordBytesMax;
  }

  #checkRecord(record: RecordInput): LogError | null {
    const { uploadId, versionOrder, shardIndex, k, m, placementEpoch, meta, payload, type } = record;
    const isInteger = (value: number, most: number): boolean =>
      Number.isInteger(value) && value >= 0 && value <= most;
    const isRight =
      (type === "shard" || type === "tombstone") &&
      uploadId.length === ID_BYTES &&
      versionOrder.length === ID_BYTES &&
      isInteger(shardIndex, 65_535) &&
      isInteger(k, 255) &&
      isInteger(m, 255) &&
      isInteger(placementEpoch, Number.MAX_SAFE_INTEGER);
    if (!isRight) {
      return this.#volume.refuse(
        "invalid_record",
        "A record needs a type, ids of 16 bytes, a shard index below 65536, and k and m below 256.",
      );
    }
    const { recordBytesMax } = this.#volume.options;
    if (meta.length > META_BYTES_MAX || meta.length + payload.length > recordBytesMax) {
      return this.#volume.refuse(
        "record_too_large",
        `A record of ${meta.length + payload.length} bytes exceeds the ${recordBytesMax} that this log accepts.`,
      );
    }
    if (record.payloadCrc !== undefined && this.#volume.options.crc32c(payload) !== record.payloadCrc) {
      return this.#volume.refuse("payload_mismatch", "The payload does not match its checksum.");
    }
    return null;
  }
}
