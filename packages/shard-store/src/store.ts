/**
 * Log effects of the write path, carried out on a shard log: requests of a pod's or a stash device's state machine
 * become records, syncs and purge lists, and the log's answers become events. One store represents one boot on one
 * volume. The simulation runs this very code on a disk that fails.
 */
import { PageMemory } from "@stashlight/paged-memory";
import {
  type LogError,
  type LogErrorCode,
  type LogRecord,
  type OpenedLog,
  type RecordId,
  type RecoveredRecord,
  recordBytes,
  type ScrubResult,
  type ShardLog,
} from "@stashlight/shard-log";
import { idOfKey, packRecordKey } from "@stashlight/shard-log/image";
import {
  FAULT_PASSES_WITHIN_MS,
  type Outcome,
  type Refusal,
  type Shard,
  type ShardRead,
  type SpaceClass,
  type UploadId,
  type VersionOrder,
} from "@stashlight/write-path";
import type { AppendFailure, PodAnswers, StoreAnswers, StoreWitness } from "./answers.ts";
import { CorruptRecords } from "./corrupt-records.ts";
import { FreeSpace, type Fullness, Occupancy, type OccupancyLimits } from "./fullness.ts";
import { type IndexMemory, unlimitedIndexMemory } from "./index-memory.ts";
import { Outcomes } from "./outcomes.ts";
import { type Position, Positions, type ShardName } from "./positions.ts";
import { Promises, type SavedPromises } from "./promises.ts";
import type { KeptRecord } from "./records.ts";
import * as records from "./records.ts";
import { recoverParts, type StoreParts } from "./recovered-shards.ts";
import {
  type RestoredShards,
  restoreParts,
  type SavedBoot,
  type SavedStore,
  saveParts,
} from "./saved-store.ts";
import { SharedHeaders } from "./shared-headers.ts";
import { SpaceQueue } from "./space-queue.ts";
import { writeStatement } from "./statements.ts";

export interface StoreOptions extends OccupancyLimits {
  /** Opened with `keepRecord` applied to each record. */
  readonly opened: OpenedLog<KeptRecord>;
  /**
   * A pod's log keeps extents and answers an append once it is written; a stash device's is a ring and answers once it
   * is durable.
   */
  readonly answers: StoreAnswers;
  /** Runs the action once the current call has returned. */
  readonly defer: (action: () => void) => void;
  readonly after: (delayUs: number, action: () => void) => void;
  readonly witness?: StoreWitness;
  /** Unlimited if omitted. A stash device does not use it. */
  readonly indexMemory?: IndexMemory;
  /** Memory of the positions, which serves one boot. Unlimited if omitted. */
  readonly memory?: PageMemory;
  /** Content of the volume if the log was continued from what was saved. */
  readonly saved?: Pick<SavedBoot, "store" | "pod"> | null;
}

export interface Recovered extends SavedPromises, RestoredShards {}

/** Corrupt records reported at a time. Each is an event for the machine, which usually knows the record already. */
export const CORRUPT_REPORTED_AT_A_TIME = 256;

/** Headers shared by all stores of the process. */
const sharedHeaders = new SharedHeaders();

/** Extracts the data of a record that a store needs to begin a boot; used to open the log. */
export function keepRecord(record: RecoveredRecord): KeptRecord {
  return records.toKeptRecord(record, (shard) => sharedHeaders.uploadOf(shard, records.toUploadHeader));
}

/** Frees the headers shared during startup, once no other boot needs them. */
export function forgetSharedHeaders(): void {
  sharedHeaders.forget();
}

export class ShardStore {
  readonly log: ShardLog;
  /** Omits the recovered contents of the volume, which are large and no longer needed. */
  readonly #options: Omit<StoreOptions, "opened" | "saved">;
  readonly #positions: Positions;
  /** Corrupt records, reported again in turn until each is appended again, read correctly or killed. */
  readonly #corrupt = new CorruptRecords(
    (action) => this.#options.after(FAULT_PASSES_WITHIN_MS * 1000, action),
    (keys) => {
      if (!this.#isEnded) this.log.confirmLosses(keys.map(idOfKey));
    },
  );
  /** Appends that no flush covers yet; kept only for the witness. */
  #unflushed: { readonly key: string; readonly append: number }[] = [];
  readonly #outcomes = new Outcomes();
  readonly #removals: SpaceQueue;
  readonly #promises: Promises;
  readonly #fullness: Fullness;
  readonly #indexMemory: IndexMemory;
  readonly #hidesRecords: boolean;
  #isEnded = false;
  /** Appends, promises and answers that the machine still waits for. */
  readonly #pending = { count: 0 };
  /** Number of calls of the log in progress. Answers during a call are delivered after it. */
  #callDepth = 0;

  /**
   * Begins a boot on a log that has just been opened; `recovered` is the content of the volume. `release` frees its
   * memory, once the machine has accepted the shards.
   */
  static start(options: StoreOptions): { store: ShardStore; recovered: Recovered; release: () => void } {
    const { opened } = options;
    const store = new ShardStore(options);
    const saved = opened.isResumed ? options.saved : null;
    const restored: RestoredShards = saved
      ? restoreParts(store.#parts, saved, opened)
      : { shards: recoverParts(store.#parts, opened, store.#isPod), displaced: [] };
    for (const id of opened.corruptRecords) store.#corrupt.add(keyOfId(id));
    return { store, recovered: { ...restored, ...store.#promises.save() }, release: releaseOf(opened) };
  }

  /** No closure may hold `opened`, which has the headers of all records. */
  private constructor({ opened, saved: _saved, ...options }: StoreOptions) {
    const { log } = opened;
    this.#hidesRecords = opened.unreadableSegmentCount + opened.suspectSegmentCount > 0;
    this.#options = options;
    this.#positions = new Positions(options.memory ?? new PageMemory());
    this.log = log;
    const waitingRoom = () =>
      new SpaceQueue(
        (delayUs, action) => options.after(delayUs, action),
        // Purges are written with the next record; a flush writes them now and makes their space available.
        () => log.flush(() => {}),
      );
    this.#removals = waitingRoom();
    this.#promises = new Promises({
      log,
      waitingRoom,
      witness: options.witness,
      pending: this.#pending,
      isEnded: () => this.#isEnded,
      call: (action) => this.#call(action),
      answer: (action) => this.#answerPod(action),
      isForRoom,
    });
    this.#indexMemory = (this.#isPod && options.indexMemory) || unlimitedIndexMemory;
    this.#fullness = this.#isPod
      ? new FreeSpace(log, (room) => this.#answerPod((answers) => answers.room(room)), this.#indexMemory)
      : new Occupancy(log, options, (isFull) => this.#tellOccupancy(isFull));
    log.onPoisoned = () => {
      // The failed sync may be one that no caller waits for, of a header or of compaction; a pod must stop even then.
      this.#answerPod((answers) => answers.flushFailed());
    };
    log.onCorrupt = (id) => this.#foundCorrupt(keyOfId(id));
    log.onUnreadable = (id) => this.#foundUnreadable(keyOfId(id));
  }

  get #isPod(): boolean {
    return this.#options.answers.machine === "pod";
  }

  get #parts(): StoreParts {
    return { positions: this.#positions, outcomes: this.#outcomes, promises: this.#promises };
  }

  /** True once the boot has ended. */
  get isEnded(): boolean {
    return this.#isEnded;
  }

  /** True if the machine has received the answers to all its requests; a flush may be in progress. */
  get isQuiet(): boolean {
    return this.#pending.count === 0 && !this.hasWaitingRecords;
  }

  /** True while removals or promises wait for space in the log. */
  get hasWaitingRecords(): boolean {
    return this.#removals.waitingCount + this.#promises.waitingCount > 0;
  }

  /** State for the next boot, or the reason why there is none. The store must be quiet. */
  save(): SavedStore | string {
    if (!this.isQuiet) return "its machine waits for the log";
    if (this.#hidesRecords) return "its log may hold more than was found";
    return saveParts(this.#parts);
  }

  /** Stops all answers; the log stays open for its owner to close. */
  end(): void {
    this.#isEnded = true;
    this.#removals.end();
    this.#promises.end();
  }

  append(shard: Shard, room: SpaceClass): void {
    const { uploadId } = shard.upload;
    const { shardIndex } = shard;
    const fail = (reason: AppendFailure) =>
      this.#answer((answers) => answers.appendFailed(uploadId, shardIndex, reason));
    const index = this.#indexMemory.spaceFor(room);
    this.#call((log) => {
      // A record that replaces one of the same key takes over its entry.
      if (index !== "free" && !log.has(records.idOfName({ uploadId, shardIndex }))) {
        this.#fullness.check();
        fail(index === "full" ? "full" : "busy");
      } else if (room === "removal") {
        this.#removals.submit(
          () => this.#append(shard, room, (reason) => reason !== "full" && reason !== "busy", fail),
          () => fail("full"),
        );
      } else this.#append(shard, room, () => true, fail);
    });
  }

  /** Returns false if the log has no space now, unless `isFinal` makes that refusal final. */
  #append(
    shard: Shard,
    room: SpaceClass,
    isFinal: (reason: AppendFailure) => boolean,
    fail: (reason: AppendFailure) => void,
  ): boolean {
    const { uploadId } = shard.upload;
    const { shardIndex } = shard;
    const key = records.keyOfShard(shard);
    const record = records.recordOfShard(shard);
    this.#positions.reserve({ uploadId, shardIndex }, this.log.has(record));
    if (this.#isPod) this.#outcomes.add(key, uploadId, this.log.nextLsn, null);
    const append = this.#options.witness?.appended(key, shard) ?? 0;
    let isTaken = true;
    this.#pending.count += 1;
    this.#call((log) =>
      log.append(
        record,
        (error) => {
          this.#pending.count -= 1;
          if (this.#isEnded) return;
          if (error === null) {
            this.#appended(key, append, shard);
            return;
          }
          if (this.#positions.cancel({ uploadId, shardIndex })) this.#outcomes.remove(key);
          // Only data is limited by the space left for data.
          const bytes = room === "data" ? recordBytes(record.meta.length, record.payload.length) : 1;
          const reason = this.#reasonOf(error, bytes);
          isTaken = isFinal(reason);
          if (isTaken) fail(reason);
        },
        room,
      ),
    );
    return isTaken;
  }

  #reasonOf(error: LogError, bytes: number): AppendFailure {
    if (isForRoom(error)) return this.#fullness.refused(error, bytes);
    return REFUSALS.has(error.code) ? "refused" : "failed";
  }

  #appended(key: string, append: number, { upload, shardIndex }: Shard): void {
    let position: Position;
    try {
      position = this.#positions.give(upload.uploadId, shardIndex);
    } catch (error) {
      this.log.interrupted(error);
      this.#answer((answers) => answers.appendFailed(upload.uploadId, shardIndex, "failed"));
      return;
    }
    // The new record has replaced the damaged one.
    this.#corrupt.delete(key);
    const { witness } = this.#options;
    if (!this.#isPod) witness?.claimed(key, append);
    else if (witness) this.#unflushed.push({ key, append });
    this.#answer((answers) => answers.appended(upload.uploadId, shardIndex, position));
  }

  flush(): void {
    const covered = this.#unflushed;
    this.#unflushed = [];
    this.#call((log) =>
      log.flush((error) => {
        if (this.#isEnded) return;
        if (error === null)
          for (const { key, append } of covered) this.#options.witness?.claimed(key, append);
        this.#answerPod((answers) => (error === null ? answers.flushed() : answers.flushFailed()));
      }),
    );
  }

  kill(position: Position): void {
    const name = this.#nameFrom(() => this.#positions.release(position));
    if (!name) return;
    const key = records.keyOfName(name);
    this.#outcomes.remove(key);
    this.#call((log) => {
      this.#options.witness?.killed(key, log.nextLsn);
      log.kill([records.idOfName(name)]);
    });
    this.#corrupt.delete(key);
  }

  /** Notes the outcome of this record's upload, which the next boot may or may not know. */
  remember(position: Position, outcome: Outcome): void {
    const name = this.#nameFrom(() => this.#positions.nameOf(position));
    if (name) this.#outcomes.note(records.keyOfName(name), outcome);
  }

  /**
   * Writes new outcomes, which the next flush makes durable. Must be called regularly. A log that may hold more records
   * than were found gets no statement, because it would cover those as well.
   */
  writeOutcomes(): void {
    if (this.#hidesRecords) return;
    const { witness } = this.#options;
    writeStatement(this.log, this.#outcomes, (key) => witness?.appended(key, null));
  }

  load(loadId: number, position: Position): void {
    const name = this.#nameFrom(() => this.#positions.nameOf(position));
    this.#call((log) => {
      if (!name) {
        const type = name === null ? "gone" : "unreadable";
        this.#answer((answers) => answers.loaded(loadId, { type }));
      } else {
        log.read(records.idOfName(name), (error, record) => {
          const read = shardRead(error, record);
          if (read.type === "shard") this.#corrupt.delete(records.keyOfName(name));
          this.#answer((answers) => answers.loaded(loadId, read));
        });
      }
    });
  }

  /** Returns undefined, and fails the log, if the page of a position cannot be read. */
  #nameFrom(access: () => ShardName | null): ShardName | null | undefined {
    try {
      return access();
    } catch (error) {
      this.log.interrupted(error);
      return undefined;
    }
  }

  persistRefusal(refusal: Refusal): void {
    this.#promises.persistRefusal(refusal);
  }

  forgetRefusal(uploadId: UploadId): void {
    this.#promises.forgetRefusal(uploadId);
  }

  persistHorizon(horizon: VersionOrder): void {
    this.#promises.persistHorizon(horizon);
  }

  /** Reports notable changes of the log's free space or occupancy. Must be called regularly. */
  checkFullness(): void {
    this.#fullness.check();
  }

  /** Reports some of the records known to be corrupt to the machine again. Must be called regularly. */
  reportCorrupt(): void {
    for (const key of this.#corrupt.nextKeys(CORRUPT_REPORTED_AT_A_TIME)) this.#foundCorrupt(key);
  }

  /**
   * Verifies roughly `budgetBytes` of live records; reports those that are corrupt, or that the device failed to read,
   * to the machine.
   */
  scrub(budgetBytes: number, done: (result: ScrubResult | null) => void = () => {}): void {
    this.#call((log) => {
      log.scrub(budgetBytes, (_error, result) => {
        for (const id of result?.unreadable ?? []) this.#foundUnreadable(keyOfId(id));
        done(result);
      });
    });
  }

  #foundUnreadable(key: string): void {
    if (this.#replaceFromMemory(key)) return;
    const { uploadId, shardIndex } = records.parseShardName(key);
    this.#options.defer(() => {
      if (!this.#isEnded) this.#options.answers.unreadable(uploadId, shardIndex);
    });
  }

  /** Appends a promise or a statement again from memory; returns false for a shard. */
  #replaceFromMemory(key: string): boolean {
    if (key === records.OUTCOMES_KEY) {
      this.#outcomes.hasNews = true;
      return true;
    }
    if (this.#promises.recordOf(key) === null) return false;
    this.#options.defer(() => {
      // The promise may be void by now.
      const record = this.#promises.recordOf(key);
      if (!this.#isEnded && record !== null) this.log.append(record, () => {});
    });
    return true;
  }

  #foundCorrupt(key: string): void {
    const { uploadId, shardIndex } = records.parseShardName(key);
    this.#options.witness?.foundCorrupt(uploadId, shardIndex);
    if (this.#replaceFromMemory(key)) return;
    this.#corrupt.add(key);
    // The log is in the middle of an operation, perhaps a compaction, and must not be asked to kill a record that it is
    // moving.
    this.#defer(() => {
      if (!this.#isEnded) this.#options.answers.corrupt(uploadId, shardIndex);
    });
  }

  #call(action: (log: ShardLog) => void): void {
    this.#callDepth += 1;
    try {
      action(this.log);
    } finally {
      this.#callDepth -= 1;
    }
  }

  #answerPod(action: (answers: PodAnswers) => void): void {
    this.#answer((answers) => {
      if (answers.machine === "pod") action(answers);
    });
  }

  #tellOccupancy(isFull: boolean): void {
    this.#answer((answers) => {
      if (answers.machine === "stash") answers.occupancy(isFull);
    });
  }

  #answer(action: (answers: StoreAnswers) => void): void {
    const answer = () => {
      if (!this.#isEnded) action(this.#options.answers);
    };
    if (this.#callDepth > 0) this.#defer(answer);
    else answer();
  }

  #defer(answer: () => void): void {
    this.#pending.count += 1;
    this.#options.defer(() => {
      this.#pending.count -= 1;
      answer();
    });
  }
}

/** The function holds nothing else from the opened log. */
const releaseOf =
  ({ records: found }: OpenedLog<KeptRecord>) =>
  () =>
    found.release();

const keyOfId = ({ uploadId, shardIndex }: RecordId): string => packRecordKey(uploadId, shardIndex);

/** A closed log gives no answer; a log without the record of a held position has lost it. */
function shardRead(error: LogError | null, record: LogRecord | null): ShardRead {
  if (record !== null) return { type: "shard", shard: records.toShard(record) };
  const isAnswer = error?.code === "record_corrupt" || error?.code === "not_found";
  return { type: isAnswer ? "corrupt" : "unreadable" };
}

/** Errors after which the log continues but never accepts this record. */
const REFUSALS: ReadonlySet<LogErrorCode> = new Set([
  "invalid_record",
  "record_too_large",
  "payload_mismatch",
]);

/** Returns true if the log continues and only lacks space for this record now. */
function isForRoom({ code }: LogError): boolean {
  return code === "log_full" || code === "log_busy";
}
