/**
 * A medium at the grain of bytes: the shard log that production runs, on a disk that fails as real ones do. Pods keep
 * extents, stash devices a ring. The oracle is told by log-medium-truth.ts, from the image of the media; nothing that
 * the log answers goes there, except as a claim to be checked.
 */
import type { LogError, OpenedLog, RecordHeader, ShardLog } from "@stashlight/shard-log";
import { idOfKey, keyOf, keyOfHeader } from "@stashlight/shard-log/image";
import type { LoggedShard, Refusal, Shard, UploadId } from "@stashlight/write-path";
import { drawGeometry, type Geometry, LogDrive } from "./log-medium-drive.ts";
import { Positions } from "./log-medium-positions.ts";
import * as records from "./log-medium-records.ts";
import { LogTruth } from "./log-medium-truth.ts";
import { Upkeep } from "./log-medium-upkeep.ts";
import type { Medium, MediumAnswers, Position, Recovered } from "./medium.ts";
import type { RecordMediumOptions } from "./record-medium.ts";

const RETRY_US = 50_000;
/** A ring that was full takes appends again below this share. */
const OCCUPANCY_OF_RELIEF = 0.7;

export class LogMedium implements Medium {
  readonly #options: RecordMediumOptions;
  readonly #geometry: Geometry;
  readonly #truth: LogTruth;
  readonly #upkeep: Upkeep;
  #driveCount = 0;
  #drive: LogDrive;
  #log: ShardLog | null = null;
  #answers: MediumAnswers | null = null;
  #boot = 0;
  /** Calls of the log under way: what it answers meanwhile is passed on afterwards. */
  #callDepth = 0;
  readonly #positions = new Positions();
  readonly #refusals = new Map<string, Refusal>();
  /** Found corrupt in this boot, and told again by each scrub until the node lets go. */
  readonly #corrupt = new Set<string>();
  /** Appended, and not covered by a flush yet. */
  #unflushed: { readonly key: string; readonly append: number }[] = [];
  #isHeldFull = false;
  #wasFull = false;
  #slowFactor = 1;
  #isLying = false;

  constructor(options: RecordMediumOptions) {
    const { random, counters, isGroupCommit, witness } = options;
    this.#options = options;
    this.#geometry = drawGeometry(random, isGroupCommit);
    this.#upkeep = new Upkeep(random, counters);
    this.#truth = new LogTruth(witness);
    this.#drive = this.#newDrive();
  }

  get durableCount(): number {
    return this.#truth.durableKeys.length;
  }

  // What the node asks for

  append(shard: Shard): void {
    const { uploadId } = shard.upload;
    const { shardIndex } = shard;
    const key = records.keyOfShard(shard);
    if (this.#isHeldFull) {
      this.#later(1, (answers) => answers.appendFailed(uploadId, shardIndex, "full"));
      return;
    }
    this.#call((log, isOver) => {
      this.#positions.reserve(key);
      const append = this.#truth.appended(key, shard);
      log.append(records.recordOfShard(shard), (error) => {
        if (isOver()) return;
        if (error === null) this.#appended(key, append, shard);
        else {
          this.#positions.cancel(key);
          const reason = isForRoom(error) ? "full" : "failed";
          this.#wasFull ||= reason === "full";
          this.#answer((answers) => answers.appendFailed(uploadId, shardIndex, reason));
        }
      });
      this.#upkeep.appended(log);
    });
  }

  #appended(key: string, append: number, { upload, shardIndex }: Shard): void {
    const position = this.#positions.give(key);
    if (this.#options.isGroupCommit) this.#truth.claimed(key, append);
    else this.#unflushed.push({ key, append });
    this.#answer((answers) => answers.appended(upload.uploadId, shardIndex, position));
  }

  flush(): void {
    const covered = this.#unflushed;
    this.#unflushed = [];
    this.#call((log, isOver) =>
      log.flush((error) => {
        if (isOver()) return;
        if (error === null) for (const { key, append } of covered) this.#truth.claimed(key, append);
        this.#answer((answers) => (error === null ? answers.flushed() : answers.flushFailed()));
      }),
    );
  }

  kill(_uploadId: UploadId, _shardIndex: number, position: Position): void {
    const key = this.#positions.release(position);
    if (key === null) return;
    this.#call((log) => {
      this.#truth.killed(key, log.nextLsn);
      log.kill([idOfKey(key)]);
      this.#corrupt.delete(key);
      this.#tellRelief(log);
    });
  }

  #tellRelief(log: ShardLog): void {
    if (!this.#wasFull || !this.#options.isGroupCommit || log.stats().occupancy > OCCUPANCY_OF_RELIEF) return;
    this.#wasFull = false;
    this.#options.counters.add("full log relieved");
    if (!this.#isHeldFull) this.#answer((answers) => answers.occupancy(false));
  }

  load(loadId: number, position: Position): void {
    const key = this.#positions.keyOf(position);
    if (key === null) {
      this.#later(1, (answers) => answers.loaded(loadId, null));
      return;
    }
    this.#call((log, isOver) =>
      log.read(idOfKey(key), (error, record) => {
        if (isOver()) return;
        if (error !== null) this.#options.counters.add(`log read: ${error.code}`);
        const shard = record === null ? null : records.shardOf(record);
        this.#answer((answers) => answers.loaded(loadId, shard));
      }),
    );
  }

  persistRefusal(refusal: Refusal): void {
    const key = records.keyOfRefusal(refusal);
    this.#refusals.set(key, refusal);
    this.#call((log, isOver) => {
      const failed = () => this.#answer((answers) => answers.flushFailed());
      const append = this.#truth.appended(key, null);
      log.append(records.recordOfRefusal(refusal), (error) => {
        if (isOver()) return;
        if (error !== null && isForRoom(error)) this.#later(RETRY_US, () => this.persistRefusal(refusal));
        else if (error !== null) failed();
        else {
          log.flush((unflushed) => {
            if (isOver()) return;
            if (unflushed !== null) failed();
            else {
              this.#truth.claimed(key, append);
              this.#answer((answers) => answers.refusalPersisted(refusal.uploadId));
            }
          });
        }
      });
    });
  }

  // Starting

  recover(answers: MediumAnswers, done: (recovered: Recovered) => void): void {
    this.#answers = answers;
    this.#drive.disk.reopen();
    this.#open(done);
  }

  #open(done: (recovered: Recovered) => void): void {
    const boot = this.#boot;
    this.#drive.open((error, opened) => {
      if (boot !== this.#boot) return;
      if (opened !== null) this.#opened(opened, done);
      else this.#failedToOpen(error as LogError, () => this.#open(done));
    });
  }

  /** After an error of the device the process would start again; anything else means that the volume is gone. */
  #failedToOpen(error: LogError, again: () => void): void {
    const { counters, witness } = this.#options;
    counters.add(`log did not open: ${error.code}`);
    if (error.code !== "io_failed") {
      if (!this.#truth.isSuspect)
        witness.violated("S2", `A sound medium's log did not open: ${error.message}`);
      this.#changeDrive();
    }
    this.#later(RETRY_US, again);
  }

  #opened(
    { log, records: found, corruptRecords, damage }: OpenedLog,
    done: (recovered: Recovered) => void,
  ): void {
    const { counters, witness } = this.#options;
    for (const { kind } of damage) {
      counters.add(`log damage: ${kind}`);
      // A cut may leave one copy of a header torn while it is being written.
      if (kind === "header_copy_lost" || this.#truth.isSuspect) continue;
      witness.violated("S2", `A sound medium's log reports damage: ${kind}.`);
    }
    this.#log = log;
    log.onPoisoned = () => {
      counters.add("log poisoned");
      // The sync that failed may be one that nobody waits for, of a header or of compaction: a pod must not go on.
      if (!this.#options.isGroupCommit) this.#answer((answers) => answers.flushFailed());
    };
    log.onCorrupt = ({ uploadId, shardIndex }) => this.#foundCorrupt(keyOf(uploadId, shardIndex));
    this.#truth.recovered(found);
    log.kill(corruptRecords);
    for (const record of found) {
      const refusal = records.refusalOf(record);
      if (refusal !== null) this.#refusals.set(keyOfHeader(record), refusal);
    }
    done({ shards: found.flatMap((record) => this.#place(record)), refusals: [...this.#refusals.values()] });
  }

  #place(record: RecordHeader): LoggedShard<Position>[] {
    if (records.refusalOf(record) !== null) return [];
    const key = keyOfHeader(record);
    this.#positions.reserve(key);
    const { shardIndex, payloadCrc } = record;
    const position = this.#positions.give(key);
    return [{ upload: records.uploadOf(record), shardIndex, payloadCrc, position }];
  }

  // Faults

  crash(): void {
    this.#end();
    this.#drive.disk.processCrash();
  }

  powerCut(): void {
    this.#end();
    this.#drive.disk.powerCut();
    // A file whose creation was lied about may be gone without a page of it having changed.
    if (this.#truth.isSuspect) this.#drive.image.refresh();
  }

  #end(): void {
    const recycledCount = this.#log?.stats().counters.recyclesTotal ?? 0;
    if (recycledCount > 0) this.#options.counters.add("log segment recycled", recycledCount);
    this.#boot += 1;
    this.#answers = null;
    this.#log = null;
    this.#positions.clear();
    this.#refusals.clear();
    this.#corrupt.clear();
    this.#unflushed = [];
    this.#wasFull = false;
  }

  replace(): void {
    this.#end();
    this.#changeDrive();
  }

  #changeDrive(): void {
    this.#drive.release();
    this.#truth.lostAll();
    this.#drive = this.#newDrive();
  }

  #newDrive(): LogDrive {
    const { witness, counters } = this.#options;
    this.#driveCount += 1;
    const drive = new LogDrive(this.#options, this.#geometry, this.#driveCount, (key) =>
      this.#truth.judge(key),
    );
    this.#truth.image = drive.image;
    this.#truth.isSuspect = this.#isLying;
    const { disk } = drive;
    disk.faults.slowFactor = this.#slowFactor;
    disk.faults.lyingSync = this.#isLying ? 1 : 0;
    disk.onSyncFailed = () => {
      counters.add("sync failed");
      // A process that is still opening its log has promised nothing, and tries again.
      if (this.#log !== null) witness.syncFailed();
    };
    return drive;
  }

  /** A bit of a record that the node holds, or all of the pages it lies on. */
  rot(): boolean {
    const { random } = this.#options;
    const { durableKeys } = this.#truth;
    if (durableKeys.length === 0) return false;
    const place = this.#drive.image.placeOf(random.pick(durableKeys));
    if (place === null) return false;
    this.#truth.isSuspect = true;
    if (random.chance(0.5)) this.#drive.flipBit(place);
    else this.#drive.makeUnreadable(place);
    return true;
  }

  scrub(): void {
    this.#call((log) => {
      for (const key of this.#corrupt) this.#foundCorrupt(key);
      log.scrub(Number.POSITIVE_INFINITY, () => {});
    });
  }

  #foundCorrupt(key: string): void {
    const { uploadId, shardIndex } = records.shardNameOf(key);
    if (!this.#truth.isSuspect) {
      const sentence = `A sound medium's log calls shard ${shardIndex} of upload ${uploadId} corrupt.`;
      this.#options.witness.violated("S2", sentence);
    }
    const refusal = this.#refusals.get(key);
    if (refusal !== undefined) {
      // The node keeps its promise in memory, and its medium gets it back.
      this.#later(1, () => this.#call((log) => log.append(records.recordOfRefusal(refusal), () => {})));
      return;
    }
    this.#corrupt.add(key);
    this.#later(1, (answers) => answers.corrupt(uploadId, shardIndex));
  }

  failNextSync(): void {
    this.#drive.disk.failNextSync();
  }

  setLying(isLying: boolean): void {
    const isHealed = this.#isLying && !isLying;
    this.#isLying = isLying;
    this.#truth.isSuspect ||= isLying;
    this.#drive.disk.faults.lyingSync = isLying ? 1 : 0;
    if (isHealed) this.#drive.disk.writeBack();
  }

  setSlowFactor(factor: number): void {
    this.#slowFactor = factor;
    this.#drive.disk.faults.slowFactor = factor;
  }

  setHung(isHung: boolean): void {
    this.#drive.disk.setHung(isHung);
  }

  setFull(isFull: boolean): void {
    this.#isHeldFull = isFull;
  }

  // Answering

  /** Nothing is asked of a log that is not open: its node has not recovered. `isOver` once this boot has ended. */
  #call(action: (log: ShardLog, isOver: () => boolean) => void): void {
    if (this.#log === null) return;
    const boot = this.#boot;
    this.#callDepth += 1;
    try {
      action(this.#log, () => boot !== this.#boot);
    } finally {
      this.#callDepth -= 1;
    }
  }

  #answer(action: (answers: MediumAnswers) => void): void {
    if (this.#callDepth > 0) this.#later(1, action);
    else if (this.#answers !== null) action(this.#answers);
  }

  #later(delayUs: number, action: (answers: MediumAnswers) => void): void {
    const boot = this.#boot;
    this.#options.queue.schedule(delayUs, () => {
      if (boot === this.#boot && this.#answers !== null) action(this.#answers);
    });
  }
}

/** The log goes on; only this record has no place now. */
function isForRoom({ code }: LogError): boolean {
  return code === "log_full" || code === "log_busy";
}
