/**
 * Commits closed batches in order: in a ring one write and one sync each, in extents one write each and one sync for
 * all earlier writes. Answers the waiting callers, and fails all of them at once if the disk fails.
 */
import assert from "node:assert/strict";
import type { Batch, BatchBuffer } from "./batch.ts";
import type { LogDone, LogError } from "./errors.ts";
import { alignPage, encodeFrameHeader } from "./format.ts";
import type { Segment } from "./segment.ts";
import type { Volume } from "./volume.ts";

/** The frame to which the next one is chained. */
export interface ChainEnd {
  readonly crc: number;
  readonly generation: number;
  readonly offset: number;
}

/**
 * Records that arrive in response to answers share one frame, unless their bytes occupy a device longer than an
 * additional frame would: then it writes the first while the processor encodes the others.
 */
const EARLY_BYTES_MIN = 262_144;

/** Larger buffers are rare enough to be allocated each time, and a process may have a log for each of twenty drives. */
const SPARE_BYTES_MAX = 1_048_576;

export class Committer {
  readonly #volume: Volume;
  /** Called when nothing is queued: moves the open batch to the queue if it has that many bytes and should not wait. */
  #takeOpen: (bytesMin: number) => void;
  readonly #spare: BatchBuffer[];
  readonly #queue: Batch[] = [];
  #inFlight: Batch | null = null;
  /** Minimum bytes of the records that share a frame, while answers bring further records. */
  #bytesMin = 0;
  #chainEnd: ChainEnd;
  #writtenSequence: number;
  #writtenSegment: Segment | null = null;
  #durableSequence: number;
  /** Durable sequence that the last written frame attests. */
  #attestedSequence: number;
  /** Sequence of the last frame whose loss would matter. */
  #missedSequence: number;
  #isSyncing = false;
  /** Batches that are written but not known to be durable, in order. */
  readonly #unsynced: Batch[] = [];
  readonly #flushes: { readonly sequence: number; readonly done: LogDone }[] = [];

  constructor(
    volume: Volume,
    chainEnd: ChainEnd,
    spare: BatchBuffer[],
    takeOpen: (bytesMin: number) => void,
  ) {
    this.#volume = volume;
    this.#takeOpen = takeOpen;
    this.#spare = spare;
    this.#chainEnd = chainEnd;
    this.#writtenSequence = volume.marks.epochFirstSequence - 1;
    this.#durableSequence = this.#writtenSequence;
    this.#attestedSequence = this.#writtenSequence;
    this.#missedSequence = this.#writtenSequence;
    volume.lastDurableGeneration = chainEnd.generation;
  }

  get durableSequence(): number {
    return this.#durableSequence;
  }

  /** Returns true if a frame attests everything that is durable and matters. */
  get isAttested(): boolean {
    return Math.min(this.#durableSequence, this.#missedSequence) <= this.#attestedSequence;
  }

  get chainEnd(): ChainEnd {
    return this.#chainEnd;
  }

  /** True while something is queued, in flight or waiting for a sync. */
  get isWriting(): boolean {
    const hasBatch = this.#inFlight !== null || this.#queue.length > 0;
    return hasBatch || this.#isSyncing || this.#flushes.length > 0;
  }

  /** True if everything that was queued is durable. */
  get isIdle(): boolean {
    return !this.isWriting && this.#unsynced.length === 0;
  }

  get waitingCount(): number {
    return this.#queue.length;
  }

  /** Highest sequence whose durability a caller awaits. */
  get awaitedSequence(): number {
    return this.#flushes.at(-1)?.sequence ?? 0;
  }

  enqueue(batch: Batch): void {
    this.#queue.push(batch);
  }

  /** Calls `done` when every frame up to `sequence` is durable. */
  flush(sequence: number, done: LogDone): void {
    if (sequence <= this.#durableSequence) {
      done(null);
      return;
    }
    this.#flushes.push({ sequence, done });
    this.pump();
    this.#pumpSync();
  }

  /** Starts the next write unless one is in flight. */
  pump(): void {
    if (this.#inFlight !== null || this.#volume.poison !== null) return;
    if (this.#queue.length === 0) this.#takeOpen(this.#bytesMin);
    const batch = this.#queue.shift();
    if (batch === undefined) return;
    this.#inFlight = batch;
    if (batch.recordCount === 0) this.#seal(batch);
    else this.#write(batch);
  }

  /** Answers all waiting callers with the error; the open batch is not in the queue. */
  fail(error: LogError, open: Batch | null): void {
    const batches = [...this.#unsynced, this.#inFlight, ...this.#queue, open];
    const dones = batches.flatMap((batch) =>
      batch === null ? [] : [...batch.commitDones.splice(0), ...batch.durableDones.splice(0)],
    );
    dones.push(...this.#flushes.splice(0).map((waiting) => waiting.done));
    this.#queue.length = 0;
    this.#unsynced.length = 0;
    for (const done of dones) done(error);
  }

  #write(batch: Batch): void {
    const volume = this.#volume;
    const { segment, offset, sequence } = batch;
    const crc = encodeFrameHeader(volume.identity, batch.buffer.bytes, {
      generation: segment.generation,
      offset,
      sequence,
      durableSequence: this.#durableSequence,
      volumeEpoch: volume.marks.volumeEpoch,
      epochFirstSequence: volume.marks.epochFirstSequence,
      firstLsn: batch.firstLsn,
      recordCount: batch.recordCount,
      bytes: batch.length,
      previousCrc: this.#chainEnd.crc,
      previousGeneration: this.#chainEnd.generation,
    });
    this.#chainEnd = { crc, generation: segment.generation, offset };
    this.#attestedSequence = this.#durableSequence;
    if (!batch.isBare) this.#missedSequence = sequence;
    assert(sequence > this.#writtenSequence, "Frames are written in the order of their sequence.");
    volume.counters.framesTotal++;
    volume.changeCount++;
    const bytes = batch.buffer.bytes.subarray(0, alignPage(batch.length));
    const committed = (): void => this.#committed(batch);
    if (volume.options.policy === "ring") volume.writeDurably(segment.file, offset, bytes, committed);
    else volume.write(segment.file, offset, bytes, committed);
  }

  #committed(batch: Batch): void {
    this.#writtenSequence = batch.sequence;
    this.#writtenSegment = batch.segment;
    for (const entry of batch.entries) entry.isReadable = true;
    if (!batch.isSeal && batch.buffer.bytes.length <= SPARE_BYTES_MAX) this.#spare.push(batch.buffer);
    this.#unsynced.push(batch);
    if (this.#volume.options.policy === "ring") this.#markDurable(batch.sequence);
    if (batch.isSeal) {
      this.#seal(batch);
      return;
    }
    this.#answer(batch);
  }

  /**
   * Everything in the segment must be durable before its header may name a checkpoint and before the next segment is
   * used.
   */
  #seal(batch: Batch): void {
    const volume = this.#volume;
    const { segment } = batch;
    const end = (): void => {
      segment.state = "sealed";
      volume.changeCount++;
      if (segment.liveCount === 0) volume.onEmptied();
      volume.onSealed();
      this.#answer(batch);
    };
    const nameCheckpoint = (): void => {
      // A caller that was answered may have met an unreadable page of the index.
      if (volume.poison !== null) return;
      if (batch.recordCount === 0) end();
      else volume.writeHeader(segment, "back", segment.generation, batch.offset, end);
    };
    if (volume.options.policy === "ring") nameCheckpoint();
    else {
      volume.sync(segment.file, () => {
        this.#markDurable(this.#writtenSequence);
        nameCheckpoint();
      });
    }
  }

  /** Answers callers; full batches are written while the answers bring more records. */
  #answer(batch: Batch): void {
    this.#inFlight = null;
    this.#bytesMin = Math.max(EARLY_BYTES_MIN, batch.length / 2);
    this.pump();
    for (const done of batch.commitDones.splice(0)) done(null);
    this.#bytesMin = 0;
    this.pump();
    this.#pumpSync();
  }

  #pumpSync(): void {
    const volume = this.#volume;
    const [first] = this.#flushes;
    if (volume.options.policy === "ring" || this.#isSyncing || volume.poison !== null) return;
    if (first === undefined || first.sequence > this.#writtenSequence) return;
    this.#isSyncing = true;
    const sequence = this.#writtenSequence;
    // Segments before this one were synced when they were sealed.
    volume.sync((this.#writtenSegment as Segment).file, () => {
      this.#isSyncing = false;
      this.#markDurable(sequence);
      this.#pumpSync();
    });
  }

  #markDurable(sequence: number): void {
    if (sequence <= this.#durableSequence) return;
    assert(sequence <= this.#writtenSequence, "Only what was written can be durable.");
    this.#durableSequence = sequence;
    this.#volume.marks.sequence = sequence;
    for (let batch = this.#unsynced[0]; batch !== undefined; batch = this.#unsynced[0]) {
      if (batch.sequence > sequence) break;
      // If the index fails in between, the callers of the batch are among the waiting callers.
      this.#settle(batch);
      this.#unsynced.shift();
    }
    for (let waiting = this.#flushes[0]; waiting !== undefined; waiting = this.#flushes[0]) {
      if (waiting.sequence > sequence) break;
      this.#flushes.shift();
      waiting.done(null);
    }
  }

  #settle(batch: Batch): void {
    const volume = this.#volume;
    for (const entry of batch.entries) entry.previous = null;
    for (const entry of batch.releases) volume.release(entry);
    volume.durableLsn = batch.nextLsn;
    const isInNextSegment = batch.segment.generation !== volume.lastDurableGeneration;
    volume.lastDurableGeneration = batch.segment.generation;
    for (const entry of batch.entries) volume.rest(entry);
    if (batch.releases.length > 0) volume.onReleased();
    if (isInNextSegment) volume.onEmptied();
    for (const done of batch.durableDones.splice(0)) done(null);
  }
}
