/**
 * The log effects of the write path, carried out on a shard log: what a pod's or a stash device's state machine asks
 * for becomes records, syncs and purge lists, and what the log answers becomes events. One store stands for one boot
 * on one volume. The simulation runs this very code on a disk that fails.
 */
import type { LogError, LogErrorCode, OpenedLog, RecoveredRecord, ShardLog } from "@stashlight/shard-log";
import { keyOf } from "@stashlight/shard-log/image";
import type { LoggedShard, Outcome, Refusal, Shard, ShardHeader, UploadId } from "@stashlight/write-path";
import { NO_STATEMENT, Outcomes, StatementReader } from "./outcomes.ts";
import { type Position, Positions } from "./positions.ts";
import type { KeptRecord } from "./records.ts";
import * as records from "./records.ts";
import { SharedHeaders } from "./shared-headers.ts";

/** Where events go. No method is called before the call that it answers has returned. */
export interface StoreAnswers {
  appended(uploadId: UploadId, shardIndex: number, position: Position): void;
  appendFailed(uploadId: UploadId, shardIndex: number, reason: "full" | "failed" | "refused"): void;
  flushed(): void;
  flushFailed(): void;
  corrupt(uploadId: UploadId, shardIndex: number): void;
  loaded(loadId: number, shard: Shard | null): void;
  refusalPersisted(uploadId: UploadId): void;
  /** A stash device has crossed the share from which, or below which, uploads take the direct path. */
  occupancy(isFull: boolean): void;
}

/** Hears what is asked of the log and what the log claims, for whoever compares both with the medium. */
export interface StoreWitness {
  /** Returns a number that names this append of the key. */
  appended(key: string, shard: Shard | null): number;
  /** The log said that this append is durable. */
  claimed(key: string, append: number): void;
  killed(key: string, nextLsn: number): void;
  foundCorrupt(uploadId: UploadId, shardIndex: number): void;
}

export interface StoreOptions {
  /** With `keepRecord` of each record. */
  readonly opened: OpenedLog<KeptRecord>;
  /** `ring`: an append is answered when it is durable. `extents`: when it is written. */
  readonly policy: "ring" | "extents";
  readonly answers: StoreAnswers;
  /** Runs the action once the call under way has returned. */
  readonly defer: (action: () => void) => void;
  readonly after: (delayUs: number, action: () => void) => void;
  /** Shares of the volume at which a ring counts as full, and as having room again. */
  readonly fullAtShare: number;
  readonly relievedAtShare: number;
  readonly witness?: StoreWitness;
}

export interface Recovered {
  readonly shards: readonly LoggedShard<Position>[];
  readonly refusals: readonly Refusal[];
}

const RETRY_US = 50_000;

/** Of all stores of the process. */
const sharedHeaders = new SharedHeaders();

/** What a store needs of a record to begin a boot with; what the log is opened with. */
export function keepRecord(record: RecoveredRecord): KeptRecord {
  return records.keptOf(record, (shard) => sharedHeaders.uploadOf(shard, records.uploadOf));
}

export class ShardStore {
  readonly log: ShardLog;
  /** Without what the volume held, which is much and of no more use. */
  readonly #options: Omit<StoreOptions, "opened">;
  readonly #positions = new Positions();
  readonly #refusals = new Map<string, Refusal>();
  /** Found corrupt in this boot, and told again by each scrub until the node lets go. */
  readonly #corrupt = new Set<string>();
  readonly #hasCorruptRecords: boolean;
  /** Appended, and not covered by a flush yet; kept for the witness only. */
  #unflushed: { readonly key: string; readonly append: number }[] = [];
  readonly #outcomes = new Outcomes();
  #isFull = false;
  #isEnded = false;
  /** Calls of the log under way: what it answers meanwhile is passed on afterwards. */
  #callDepth = 0;

  /** Begins a boot on a log that has just been opened; `recovered` is what the volume held. */
  static start(options: StoreOptions): { store: ShardStore; recovered: Recovered } {
    const store = new ShardStore(options);
    return { store, recovered: store.#recover(options.opened) };
  }

  private constructor(options: StoreOptions) {
    const { opened, ...rest } = options;
    const { log, corruptRecords } = opened;
    this.#options = rest;
    this.log = log;
    this.#hasCorruptRecords = corruptRecords.length > 0;
    log.onPoisoned = () => {
      // The sync that failed may be one that nobody waits for, of a header or of compaction: a pod must not go on.
      if (options.policy === "extents") this.#answer((answers) => answers.flushFailed());
    };
    log.onCorrupt = ({ uploadId, shardIndex }) => this.#foundCorrupt(keyOf(uploadId, shardIndex));
    log.kill(corruptRecords);
  }

  #recover({ records: found, damage }: OpenedLog<KeptRecord>): Recovered {
    const shards: LoggedShard<Position>[] = [];
    const stated = [...found].find(records.isStatement);
    // A header that was lost had its copy.
    const isDamaged = damage.some(({ kind }) => kind !== "header_copy_lost") || this.#hasCorruptRecords;
    const isTrusted = stated !== undefined && !isDamaged;
    const statement = new StatementReader(isTrusted ? records.statementOf(stated) : NO_STATEMENT);
    found.forEach((kept, shardIndex, lsn, payloadCrc) => {
      if (records.isStatement(kept)) return;
      if (records.isRefusal(kept)) this.#refusals.set(records.keyOfRefusal(kept), kept);
      else {
        const shard = { upload: kept, shardIndex, payloadCrc };
        shards.push(this.#place(shard, lsn, statement.outcomeOf(kept.uploadId, lsn)));
      }
    });
    return { shards, refusals: [...this.#refusals.values()] };
  }

  #place(shard: ShardHeader, lsn: number, outcome: Outcome | null): LoggedShard<Position> {
    const { upload, shardIndex, payloadCrc } = shard;
    const { uploadId } = upload;
    if (this.#options.policy === "extents" && outcome !== "complete") {
      this.#outcomes.add(records.keyOfShard(shard), uploadId, lsn, outcome);
    }
    return { upload, shardIndex, payloadCrc, position: this.#positions.give(uploadId, shardIndex), outcome };
  }

  /** Nothing is answered any more; the log stays open for whoever closes it. */
  end(): void {
    this.#isEnded = true;
  }

  append(shard: Shard): void {
    const { uploadId } = shard.upload;
    const { shardIndex } = shard;
    const key = records.keyOfShard(shard);
    const record = records.recordOfShard(shard);
    this.#positions.reserve({ uploadId, shardIndex }, this.log.has(record));
    if (this.#options.policy === "extents") this.#outcomes.add(key, uploadId, this.log.nextLsn, null);
    const append = this.#options.witness?.appended(key, shard) ?? 0;
    this.#call((log) =>
      log.append(record, (error) => {
        if (this.#isEnded) return;
        if (error === null) this.#appended(key, append, shard);
        else {
          if (this.#positions.cancel({ uploadId, shardIndex })) this.#outcomes.remove(key);
          const reason = isForRoom(error) ? "full" : REFUSALS.has(error.code) ? "refused" : "failed";
          this.#isFull ||= reason === "full";
          this.#answer((answers) => answers.appendFailed(uploadId, shardIndex, reason));
        }
      }),
    );
  }

  #appended(key: string, append: number, { upload, shardIndex }: Shard): void {
    const position = this.#positions.give(upload.uploadId, shardIndex);
    const { witness, policy } = this.#options;
    if (policy === "ring") witness?.claimed(key, append);
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
        this.#answer((answers) => (error === null ? answers.flushed() : answers.flushFailed()));
      }),
    );
  }

  kill(position: Position): void {
    const name = this.#positions.release(position);
    if (name === null) return;
    const key = records.keyOfName(name);
    this.#outcomes.remove(key);
    this.#call((log) => {
      this.#options.witness?.killed(key, log.nextLsn);
      log.kill([records.idOfName(name)]);
    });
    this.#corrupt.delete(key);
  }

  /** The upload of this record has ended so. The next boot may know it; that it does is not sure. */
  remember(position: Position, outcome: Outcome): void {
    const name = this.#positions.nameOf(position);
    if (name !== null) this.#outcomes.note(records.keyOfName(name), outcome);
  }

  /** Writes what was to be remembered, to become durable with whatever else is flushed. To be called every so often. */
  writeOutcomes(): void {
    const { log } = this;
    const isWanted = this.#outcomes.hasNews && log.areKillsPlaced && log.stats().state === "open";
    if (!isWanted) return;
    this.#outcomes.hasNews = false;
    const statement = this.#outcomes.statement(log.nextLsn);
    this.#options.witness?.appended(records.OUTCOMES_KEY, null);
    log.append(records.recordOfStatement(statement), (error) => {
      if (error !== null) this.#outcomes.hasNews = true;
    });
  }

  load(loadId: number, position: Position): void {
    const name = this.#positions.nameOf(position);
    this.#call((log) => {
      if (name === null) this.#answer((answers) => answers.loaded(loadId, null));
      else {
        log.read(records.idOfName(name), (_error, record) => {
          const shard = record === null ? null : records.shardOf(record);
          this.#answer((answers) => answers.loaded(loadId, shard));
        });
      }
    });
  }

  persistRefusal(refusal: Refusal): void {
    const key = records.keyOfRefusal(refusal);
    this.#refusals.set(key, refusal);
    const append = this.#options.witness?.appended(key, null) ?? 0;
    const failed = () => this.#answer((answers) => answers.flushFailed());
    const flush = () =>
      this.log.flush((error) => {
        if (this.#isEnded) return;
        if (error === null) this.#options.witness?.claimed(key, append);
        if (error !== null) failed();
        else this.#answer((answers) => answers.refusalPersisted(refusal.uploadId));
      });
    this.#call((log) =>
      log.append(records.recordOfRefusal(refusal), (error) => {
        if (this.#isEnded) return;
        if (error === null) flush();
        else if (!isForRoom(error)) failed();
        else this.#options.after(RETRY_US, () => !this.#isEnded && this.persistRefusal(refusal));
      }),
    );
  }

  /** Tells of a ring that crossed its limits. To be called every so often. */
  checkOccupancy(): void {
    const { policy, fullAtShare, relievedAtShare } = this.#options;
    if (policy !== "ring") return;
    // Purges wait for the next record to be written with, which never comes while appends are refused.
    if (this.#isFull) this.log.flush(() => {});
    const { occupancy } = this.log.stats();
    const isFull = this.#isFull ? occupancy > relievedAtShare : occupancy >= fullAtShare;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    this.#answer((answers) => answers.occupancy(isFull));
  }

  /** Verifies about so many bytes of live records from the medium; what was found corrupt before is told again. */
  scrub(budgetBytes: number, done: () => void = () => {}): void {
    this.#call((log) => {
      for (const key of this.#corrupt) this.#foundCorrupt(key);
      log.scrub(budgetBytes, done);
    });
  }

  #foundCorrupt(key: string): void {
    const { uploadId, shardIndex } = records.shardNameOf(key);
    this.#options.witness?.foundCorrupt(uploadId, shardIndex);
    if (key === records.OUTCOMES_KEY) {
      this.#outcomes.hasNews = true;
      return;
    }
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined) {
      // The node keeps its promise in memory, and its medium gets it back.
      this.#options.defer(() => {
        if (!this.#isEnded) this.log.append(records.recordOfRefusal(refusal), () => {});
      });
      return;
    }
    this.#corrupt.add(key);
    // The log is in the middle of something, a compaction perhaps, and must not be asked to kill what it is moving.
    this.#options.defer(() => {
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

  #answer(action: (answers: StoreAnswers) => void): void {
    const answer = () => {
      if (!this.#isEnded) action(this.#options.answers);
    };
    if (this.#callDepth > 0) this.#options.defer(answer);
    else answer();
  }
}

/** The log goes on; it never takes this record. */
const REFUSALS: ReadonlySet<LogErrorCode> = new Set([
  "invalid_record",
  "record_too_large",
  "payload_mismatch",
]);

/** The log goes on; only this record has no place now. */
function isForRoom({ code }: LogError): boolean {
  return code === "log_full" || code === "log_busy";
}
