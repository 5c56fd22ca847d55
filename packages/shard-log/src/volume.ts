/** State shared by the parts of an open log: slots, index, marks, figures, and the only way to fail permanently. */
import assert from "node:assert/strict";
import { PageError, PageMemory } from "@stashlight/paged-memory";
import type { DiskDone, DiskFile } from "./disk.ts";
import { LogError, type LogErrorCode } from "./errors.ts";
import { type Identity, PAGE_BYTES } from "./format.ts";
import { encodeHeaderPage, type Marks } from "./header-page.ts";
import { frameSpace, type LogOptions } from "./options.ts";
import { RecordIndex, type RestingRecord } from "./record-index.ts";
import type { Entry, Segment } from "./segment.ts";
import { UnreadablePages } from "./unreadable-pages.ts";

export interface LogCounters {
  appendsTotal: number;
  purgesTotal: number;
  purgesOfUnknownTotal: number;
  framesTotal: number;
  bytesWrittenTotal: number;
  syncsTotal: number;
  recyclesTotal: number;
  recordsMovedTotal: number;
  /** Number of records newly found to fail their checksum, twice in a row. */
  recordsCorruptTotal: number;
  /** Number of corrupt records that were appended again, or read correctly after all. */
  recordsRepairedTotal: number;
  /** Number of reads that the device failed; they prove nothing about its content. */
  readErrorsTotal: number;
  refusals: Partial<Record<LogErrorCode, number>>;
}

export class Volume {
  readonly options: LogOptions;
  readonly identity: Identity;
  readonly marks: Marks;
  readonly segments: Segment[] = [];
  readonly byGeneration = new Map<number, Segment>();
  /** Free segments in the order of their generations, which is the order in which they are used. */
  readonly free: Segment[] = [];
  readonly memory: PageMemory;
  readonly index: RecordIndex;
  readonly unreadable: UnreadablePages;
  /** Records that a key refers to and that failed their checksum when they were last read. */
  readonly damaged = new Set<Entry>();
  /** Records with a smaller log sequence number are durable, unless they were read as corrupt. */
  durableLsn = 0;
  /** Generation of the last durable frame. */
  lastDurableGeneration = 0;
  /** Bytes of records that are live or whose death is not durable yet. */
  liveBytes = 0;
  poison: LogError | null = null;
  isClosed = false;
  /** True once nothing new is accepted, because the log is about to be closed (settling.ts). */
  isEnding = false;
  /** True while compaction and recycling wait until the state of the log has been saved. */
  isPaused = false;
  #pendingCount = 0;
  /** For each file with a sync in flight, the callers that wait for the next one. */
  readonly #syncing = new Map<DiskFile, (() => void)[]>();
  #onIdle: (() => void) | null = null;
  /** Callbacks that end the operations which an unreadable page of the index may interrupt. */
  readonly #interruptible = new Set<(error: LogError) => void>();
  /** Called once, when the volume is poisoned. */
  onPoison: (error: LogError) => void = () => {};
  /** Called once for each record that was found to be corrupt. */
  onCorrupt: (entry: Entry) => void = () => {};
  /** Called when compaction cannot read a record; repeatedly, as long as it cannot. */
  onUnreadable: (entry: Entry) => void = () => {};
  /** Called when a sealed segment has become recyclable. */
  onEmptied: () => void = () => {};
  /** Called when the death of some records has become durable. */
  onReleased: () => void = () => {};
  /** Called when a segment has been sealed. */
  onSealed: () => void = () => {};
  /** Called while the log ends or pauses, after each operation and its consequences. */
  onStepped: () => void = () => {};
  /** Rises with every change after which compaction may gain space. */
  changeCount = 0;
  readonly counters: LogCounters = {
    appendsTotal: 0,
    purgesTotal: 0,
    purgesOfUnknownTotal: 0,
    framesTotal: 0,
    bytesWrittenTotal: 0,
    syncsTotal: 0,
    recyclesTotal: 0,
    recordsMovedTotal: 0,
    recordsCorruptTotal: 0,
    recordsRepairedTotal: 0,
    readErrorsTotal: 0,
    refusals: {},
  };

  constructor(options: LogOptions, identity: Identity, marks: Marks) {
    this.options = options;
    this.identity = identity;
    this.unreadable = new UnreadablePages(options.unreadablePagesMax ?? 0);
    this.marks = marks;
    this.memory = options.memory ?? new PageMemory();
    this.index = new RecordIndex(this.segments, this.memory);
  }

  refuse(code: LogErrorCode, message: string): LogError {
    this.counters.refusals[code] = (this.counters.refusals[code] ?? 0) + 1;
    return new LogError(code, message);
  }

  /** Returns the reason why nothing may be written, or null. */
  refusalToWrite(): LogError | null {
    if (this.poison !== null) {
      return this.refuse("log_poisoned", `This log accepts no more writes: ${this.poison.message}`);
    }
    const isOver = this.isClosed || this.isEnding;
    return isOver ? this.refuse("log_closed", "This log is closed.") : null;
  }

  /** True once compaction and recycling start no more work. */
  get refusesWork(): boolean {
    return this.poison !== null || this.isClosed || this.isEnding || this.isPaused;
  }

  /**
   * Fails permanently. After a failed write or sync the kernel may count pages as clean that never reached the medium,
   * so no later success proves anything: nothing is written, synced, killed or recycled in this volume epoch again.
   */
  fail(doing: string, cause: Error): void {
    if (this.poison !== null) return;
    const error = new LogError("io_failed", `${doing} failed: ${cause.message}`, cause);
    this.poison = error;
    this.onPoison(error);
  }

  /** Runs a part of the log; an unreadable page of the index fails the log (`interrupted`). */
  guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.interrupted(error);
    }
  }

  /**
   * Fails permanently because of a page of the index that cannot be read, and ends all operations that it may have
   * interrupted: they may have left the index half changed. Throws any other error again.
   */
  interrupted(error: unknown): LogError {
    if (!(error instanceof PageError)) throw error;
    this.fail("Reading the index", error);
    const failed = this.poison as LogError;
    for (const end of [...this.#interruptible]) end(failed);
    return failed;
  }

  /** Returns `done` for an operation that may be interrupted: it is called once, and then with `nothing`. */
  interruptible<Answer>(
    done: (error: LogError | null, answer: Answer) => void,
    nothing: NoInfer<Answer>,
  ): (error: LogError | null, answer: Answer) => void {
    const end = (error: LogError): void => answer(error, nothing);
    const answer = (error: LogError | null, result: Answer): void => {
      if (this.#interruptible.delete(end)) done(error, result);
    };
    this.#interruptible.add(end);
    return answer;
  }

  write(file: DiskFile, offset: number, bytes: Uint8Array, done: () => void): void {
    assert(this.poison === null, "A poisoned log never writes.");
    this.counters.bytesWrittenTotal += bytes.length;
    this.#pendingCount++;
    file.write(offset, bytes, (error) => {
      this.#ended();
      if (error !== null) this.fail("A write", error);
      else if (this.poison === null && !this.isClosed) done();
      this.#stepped();
    });
  }

  /**
   * Allows one sync of a file at a time. If two overlap, the system reports a failure that concerns the pages of both
   * to only one, and the other one's success would prove nothing. Callers that arrive in between share the next one.
   */
  sync(file: DiskFile, done: () => void): void {
    assert(this.poison === null, "A poisoned log never syncs.");
    const waiting = this.#syncing.get(file);
    if (waiting === undefined) this.#startSync(file, [done]);
    else waiting.push(done);
  }

  /** Writes and syncs, in one call if the device has one. */
  writeDurably(file: DiskFile, offset: number, bytes: Uint8Array, done: () => void): void {
    const { writeDurably } = file;
    if (writeDurably === undefined || this.#syncing.has(file)) {
      this.write(file, offset, bytes, () => this.sync(file, done));
      return;
    }
    assert(this.poison === null, "A poisoned log never writes.");
    this.counters.bytesWrittenTotal += bytes.length;
    this.#occupy(file, [done], (ended) => writeDurably(offset, bytes, ended));
  }

  #startSync(file: DiskFile, dones: readonly (() => void)[]): void {
    this.#occupy(file, dones, (ended) => file.sync(ended));
  }

  #occupy(file: DiskFile, dones: readonly (() => void)[], start: (ended: DiskDone) => void): void {
    const waiting: (() => void)[] = [];
    this.#syncing.set(file, waiting);
    this.counters.syncsTotal++;
    this.#pendingCount++;
    start((error) => {
      this.#syncing.delete(file);
      this.#ended();
      if (error !== null) this.fail("A sync", error);
      if (this.poison === null && !this.isClosed && waiting.length > 0) this.#startSync(file, waiting);
      for (const done of dones) if (this.poison === null && !this.isClosed) done();
      this.#stepped();
    });
  }

  read(file: DiskFile, from: "cache" | "medium", offset: number, target: Uint8Array, done: DiskDone): void {
    this.#pendingCount++;
    const end: DiskDone = (error) => {
      if (error !== null) this.counters.readErrorsTotal++;
      try {
        done(error);
      } finally {
        this.#ended();
      }
      this.#stepped();
    };
    if (from === "cache") file.read(offset, target, end);
    else file.readDirect(offset, target, end);
  }

  /** Calls `done` once no operation is in flight; none may be started then. */
  whenIdle(done: () => void): void {
    this.#onIdle = done;
    this.#tellIdle();
  }

  /** True while an operation is in flight. */
  get isPending(): boolean {
    return this.#pendingCount > 0;
  }

  #stepped(): void {
    if (this.isEnding || this.isPaused) this.onStepped();
  }

  #ended(): void {
    this.#pendingCount--;
    if (this.isClosed) this.#tellIdle();
  }

  #tellIdle(): void {
    if (this.#pendingCount > 0) return;
    const done = this.#onIdle;
    this.#onIdle = null;
    done?.();
  }

  /** Writes one copy of a segment's header and syncs it. */
  writeHeader(
    segment: Segment,
    copy: "front" | "back",
    generation: number,
    checkpointOffset: number,
    done: () => void,
  ): void {
    const { segmentBytes, segmentCount, policy } = this.options;
    const { slot } = segment;
    const page = encodeHeaderPage(this.identity, {
      slot,
      generation,
      segmentBytes,
      segmentCount,
      policy,
      checkpointOffset,
      marks: this.marks,
    });
    this.write(segment.file, copy === "front" ? 0 : segmentBytes - PAGE_BYTES, page, () =>
      this.sync(segment.file, done),
    );
  }

  /** Adds the record that its key refers to from now on. */
  addEntry(entry: Entry): void {
    this.index.add(entry);
    this.#addLive(entry.segment, entry.bytes);
  }

  /** Adds a record that no key refers to, and whose kill waits for space. */
  addDying(entry: Entry): void {
    this.index.addDying(entry);
    this.#addLive(entry.segment, entry.bytes);
  }

  /**
   * Puts a record to rest unless something relies on its entry; one with older copies rests once their generations
   * are recycled. Records of a ring never rest, because they are purged soon.
   */
  rest(entry: Entry): void {
    if (this.options.policy === "ring" || entry.lsn >= this.durableLsn) return;
    const isIdle = entry.useCount === 0 && entry.previous === null;
    if (!isIdle || !entry.isReadable || entry.isBad || !entry.isMeant) return;
    const older = this.#segmentOfOlderCopy(entry);
    if (older === null) this.index.restAgain(entry);
    else if (entry.listedIn === null) {
      entry.listedIn = older;
      older.newerCopies.add(entry);
    }
  }

  #segmentOfOlderCopy({ olderCopies, generation }: Entry): Segment | null {
    for (const older of olderCopies) {
      const segment = older === generation ? undefined : this.byGeneration.get(older);
      if (segment !== undefined) return segment;
    }
    return null;
  }

  /** Starts another generation in a segment without records; newer copies of those that it held may then rest. */
  recycle(segment: Segment, generation: number): void {
    const { newerCopies } = segment;
    if (this.byGeneration.get(segment.generation) === segment) this.byGeneration.delete(segment.generation);
    segment.reset(generation);
    this.byGeneration.set(generation, segment);
    for (const entry of newerCopies) {
      entry.listedIn = null;
      this.rest(entry);
    }
  }

  /** Adds a recovered record; returns false if its key is already known. */
  addResting(record: RestingRecord): boolean {
    const isNew = this.index.rest(record);
    if (isNew) this.#addLive(record.segment, record.bytes);
    return isNew;
  }

  #addLive(segment: Segment, bytes: number): void {
    segment.liveCount++;
    segment.liveBytes += bytes;
    this.liveBytes += bytes;
    segment.keptBytes += bytes;
  }

  /** Marks a copy that compaction need no longer keep; it is released once its death is durable. */
  drop(entry: Entry): void {
    assert(entry.isKept, "A record is dropped once.");
    entry.isKept = false;
    this.damaged.delete(entry);
    entry.listedIn?.newerCopies.delete(entry);
    entry.segment.keptBytes -= entry.bytes;
    this.index.drop(entry);
  }

  /** Releases a copy whose death is durable. */
  release(entry: Entry): void {
    const { segment } = entry;
    assert.equal(segment.generation, entry.generation, "A segment with a live record was recycled.");
    segment.liveCount--;
    segment.liveBytes -= entry.bytes;
    this.liveBytes -= entry.bytes;
    assert(segment.liveCount >= 0, "A record is released once.");
    if (segment.liveCount === 0 && segment.state === "sealed") this.onEmptied();
  }

  isOnMedium(generation: number): boolean {
    return this.byGeneration.has(generation);
  }

  /** Returns the generations on the medium that may hold copies of the key that `entry` has. */
  copiesOf(entry: Entry): readonly number[] {
    if (entry.olderCopies.length === 0) return [entry.generation];
    const copies = new Set([...entry.olderCopies, entry.generation]);
    return [...copies].filter((generation) => this.isOnMedium(generation));
  }

  /** Bytes that frames can use in the whole volume. */
  capacityBytes(): number {
    return this.segments.length * frameSpace(this.options.segmentBytes);
  }
}
