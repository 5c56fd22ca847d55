/**
 * A simulated agent: it sends ordinary batches, with its own key. Windows that cannot be delivered are queued; those
 * that wait too long are dropped, and a later batch reports the gap. A window is created when it is sent, because its
 * contents are a function of time.
 */
import {
  type Batch,
  decodeBuckets,
  ExponentialHistogram,
  encodeBatch,
  type Gap,
  type PackedHistogram,
  type PostResult,
} from "@stashlight/telemetry";
import { WINDOW_MS } from "./depths.ts";
import type { Measures } from "./measure.ts";
import { makeMeasures } from "./measures.ts";
import { bootMsAt, isSilent, silenceBefore } from "./node-life.ts";
import type { FleetNode } from "./plan.ts";
import { fleetWindow } from "./window.ts";

/** One hour of windows. */
const WAITING_WINDOWS_MAX = 360;
const UNREACHABLE_MS = 10_000;

export interface SimulatedAgentOptions {
  readonly node: FleetNode;
  /** Windows that end after this moment are sent; they end at the same moments on all nodes. */
  readonly fromMs: number;
  readonly nowMs: () => number;
  /** Posts a batch. It never rejects. */
  readonly post: (batch: Uint8Array) => Promise<PostResult>;
  readonly onRefused: (reason: string) => void;
}

export class SimulatedAgent {
  readonly #options: SimulatedAgentOptions;
  readonly #measures: Measures;
  readonly #startedMs: number;
  /** End times of the windows not yet sent. */
  #waiting: number[] = [];
  #gaps: Gap[] = [];
  /** The batch sent but not acknowledged. It is sent again unchanged, so that it counts once. */
  #inFlight: { readonly gaps: readonly Gap[]; readonly bytes: Uint8Array } | null = null;
  #newestMs: number;
  #isSending = false;
  #notBeforeMs = 0;
  #bootId = 0;
  #sequence = 0;
  #totals: number[] = [];

  constructor(options: SimulatedAgentOptions) {
    this.#options = options;
    this.#measures = makeMeasures(options.node);
    this.#startedMs = options.nowMs();
    this.#newestMs = Math.floor(options.fromMs / WINDOW_MS) * WINDOW_MS;
  }

  /** Sends all windows that have ended since the last call. Resolves when nothing more can be delivered. */
  async turn(): Promise<void> {
    const { nowMs } = this.#options;
    const untilMs = Math.floor(nowMs() / WINDOW_MS) * WINDOW_MS;
    for (let endMs = this.#newestMs + WINDOW_MS; endMs <= untilMs; endMs += WINDOW_MS) this.#measure(endMs);
    if (this.#isSending || nowMs() < this.#notBeforeMs) return;
    this.#isSending = true;
    try {
      await this.#deliver();
    } finally {
      this.#isSending = false;
    }
  }

  #measure(endMs: number): void {
    const { node } = this.#options;
    const silence = silenceBefore(node, endMs);
    if (silence !== null && this.#newestMs < silence.endMs && endMs >= silence.endMs) {
      this.#gaps.push({ ...silence, reason: "spool_full" });
    }
    this.#newestMs = endMs;
    if (isSilent(node, endMs)) return;
    this.#waiting.push(endMs);
    if (this.#waiting.length <= WAITING_WINDOWS_MAX) return;
    // Drops the second oldest window, because the oldest may be in progress.
    const [lostMs] = this.#waiting.splice(1, 1) as [number];
    this.#gaps.push({ startMs: lostMs - WINDOW_MS, endMs: lostMs, reason: "spool_full" });
  }

  async #deliver(): Promise<void> {
    for (;;) {
      const endMs = this.#waiting[0];
      if (endMs === undefined) return;
      if (this.#inFlight === null) {
        const gaps = [...this.#gaps];
        this.#inFlight = { gaps, bytes: encodeBatch(this.#batch(endMs, gaps)) };
      }
      const { gaps, bytes } = this.#inFlight;
      const result = await this.#options.post(bytes);
      if (result.type === "again" || result.type === "unreachable") {
        this.#notBeforeMs =
          this.#options.nowMs() + (result.type === "again" ? result.afterMs : UNREACHABLE_MS);
        return;
      }
      if (result.type === "refused") this.#options.onRefused(result.reason);
      this.#inFlight = null;
      this.#waiting = this.#waiting.filter((each) => each !== endMs);
      this.#gaps = this.#gaps.filter((gap) => !gaps.includes(gap));
    }
  }

  #batch(endMs: number, gaps: readonly Gap[]): Batch {
    const { node } = this.#options;
    const bootId = Math.max(this.#startedMs, bootMsAt(node, endMs));
    if (bootId !== this.#bootId) {
      this.#bootId = bootId;
      this.#sequence = 0;
      this.#totals = this.#measures.counters.map(() => 0);
    }
    this.#sequence += 1;
    const { histograms, gauges, increases } = fleetWindow(node, this.#measures, endMs, WINDOW_MS);
    this.#totals = this.#totals.map((total, i) => total + (increases[i] as number));
    return {
      nodeId: node.name,
      bootId,
      sequence: this.#sequence,
      gaps,
      window: {
        startMs: endMs - WINDOW_MS,
        endMs,
        histograms: this.#measures.histograms.flatMap(({ metric, labels }, i) => {
          const drawn = histograms[i];
          return drawn === undefined ? [] : [{ metric, labels, histogram: unpacked(drawn.packed) }];
        }),
        gauges: this.#measures.gauges.map(({ metric, labels }, i) => ({
          metric,
          labels,
          value: gauges[i] as number,
        })),
        counters: this.#measures.counters.map(({ metric, labels }, i) => ({
          metric,
          labels,
          total: this.#totals[i] as number,
          increase: increases[i] as number,
        })),
      },
    };
  }
}

const unpacked = (packed: PackedHistogram): ExponentialHistogram =>
  ExponentialHistogram.from({ ...packed, buckets: decodeBuckets(packed.buckets) });
