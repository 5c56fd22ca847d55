/**
 * Saves the index of a running pod periodically, so that a start after a kill or a power cut reads only the records
 * written since then.
 */
import { setTimeout as delay } from "node:timers/promises";
import { checkpointBoot } from "@stashlight/shard-store";
import type { SavedPod } from "@stashlight/write-path";
import { monotonicNowMs } from "../host/clock.ts";
import type { RunningMachine } from "./drive-machine.ts";
import type { IndexPages } from "./index-pages.ts";

/** The parts of a boot of a pod that are saved. */
export interface CheckpointedBoot {
  readonly running: RunningMachine;
  readonly pages: IndexPages;
  readonly savePod: () => SavedPod | string;
}

export interface CheckpointOptions {
  readonly nowMs?: () => number;
  /** A number from 0 to below 1. */
  readonly random?: () => number;
  /** Longest time that a pod's messages may wait; a second by default. */
  readonly holdUsMax?: number;
  /** Time that `end` gives a checkpoint in progress; by default far below that of a stop. */
  readonly endsWithinMs?: number;
}

/** A start removes the checkpoint from which it continues, so the first checkpoint of a boot comes soon. */
const FIRST_AFTER_MS = 10_000;
/** Changed records that trigger a checkpoint. */
const CHANGES_MAX = 100_000;
const PAUSE_MS_MAX = 600_000;
/** The times and numbers above are raised by up to this share, so that pods of one machine take turns. */
const SPREAD = 0.5;
/** Checkpoints that succeed take at most this share of the time. */
const SHARE_MAX = 0.01;
const RETRY_MS_MIN = 10_000;
const RETRY_MS_MAX = 120_000;
const ENDS_WITHIN_MS = 5_000;

export class IndexCheckpoints {
  readonly #boot: CheckpointedBoot;
  readonly #reportFailure: (reason: string) => void;
  readonly #nowMs: () => number;
  readonly #holdUsMax: number | undefined;
  readonly #endsWithinMs: number;
  /** Factor of times and numbers. */
  readonly #spread: number;
  /** Resolves at the end of the checkpoint in progress. */
  #running: Promise<void> | null = null;
  #isWanted = true;
  #changesSaved = -1;
  #dueMs: number;
  #dueAtLatestMs: number;
  #retryMs = RETRY_MS_MIN;
  #reason: string | null = null;

  /** `reportFailure` is called once per distinct reason in a row. */
  constructor(
    boot: CheckpointedBoot,
    reportFailure: (reason: string) => void,
    {
      nowMs = monotonicNowMs,
      random = Math.random,
      holdUsMax,
      endsWithinMs = ENDS_WITHIN_MS,
    }: CheckpointOptions = {},
  ) {
    this.#boot = boot;
    this.#reportFailure = reportFailure;
    this.#nowMs = nowMs;
    this.#holdUsMax = holdUsMax;
    this.#endsWithinMs = endsWithinMs;
    this.#spread = 1 + SPREAD * random();
    this.#dueMs = nowMs() + FIRST_AFTER_MS * this.#spread;
    this.#dueAtLatestMs = this.#dueMs;
  }

  /** True while a checkpoint is in progress. */
  get isBusy(): boolean {
    return this.#running !== null;
  }

  /** Begins a checkpoint if it is due. */
  tick(): void {
    const nowMs = this.#nowMs();
    const changes = this.#changes;
    if (this.isBusy || changes === this.#changesSaved || nowMs < this.#dueMs) return;
    if (nowMs < this.#dueAtLatestMs && changes - this.#changesSaved < CHANGES_MAX * this.#spread) return;
    this.#running = this.#save(nowMs, changes).finally(() => {
      this.#running = null;
    });
  }

  /** Ends a checkpoint that still waits. Resolves once none is in progress, or after a while if the drive hangs. */
  async end(): Promise<void> {
    this.#isWanted = false;
    if (this.#running === null) return;
    const patience = new AbortController();
    const isOver = delay(this.#endsWithinMs, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([this.#running, isOver]);
    patience.abort();
  }

  get #changes(): number {
    const { appendsTotal, purgesTotal, recordsMovedTotal } = this.#boot.running.store.log.stats().counters;
    return appendsTotal + purgesTotal + recordsMovedTotal;
  }

  async #save(startMs: number, changes: number): Promise<void> {
    const { running, pages } = this.#boot;
    const { store } = running;
    const refusal = pages.syncFailure ?? pages.refusalToSave(store.log.stats().recordsLive);
    const reason = refusal ?? (await this.#checkpoint().catch(({ message }: Error) => message));
    const nowMs = this.#nowMs();
    if (reason === null) {
      this.#changesSaved = changes;
      this.#dueMs = nowMs + (nowMs - startMs) / SHARE_MAX;
      this.#dueAtLatestMs = Math.max(this.#dueMs, nowMs + PAUSE_MS_MAX * this.#spread);
      this.#retryMs = RETRY_MS_MIN;
    } else {
      this.#dueMs = nowMs + this.#retryMs;
      this.#dueAtLatestMs = this.#dueMs;
      this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS_MAX);
      if (reason !== this.#reason && this.#isWanted && !store.isEnded) this.#reportFailure(reason);
    }
    this.#reason = reason;
  }

  /** Resolves to the reason why there is no checkpoint now, or to null. */
  #checkpoint(): Promise<string | null> {
    const { running, pages, savePod } = this.#boot;
    const { store, shell } = running;
    const { memory, files } = pages;
    const after = (us: number, action: () => void): void => void setTimeout(action, us / 1000).unref();
    const isWanted = () => this.#isWanted;
    const limit = this.#holdUsMax === undefined ? {} : { holdUsMax: this.#holdUsMax };
    return new Promise((done) =>
      checkpointBoot({ store, shell, memory, files, savePod, after, isWanted, ...limit }, done),
    );
  }
}
