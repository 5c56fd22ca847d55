/**
 * A claimed slot while it runs. Every beat writes, in one transaction, what came since the last one: samples, progress,
 * the lease. It asks at the same time whether a person cancelled. A database that is away is asked again; samples wait.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { RunManifest, RunProgress } from "@stashlight/benchmark";
import type { BenchmarkSample } from "@stashlight/contracts/benchmark/sample";
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
  /** Hears of beats that failed; the next one tries again. */
  onError: (error: unknown) => void;
}

export class SlotLease {
  readonly #platform: Base;
  readonly #slot: ClaimedSlot;
  readonly #options: LeaseOptions;
  readonly #ending = new AbortController();
  readonly #beats: Promise<void>;
  readonly #isOver = new AbortController();
  /** Writes take turns, or two would take the same samples. */
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

  /** Aborted when the slot is to end: by a person, by the worker that stops, or because the lease was lost. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Null while nothing ends it early. */
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

  /** What is recorded from here on belongs to this run. */
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
   * Writes what is left of the run under way, and what `action` does, as one. Waits for a database that is away; throws
   * a LeaseLostError when the slot is somebody else's.
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

  /** No more beats; resolves when the last one is over. */
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

/** What is committed; what came meanwhile is for the next time. */
function forget(run: RunUnderWay, written: RunUnderWay): void {
  run.samples.splice(0, written.samples.length);
  if (written.samples.length > 0) run.partCount += 1;
  if (run.progress === written.progress) run.progress = null;
  if (run.manifest === written.manifest) run.manifest = null;
}
