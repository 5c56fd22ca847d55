/**
 * A medium at the grain of records: a page cache, a sync that covers what was appended before it, and a power cut that
 * keeps any part of the rest. It stands for a correct log; the log itself runs below pages and sectors in log-medium.ts.
 */
import type { LoggedShard, Outcome, Refusal, Shard, UploadId } from "@stashlight/write-path";
import type { Random } from "../random.ts";
import type { Counters } from "../world/counters.ts";
import type { EventQueue } from "../world/event-queue.ts";
import type { MediaWitness, Medium, MediumAnswers, Position, Recovered } from "./medium.ts";

interface RecordOfShard {
  readonly position: Position;
  readonly shard: Shard;
  /** What the node wants its next boot to know, which a boot may or may not be told. */
  outcome: Outcome | null;
  /** `clean`: a failed sync left it in the page cache as if it were on the medium. */
  state: "cached" | "clean" | "durable";
  isRotten: boolean;
  /** Killed in memory; the medium learns of it with the next sync. */
  isKilled: boolean;
}

export interface RecordMediumOptions {
  readonly queue: EventQueue;
  readonly random: Random;
  readonly counters: Counters;
  readonly witness: MediaWitness;
  /** A stash answers after a group commit, a pod after the write. */
  readonly isGroupCommit: boolean;
  readonly writeUs: number;
  readonly syncUs: number;
}

export class RecordMedium implements Medium {
  readonly #options: RecordMediumOptions;
  #records = new Map<Position, RecordOfShard>();
  #refusals = new Map<UploadId, { refusal: Refusal; isDurable: boolean }>();
  #answers: MediumAnswers | null = null;
  #boot = 0;
  #nextPosition = 1;
  #isCommitting = false;
  #isPoisoned = false;
  #waiting: RecordOfShard[] = [];
  #held: (() => void)[] = [];
  #doesNextSyncFail = false;
  #isLying = false;
  #slowFactor = 1;
  #isHung = false;
  #isFull = false;

  constructor(options: RecordMediumOptions) {
    this.#options = options;
  }

  get durableCount(): number {
    let count = 0;
    for (const record of this.#records.values())
      if (record.state === "durable" && !record.isRotten) count += 1;
    return count;
  }

  append(shard: Shard): void {
    const { uploadId } = shard.upload;
    const reason = this.#isPoisoned ? "failed" : this.#isFull ? "full" : null;
    if (reason !== null) {
      this.#later(1, (answers) => answers.appendFailed(uploadId, shard.shardIndex, reason));
      return;
    }
    const position = this.#nextPosition++;
    const record: RecordOfShard = {
      position,
      shard,
      state: "cached",
      isRotten: false,
      isKilled: false,
      outcome: null,
    };
    if (this.#options.isGroupCommit) {
      this.#waiting.push(record);
      if (!this.#isCommitting) this.#commit();
      return;
    }
    this.#later(this.#options.writeUs, (answers) => {
      this.#records.set(position, record);
      answers.appended(uploadId, shard.shardIndex, position);
    });
  }

  remember(position: Position, outcome: Outcome): void {
    const record = this.#records.get(position);
    if (record) record.outcome = outcome;
  }

  /** One write and one sync for all that wait; the next commit begins when this one has ended. */
  #commit(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    this.#isCommitting = batch.length > 0;
    if (batch.length === 0) return;
    for (const record of batch) this.#records.set(record.position, record);
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
    this.#sync((answers, hasFailed) => (hasFailed ? answers.flushFailed() : answers.flushed()));
  }

  #sync(done: (answers: MediumAnswers, hasFailed: boolean) => void): void {
    const cached = this.#cachedRecords();
    const refused = this.#cachedRefusals();
    this.#later(this.#options.syncUs, (answers) => {
      // Another sync may have covered some of them meanwhile.
      const covered = cached.filter(({ state }) => state === "cached");
      const hasFailed = this.#doesNextSyncFail || this.#isPoisoned;
      this.#doesNextSyncFail = false;
      if (hasFailed) this.#failSync(covered);
      else if (this.#isLying) this.#lie(covered);
      else this.#settle(covered, refused);
      done(answers, hasFailed);
    });
  }

  #cachedRecords(): RecordOfShard[] {
    return [...this.#records.values()].filter((record) => record.state === "cached");
  }

  #cachedRefusals(): { isDurable: boolean }[] {
    return [...this.#refusals.values()].filter(({ isDurable }) => !isDurable);
  }

  #settle(covered: readonly RecordOfShard[], refused: readonly { isDurable: boolean }[]): void {
    for (const record of covered) this.#makeDurable(record);
    for (const promise of refused) promise.isDurable = true;
    for (const [position, record] of this.#records) if (record.isKilled) this.#records.delete(position);
  }

  #lie(covered: readonly RecordOfShard[]): void {
    this.#options.counters.add("sync that lied");
    for (const { shard } of covered) this.#options.witness.lied(shard);
  }

  #makeDurable(record: RecordOfShard): void {
    record.state = "durable";
    if (!record.isKilled) this.#options.witness.durable(record.shard);
  }

  #failSync(covered: readonly RecordOfShard[]): void {
    const { counters, witness, random } = this.#options;
    counters.add("sync failed");
    witness.syncFailed();
    this.#isPoisoned = true;
    for (const record of covered) {
      if (random.chance(0.5)) this.#makeDurable(record);
      else record.state = "clean";
    }
  }

  kill(uploadId: UploadId, shardIndex: number, position: Position): void {
    const record = this.#records.get(position);
    if (!record || record.isKilled) return;
    record.isKilled = true;
    this.#options.witness.killed(uploadId, shardIndex, record.state === "durable" && !record.isRotten);
  }

  load(loadId: number, position: Position): void {
    const record = this.#records.get(position);
    const shard = record && !record.isRotten ? record.shard : null;
    this.#later(this.#options.writeUs, (answers) => answers.loaded(loadId, shard));
  }

  persistRefusal(refusal: Refusal): void {
    this.#refusals.set(refusal.uploadId, { refusal, isDurable: false });
    this.#sync((answers, hasFailed) => {
      if (hasFailed) answers.flushFailed();
      else answers.refusalPersisted(refusal.uploadId);
    });
  }

  recover(answers: MediumAnswers, done: (recovered: Recovered) => void): void {
    this.#answers = answers;
    this.#isPoisoned = false;
    // What recovery reads counts only after it has been synced.
    this.#later(this.#options.syncUs, () => {
      for (const [position, record] of this.#records) {
        if (record.isRotten) this.#records.delete(position);
        else if (record.state !== "durable") this.#makeDurable(record);
        // A kill that did not reach the medium is forgotten.
        if (record.isKilled && !record.isRotten) this.#options.witness.durable(record.shard);
        record.isKilled = false;
      }
      const shards = [...this.#records.values()].map((record): LoggedShard<Position> => {
        const { upload, shardIndex, payloadCrc } = record.shard;
        const outcome = this.#options.random.chance(0.7) ? record.outcome : null;
        return { upload, shardIndex, payloadCrc, position: record.position, outcome };
      });
      const promises = [...this.#refusals.values()];
      for (const promise of promises) promise.isDurable = true;
      done({ shards, refusals: promises.map(({ refusal }) => refusal) });
    });
  }

  crash(): void {
    this.#end();
    // A page that a failed sync called clean is dropped as soon as memory is wanted.
    for (const [position, record] of this.#records)
      if (record.state === "clean") this.#records.delete(position);
    for (const [position, record] of this.#records)
      if (record.isKilled && record.state !== "durable") this.#records.delete(position);
  }

  powerCut(): void {
    this.#end();
    const { counters, random } = this.#options;
    for (const [position, record] of this.#records) {
      if (record.state === "durable") continue;
      const isKept = record.state === "cached" && random.chance(0.4);
      counters.add(isKept ? "unsynced record kept" : "unsynced record dropped");
      if (isKept) this.#makeDurable(record);
      else this.#records.delete(position);
    }
    for (const [uploadId, { isDurable }] of this.#refusals) {
      if (!isDurable && random.chance(0.5)) this.#refusals.delete(uploadId);
    }
  }

  #end(): void {
    this.#boot += 1;
    this.#answers = null;
    this.#isCommitting = false;
    this.#waiting = [];
    this.#held = [];
    this.#doesNextSyncFail = false;
  }

  replace(): void {
    this.#end();
    for (const record of this.#records.values()) this.#lose(record);
    this.#records = new Map();
    this.#refusals = new Map();
    this.#isPoisoned = false;
  }

  rot(): boolean {
    const durable = [...this.#records.values()].filter(
      (record) => record.state === "durable" && !record.isRotten && !record.isKilled,
    );
    if (durable.length === 0) return false;
    const record = this.#options.random.pick(durable);
    this.#lose(record);
    record.isRotten = true;
    return true;
  }

  scrub(): void {
    for (const { shard, isRotten, isKilled } of this.#records.values()) {
      if (!isRotten || isKilled) continue;
      this.#later(this.#options.writeUs, (answers) =>
        answers.corrupt(shard.upload.uploadId, shard.shardIndex),
      );
    }
  }

  #lose(record: RecordOfShard): void {
    if (record.state !== "durable" || record.isKilled || record.isRotten) return;
    this.#options.witness.lost(record.shard.upload.uploadId, record.shard.shardIndex);
  }

  failNextSync(): void {
    this.#doesNextSyncFail = true;
  }

  /** A cache that lied empties itself once it is healed, which is no sync that could fail. */
  setLying(isLying: boolean): void {
    const isHealed = this.#isLying && !isLying;
    this.#isLying = isLying;
    if (isHealed) this.#settle(this.#cachedRecords(), this.#cachedRefusals());
  }

  setSlowFactor(factor: number): void {
    this.#slowFactor = factor;
  }

  setHung(isHung: boolean): void {
    this.#isHung = isHung;
    if (!isHung) for (const action of this.#held.splice(0)) action();
  }

  setFull(isFull: boolean): void {
    this.#isFull = isFull;
  }

  #later(delayUs: number, action: (answers: MediumAnswers) => void): void {
    const boot = this.#boot;
    const run = () => {
      if (boot !== this.#boot || this.#answers === null) return;
      if (this.#isHung) this.#held.push(run);
      else action(this.#answers);
    };
    const jitter = 0.5 + this.#options.random.next();
    this.#options.queue.schedule(delayUs * this.#slowFactor * jitter, run);
  }
}
