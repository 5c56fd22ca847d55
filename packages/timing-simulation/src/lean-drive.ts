/**
 * Stores a scenario's records by their sizes, without bytes. A position is the record itself, so reads need no lookup.
 * A stash answers after a group commit, a pod from its page cache; both share one drive for all their syncs.
 */
import type { StoreAnswers } from "@stashlight/shard-store";
import type { Random } from "@stashlight/stats/forkable-random";
import type { Shard } from "@stashlight/write-path";
import type { DriveTimes } from "./drives.ts";
import type { EventHeap } from "./event-heap.ts";

export interface LeanRecord {
  readonly shard: Shard;
  readonly bytes: number;
  /** Time when the record became durable; 0 before. */
  durableUs: number;
}

type DriveAnswers = StoreAnswers<LeanRecord>;

export interface DriveTally {
  commitCount: number;
  commitShardCount: number;
  busyUs: number;
  /** Time from a shard's arrival to the beginning of the commit that took it. */
  waitUs: number;
}

export interface LeanDriveOptions {
  readonly heap: EventHeap;
  readonly random: Random;
  readonly times: DriveTimes;
  readonly recordBytes: (objectBytes: number) => number;
  readonly shardsPerCommitMax: number;
  /**
   * Draws the rank of a sync's slowness, from 0 to 1: that of the first shard for a group commit; a flush has no shard.
   */
  readonly drawSync: (shard: Shard | null) => number;
}

/** A system call and a copy into the page cache at 4 GB/s. */
const CACHE_US = 2;
const CACHE_BYTES_PER_US = 4000;

export class LeanDrive {
  readonly #options: LeanDriveOptions;
  readonly tally: DriveTally = { commitCount: 0, commitShardCount: 0, busyUs: 0, waitUs: 0 };
  #answers: DriveAnswers | null = null;
  #boot = 0;
  #busyUntilUs = 0;
  #dirtyBytes = 0;
  #waiting: { record: LeanRecord; sinceUs: number }[] = [];
  #isCommitting = false;
  slowFactor = 1;

  constructor(options: LeanDriveOptions) {
    this.#options = options;
  }

  /** Directs answers to this boot from now on; those of the previous boot never arrive. */
  start(answers: DriveAnswers): void {
    this.#boot += 1;
    this.#answers = answers;
    this.#waiting = [];
    this.#isCommitting = false;
  }

  stop(): void {
    this.#boot += 1;
    this.#answers = null;
  }

  recordOf(shard: Shard): LeanRecord {
    return { shard, bytes: this.#options.recordBytes(shard.upload.sizeBytes), durableUs: 0 };
  }

  /** Writes into the page cache. */
  write(shard: Shard): void {
    const record = this.recordOf(shard);
    this.#dirtyBytes += record.bytes;
    this.#later(CACHE_US + record.bytes / CACHE_BYTES_PER_US, (answers) => appended(answers, record));
  }

  /** Adds to the next group commit, which begins when the current one has ended. */
  commit(shard: Shard): void {
    this.#waiting.push({ record: this.recordOf(shard), sinceUs: this.#options.heap.nowUs });
    if (!this.#isCommitting) this.#commitNext();
  }

  #commitNext(): void {
    const { heap, shardsPerCommitMax } = this.#options;
    const batch = this.#waiting.splice(0, shardsPerCommitMax);
    this.#isCommitting = batch.length > 0;
    if (batch.length === 0) return;
    const bytes = batch.reduce((sum, { record }) => sum + record.bytes, 0);
    for (const { sinceUs } of batch) this.tally.waitUs += heap.nowUs - sinceUs;
    this.tally.commitCount += 1;
    this.tally.commitShardCount += batch.length;
    this.#sync(bytes, batch[0]?.record.shard ?? null, (answers) => {
      for (const { record } of batch) {
        record.durableUs = heap.nowUs;
        appended(answers, record);
      }
      this.#commitNext();
    });
  }

  flush(): void {
    const bytes = this.#dirtyBytes;
    this.#dirtyBytes = 0;
    this.#sync(bytes, null, (answers) => {
      if (answers.machine === "pod") answers.flushed();
    });
  }

  persistRefusal(uploadId: string): void {
    this.#sync(0, null, (answers) => {
      if (answers.machine === "pod") answers.refusalPersisted(uploadId);
    });
  }

  load(loadId: number, { shard, bytes }: LeanRecord): void {
    const us = this.#options.times.readUs(bytes, this.#options.random.next());
    this.#later(us, (answers) => answers.loaded(loadId, { type: "shard", shard }));
  }

  #sync(bytes: number, shard: Shard | null, done: (answers: DriveAnswers) => void): void {
    const { heap, drawSync, times } = this.#options;
    const syncUs = times.syncUs(bytes, drawSync(shard)) * this.slowFactor;
    const startUs = Math.max(heap.nowUs, this.#busyUntilUs);
    const occupiedUs = times.occupancyUs(bytes, syncUs);
    this.#busyUntilUs = startUs + occupiedUs;
    this.tally.busyUs += occupiedUs;
    this.#later(startUs + syncUs - heap.nowUs, done);
  }

  #later(delayUs: number, action: (answers: DriveAnswers) => void): void {
    const boot = this.#boot;
    this.#options.heap.schedule(delayUs, {
      happen: () => {
        if (boot === this.#boot && this.#answers !== null) action(this.#answers);
      },
    });
  }
}

function appended(answers: DriveAnswers, record: LeanRecord): void {
  const { upload, shardIndex } = record.shard;
  answers.appended(upload.uploadId, shardIndex, record);
}
