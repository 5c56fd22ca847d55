/**
 * Lease of a running slot. Each heartbeat writes the new samples, the progress and the lease in one transaction, and
 * checks whether a person has cancelled the slot. An unavailable database is retried; samples wait.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { RunManifest, RunProgress } from "@stashlight/benchmark";
import type { BenchmarkSample } from "@stashlight/contracts/sample";
import type { Base } from "../../base.ts";
import { isDatabaseUnavailable } from "../../database-error.ts";
import { keepRenewed } from "../../lease/keep-renewed.ts";
import { leaseMoment, renewLease } from "../../lease/lease.ts";
import { type Statements, transact } from "../../statements.ts";
import type { ClaimedSlot } from "./claim.ts";
import type { EndReason, SlotEnding } from "./end.ts";
import { leasedSlots, slotKey } from "./leased.ts";
import { addPart, noteManifest, noteProgress } from "./record.ts";

interface RunUnderWay {
  id: string;
  samples: BenchmarkSample[];
  partCount: number;
  progress: RunProgress | null;
  manifest: RunManifest | null;
}

export interface LeaseOptions {
  beatMs: number;
  /** Called for heartbeats that failed; the next one retries. */
  onError: (error: unknown) => void;
}

export class SlotLease {
  readonly #platform: Base;
  readonly #slot: ClaimedSlot;
  readonly #options: LeaseOptions;
  readonly #ending = new AbortController();
  readonly #beats: Promise<void>;
  readonly #isOver = new AbortController();
  /** Chains writes, because two concurrent ones would take the same samples. */
  #lastWrite: Promise<unknown> = Promise.resolve();
  #run: RunUnderWay | null = null;
  #endReason: EndReason | null = null;
  #cancelledBy: string | null = null;

  constructor(platform: Base, slot: ClaimedSlot, options: LeaseOptions) {
    this.#platform = platform;
    this.#slot = slot;
    this.#options = options;
    this.#beats = keepRenewed(
      {
        beatMs: options.beatMs,
        renew: () => this.#writeOnce(async () => {}),
        onLost: () => this.end("lost"),
        onError: options.onError,
      },
      this.#isOver.signal,
    );
  }

  /** Aborted when the slot has to end: it was cancelled, the worker stops, or the lease was lost. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Null unless the slot ends early. */
  get endReason(): EndReason | null {
    return this.#endReason;
  }

  get ending(): SlotEnding {
    return { reason: this.#endReason, cancelledBy: this.#cancelledBy };
  }

  end(reason: EndReason): void {
    this.#endReason ??= reason;
    this.#ending.abort();
  }

  /** Assigns everything recorded from here on to this run. */
  attach(runId: string): void {
    this.#run = { id: runId, samples: [], partCount: 0, progress: null, manifest: null };
  }

  addSample(sample: BenchmarkSample): void {
    this.#run?.samples.push(sample);
  }

  setProgress(progress: RunProgress): void {
    if (this.#run !== null) this.#run.progress = progress;
  }

  setManifest(manifest: RunManifest): void {
    if (this.#run !== null) this.#run.manifest = manifest;
  }

  /**
   * Writes the current run's remaining samples and the effect of `action` in one transaction. Waits for an unavailable
   * database; throws a LeaseLostError if another process holds the slot.
   */
  async write<Result>(action: (tx: Statements, now: Date) => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await this.#writeOnce(action);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        await delay(this.#options.beatMs);
      }
    }
  }

  /** Stops the heartbeats; resolves when the last one has ended. */
  async close(): Promise<void> {
    this.#isOver.abort();
    await this.#beats;
  }

  #writeOnce<Result>(action: (tx: Statements, now: Date) => Promise<Result>): Promise<Result> {
    const turn = this.#lastWrite.then(() => this.#commit(action));
    this.#lastWrite = turn.catch(() => {});
    return turn;
  }

  async #commit<Result>(action: (tx: Statements, now: Date) => Promise<Result>): Promise<Result> {
    const run = this.#run;
    const now = this.#platform.now();
    const written = run === null ? null : { ...run, samples: [...run.samples] };
    const { result, cancelledBy } = await transact(this.#platform.metrics, async (tx) => {
      const { cancelledBy } = await renewLease(
        tx,
        leasedSlots,
        slotKey(this.#slot),
        this.#slot,
        leaseMoment(this.#platform),
      );
      if (written !== null) await writeRun(tx, written, now);
      return { result: await action(tx, now), cancelledBy };
    });
    if (run !== null && written !== null) forget(run, written);
    if (cancelledBy !== null) {
      this.#cancelledBy = cancelledBy;
      this.end("cancelled");
    }
    return result;
  }
}

async function writeRun(tx: Statements, run: RunUnderWay, now: Date): Promise<void> {
  if (run.samples.length > 0) await addPart(tx, run.id, run.partCount, run.samples);
  if (run.progress !== null) await noteProgress(tx, run.id, run.progress, now);
  if (run.manifest !== null) await noteManifest(tx, run.id, run.manifest);
}

/** Removes committed samples; later ones wait for the next write. */
function forget(run: RunUnderWay, written: RunUnderWay): void {
  run.samples.splice(0, written.samples.length);
  if (written.samples.length > 0) run.partCount += 1;
  if (run.progress === written.progress) run.progress = null;
  if (run.manifest === written.manifest) run.manifest = null;
}
