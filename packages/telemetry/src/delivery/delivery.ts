/**
 * Delivers windows to the ingest: the newest first, then a limited number from the spool per window. A batch is
 * delivered when the ingest has committed it; until then it is kept and may be sent again; the ingest recognises
 * repeated batches.
 *
 *     accepted    done
 *     again       waits for as long as the ingest asks, plus a random part
 *     unreachable waits longer each time, up to a minute, minus a random part
 *     refused     moves the batch aside for examination, and reports its time range as a gap
 */
import { encodeBatch } from "../batch/batch.ts";
import type { Gap, GapReason } from "../gap.ts";
import type { RecordedWindow } from "../recorder/recorder.ts";
import type { Spool } from "../spool/spool.ts";

export type PostResult =
  /** `remark` is set if not everything was stored as sent. */
  | { readonly type: "accepted"; readonly skewMs: number; readonly remark?: string }
  | { readonly type: "again"; readonly afterMs: number }
  | { readonly type: "unreachable"; readonly reason: string }
  | { readonly type: "refused"; readonly reason: string };

export interface DeliveryOptions {
  readonly nodeId: string;
  readonly bootId: number;
  readonly spool: Spool;
  /** Sends one batch; never rejects. */
  readonly post: (batch: Uint8Array) => Promise<PostResult>;
  /** Stores refused batches; never rejects. */
  readonly putAside: (batch: Uint8Array, reason: string) => Promise<void>;
  readonly nowMs: () => number;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
}

export interface DeliveryStatus {
  readonly spoolBytes: number;
  readonly spooledCount: number;
  readonly replayedTotal: number;
  /** Number of dropped batches, by the reason of the gap that reports them. */
  readonly droppedTotals: ReadonlyMap<GapReason, number>;
  /** The ingest's clock minus the local one, as of the last answer; null before the first. */
  readonly skewMs: number | null;
  /** Reason why nothing is delivered at present; null without a problem. */
  readonly trouble: string | null;
  /** The ingest's remark on the last accepted batch; null if everything was stored as sent. */
  readonly remark: string | null;
}

type Span = { readonly startMs: number; readonly endMs: number };

/** Catches up after an outage in a fifth of its duration, without a flood. */
const REPLAYS_PER_WINDOW = 5;
const PAUSE_MS_MIN = 1000;
const PAUSE_MS_MAX = 60_000;

export class Delivery {
  readonly #options: DeliveryOptions;
  #sequence = 0;
  #notBeforeMs = 0;
  #failureCount = 0;
  #replayedTotal = 0;
  #refusedTotal = 0;
  #skewMs: number | null = null;
  #trouble: string | null = null;
  #remark: string | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(options: DeliveryOptions) {
    this.#options = options;
  }

  status(): DeliveryStatus {
    const { spool } = this.#options;
    return {
      spoolBytes: spool.bytes,
      spooledCount: spool.entryCount,
      replayedTotal: this.#replayedTotal,
      droppedTotals: new Map([...spool.droppedCounts, ["refused", this.#refusedTotal]]),
      skewMs: this.#skewMs,
      trouble: this.#trouble,
      remark: this.#remark,
    };
  }

  /** Resolves when the window is delivered or stored. Windows are taken one at a time. */
  take(window: RecordedWindow): Promise<void> {
    this.#last = this.#last.then(() => this.#take(window));
    return this.#last;
  }

  async #take(window: RecordedWindow): Promise<void> {
    const { spool } = this.#options;
    // Gaps go with a batch that is being sent, not with one that waits and may be dropped itself.
    const { gaps } = spool;
    const sequence = ++this.#sequence;
    const isDone = this.#mayTry() && (await this.#deliver(this.#seal(sequence, window, gaps), window, gaps));
    if (!isDone) await this.#keep(this.#seal(sequence, window, []), window);
    for (let count = 0; count < REPLAYS_PER_WINDOW && this.#mayTry(); count += 1) {
      const oldest = await spool.oldest();
      if (oldest === null || !(await this.#deliver(oldest.payload, oldest, []))) return;
      this.#replayedTotal += 1;
      await spool.forgetOldest();
    }
  }

  #mayTry(): boolean {
    return this.#options.nowMs() >= this.#notBeforeMs;
  }

  #seal(sequence: number, window: RecordedWindow, gaps: readonly Gap[]): Uint8Array {
    const { nodeId, bootId } = this.#options;
    return encodeBatch({ nodeId, bootId, sequence, window, gaps });
  }

  async #keep(batch: Uint8Array, { startMs, endMs }: Span): Promise<void> {
    const { spool } = this.#options;
    await spool.makeRoom(batch.length);
    await spool.append({ startMs, endMs, payload: batch });
  }

  /** Returns false if the batch has to be kept. `gaps` are the gaps that it reports. */
  async #deliver(batch: Uint8Array, { startMs, endMs }: Span, gaps: readonly Gap[]): Promise<boolean> {
    const result = await this.#options.post(batch);
    switch (result.type) {
      case "accepted":
        this.#failureCount = 0;
        this.#skewMs = result.skewMs;
        this.#trouble = null;
        this.#remark = result.remark ?? null;
        await this.#options.spool.forgetGaps(gaps);
        return true;
      case "refused":
        this.#refusedTotal += 1;
        await this.#options.putAside(batch, result.reason);
        this.#trouble = result.reason;
        await this.#options.spool.addGap({ startMs, endMs, reason: "refused" });
        return true;
      case "again":
        this.#trouble = "The ingest asks for a retry later.";
        this.#pause(result.afterMs * (1 + this.#options.random()));
        return false;
      case "unreachable": {
        this.#trouble = result.reason;
        const longestMs = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** this.#failureCount);
        this.#failureCount += 1;
        this.#pause(longestMs * (1 - this.#options.random() / 2));
        return false;
      }
    }
  }

  #pause(ms: number): void {
    this.#notBeforeMs = this.#options.nowMs() + ms;
  }
}
