/**
 * A medium at the granularity of records: a page cache, a sync that covers earlier appends, and a power cut that keeps
 * any part of the rest. It models a correct log; the log itself is tested with pages and sectors in log-medium.ts.
 */

import type { PageFile, PageMemory } from "@stashlight/paged-memory";
import { ArrayFile } from "@stashlight/paged-memory/testing";
import type { PodAnswers } from "@stashlight/shard-store";
import type {
  LoggedShard,
  Outcome,
  PodFreeSpace,
  Refusal,
  Shard,
  ShardRead,
  SpaceClass,
  UploadId,
  VersionOrder,
} from "@stashlight/write-path";
import { LateAnswers } from "./late-answers.ts";
import type { Medium, MediumAnswers, MediumOptions, Position, ReadState, RecoveredPod } from "./medium.ts";
import { RecordPromises } from "./record-promises.ts";
import { type RecordOfShard, RecordShelf } from "./record-shelf.ts";
import { RecordSpace } from "./record-space.ts";

const WAIT_MS = 50;
const WAIT_MS_MAX = 8000;

export class RecordMedium implements Medium {
  readonly #options: MediumOptions;
  readonly #records: RecordShelf;
  #promises = new RecordPromises();
  readonly #late: LateAnswers;
  readonly #room: RecordSpace;
  #nextPosition = 1;
  #isCommitting = false;
  #isPoisoned = false;
  #waiting: RecordOfShard[] = [];
  #doesNextSyncFail = false;
  #isLying = false;
  #isFull = false;
  #reads: ReadState = "good";
  #hasGarbled = false;

  constructor(options: MediumOptions) {
    const { queue, random, counters, capacityBytes } = options;
    this.#options = options;
    this.#records = new RecordShelf(options);
    this.#late = new LateAnswers(queue, random);
    const tell = (room: PodFreeSpace) =>
      this.#late.after(1, (answers) => {
        if (answers.machine === "pod") answers.room(room);
      });
    this.#room = new RecordSpace(capacityBytes, tell, () => counters.add("pod at its wall"));
  }

  get durableCount(): number {
    return this.#records.durableCount;
  }

  get promiseCount(): number {
    return this.#promises.count;
  }

  append(shard: Shard, room: SpaceClass): void {
    const { uploadId } = shard.upload;
    if (room === "removal" && !this.#isPoisoned && !this.#room.hasRoomFor(shard, room)) {
      this.#waitForRoom(shard, 0);
      return;
    }
    const isFull = this.#isFull || !this.#room.hasRoomFor(shard, room);
    const reason = this.#isPoisoned ? "failed" : isFull ? "full" : null;
    if (reason !== null) {
      if (reason === "full") this.#syncForRoom();
      this.#late.after(1, (answers) => answers.appendFailed(uploadId, shard.shardIndex, reason));
      return;
    }
    this.#room.take(shard);
    const position = this.#nextPosition++;
    const record: RecordOfShard = {
      position,
      shard,
      state: "cached",
      isRotten: false,
      isKilled: false,
      holderCount: 1,
      outcome: null,
    };
    this.#records.expect(record);
    if (this.#options.isGroupCommit) {
      this.#waiting.push(record);
      if (!this.#isCommitting) this.#commit();
      return;
    }
    this.#late.after(this.#options.writeUs, (answers) => {
      this.#records.put(record);
      answers.appended(uploadId, shard.shardIndex, position);
    });
  }

  /** Mimics the store: removals wait for space, and are refused after some seconds. */
  #waitForRoom(shard: Shard, waitedMs: number): void {
    this.#late.after(WAIT_MS * 1000, (answers) => {
      if (this.#room.hasRoomFor(shard, "removal")) this.append(shard, "removal");
      else if (waitedMs < WAIT_MS_MAX) {
        this.#syncForRoom();
        this.#waitForRoom(shard, waitedMs + WAIT_MS);
      } else {
        answers.appendFailed(shard.upload.uploadId, shard.shardIndex, "full");
      }
    });
  }

  /**
   * A log does not count killed records. Here a sync frees them, and a pod that accepts nothing would not request one.
   * As with a log, a sync failure stops a pod even if no request waits for the sync.
   */
  #syncForRoom(): void {
    this.#sync((answers, hasFailed) => {
      if (hasFailed && answers.machine === "pod") answers.flushFailed();
    });
  }

  remember(position: Position, outcome: Outcome): void {
    const record = this.#records.get(position);
    if (record) record.outcome = outcome;
    this.#options.witness.remembered(position, outcome);
  }

  /** Starts one write and one sync for all waiting records; the next commit begins when this one has ended. */
  #commit(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#isCommitting = batch.length > 0;
    if (batch.length === 0) return;
    for (const record of batch) this.#records.put(record);
    this.#sync((answers, hasFailed) => {
      for (const { shard, position } of batch) {
        const { uploadId } = shard.upload;
        if (hasFailed) answers.appendFailed(uploadId, shard.shardIndex, "failed");
        else answers.appended(uploadId, shard.shardIndex, position);
      }
      if (hasFailed) {
        for (const { shard } of this.#waiting.splice(0)) {
          answers.appendFailed(shard.upload.uploadId, shard.shardIndex, "failed");
        }
      }
      this.#commit();
    });
  }

  flush(): void {
    this.#syncForPod((answers) => answers.flushed());
  }

  #syncForPod(succeeded: (answers: PodAnswers) => void): void {
    this.#sync((answers, hasFailed) => {
      if (answers.machine !== "pod") return;
      if (hasFailed) answers.flushFailed();
      else succeeded(answers);
    });
  }

  #sync(done: (answers: MediumAnswers, hasFailed: boolean) => void): void {
    const cached = this.#records.cached();
    const keepPromises = this.#promises.cover();
    this.#late.after(this.#options.syncUs, (answers) => {
      // Another sync may already have covered some of these records.
      const covered = cached.filter(({ state }) => state === "cached");
      const hasFailed = this.#doesNextSyncFail || this.#isPoisoned;
      this.#doesNextSyncFail = false;
      if (hasFailed) this.#failSync(covered);
      else if (this.#isLying) this.#lie(covered);
      else this.#settle(covered, keepPromises);
      done(answers, hasFailed);
    });
  }

  #settle(covered: readonly RecordOfShard[], keepPromises: () => void): void {
    for (const record of covered) this.#records.makeDurable(record);
    keepPromises();
    for (const { shard } of this.#records.dropKilled()) this.#room.free(shard);
    this.#room.tell();
  }

  #lie(covered: readonly RecordOfShard[]): void {
    this.#options.counters.add("sync that lied");
    for (const { shard } of covered) this.#options.witness.lied(shard);
  }

  #failSync(covered: readonly RecordOfShard[]): void {
    const { counters, witness, random } = this.#options;
    counters.add("sync failed");
    witness.syncFailed();
    this.#isPoisoned = true;
    for (const record of covered) {
      if (random.chance(0.5)) this.#records.makeDurable(record);
      else record.state = "clean";
    }
  }

  kill(position: Position): void {
    this.#records.kill(position);
  }

  load(loadId: number, position: Position): void {
    const record = this.#records.get(position);
    this.#late.after(this.#options.writeUs, (answers) => answers.loaded(loadId, this.#read(record)));
  }

  /** Unsynced data is read from memory, so read faults do not affect it. */
  #read(record: RecordOfShard | undefined): ShardRead {
    if (record === undefined) return { type: "gone" };
    const isRead = this.#reads === "good" || record.state !== "durable";
    if (!isRead) return { type: this.#reads === "failing" ? "unreadable" : "corrupt" };
    return record.isRotten ? { type: "corrupt" } : { type: "shard", shard: record.shard };
  }

  persistRefusal(refusal: Refusal): void {
    this.#promises.refuse(refusal);
    this.#syncForPod((answers) => answers.refusalPersisted(refusal.uploadId));
  }

  forgetRefusal(uploadId: UploadId): void {
    this.#promises.forget(uploadId);
  }

  persistHorizon(horizon: VersionOrder): void {
    this.#promises.raiseHorizon(horizon);
    this.#syncForPod((answers) => answers.horizonPersisted(horizon));
  }

  recover(
    answers: MediumAnswers,
    createMemory: () => PageMemory,
    done: (recovered: RecoveredPod) => void,
  ): void {
    this.#late.begin(answers);
    this.#isPoisoned = false;
    // Records read by recovery count only after a sync.
    this.#late.after(this.#options.syncUs, () => {
      if (this.#reads !== "good") {
        // The medium does not open, so this is retried later.
        this.#late.after(WAIT_MS * 1000, () => this.recover(answers, createMemory, done));
        return;
      }
      this.#records.recover();
      const shards = this.#records.all().map((record): LoggedShard<Position> => {
        const { upload, shardIndex, payloadCrc } = record.shard;
        const outcome = this.#options.random.chance(0.7) ? record.outcome : null;
        const { position, isRotten: isDamaged } = record;
        return { upload, shardIndex, payloadCrc, position, outcome, isDamaged };
      });
      const promised = this.#promises.recover();
      this.#room.recount(this.#records.all().map(({ shard }) => shard));
      done({ shards, displaced: [], ...promised, saved: null, memory: createMemory() });
    });
  }

  pageFile(failingRead: number | null): PageFile {
    return new ArrayFile(failingRead);
  }

  readonly index = null;
  readonly isQuiet = true;

  /** The model keeps no index. */
  checkpoint(): void {}

  /** The model keeps no index. */
  stop(): void {
    this.crash();
  }

  crash(): void {
    this.#end();
    this.#records.crash();
  }

  powerCut(): void {
    this.#end();
    this.#records.powerCut();
    this.#promises.powerCut(this.#options.random);
  }

  #end(): void {
    this.#late.end();
    this.#isCommitting = false;
    this.#waiting = [];
    this.#doesNextSyncFail = false;
  }

  replace(): void {
    this.#end();
    this.#records.replace();
    this.#promises = new RecordPromises();
    this.#isPoisoned = false;
  }

  rot(): boolean {
    return this.#records.rot();
  }

  rotPayload(uploadId: UploadId): boolean {
    return this.#records.rotPayload(uploadId);
  }

  setReads(reads: ReadState): void {
    this.#reads = reads;
    this.#hasGarbled ||= reads === "garbled";
  }

  /** A model of records has no reserve that could be lost. */
  get hasLostReserve(): boolean {
    return false;
  }

  get mayMisread(): boolean {
    return this.#hasGarbled;
  }

  scrub(): void {
    for (const record of this.#records.all()) {
      const { type } = this.#read(record);
      if (record.isKilled || (type !== "corrupt" && type !== "unreadable")) continue;
      const { upload, shardIndex } = record.shard;
      this.#late.after(this.#options.writeUs, (answers) => answers[type](upload.uploadId, shardIndex));
    }
  }

  failNextSync(): void {
    this.#doesNextSyncFail = true;
  }

  /**
   * The cache of a drive with false syncs is flushed once the drive is honest again, without a sync that could fail.
   */
  setLying(isLying: boolean): void {
    const isHealed = this.#isLying && !isLying;
    this.#isLying = isLying;
    if (isHealed) this.#settle(this.#records.cached(), this.#promises.cover());
  }

  setSlowFactor(factor: number): void {
    this.#late.slowFactor = factor;
  }

  setHung(isHung: boolean): void {
    this.#late.setHung(isHung);
  }

  setFull(isFull: boolean): void {
    this.#isFull = isFull;
  }
}
