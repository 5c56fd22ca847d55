/**
 * Sends new kept traces of a coordinator. Each is sent once, when its last shards have had time to arrive; those that
 * cannot be delivered are dropped and counted, because traces are samples.
 */
import type { PostTracesResult, Recorder, TraceSnapshot } from "@stashlight/telemetry";

export interface TraceSenderOptions {
  /** Returns all traces currently kept, some of them twice. */
  readonly kept: () => readonly TraceSnapshot[];
  /** Posts traces. It does not reject. */
  readonly post: (traces: readonly TraceSnapshot[]) => Promise<PostTracesResult>;
  readonly recorder: Recorder;
  /** The wall clock. */
  readonly nowMs: () => number;
}

/** The ingest's limit for one request. */
export const TRACES_PER_POST_MAX = 64;
/** Shards that arrive after the answer do so within this time, or not at all. */
export const SETTLED_AFTER_MS = 2_000;

export class TraceSender {
  readonly #options: TraceSenderOptions;
  /** Ids of kept traces that were sent or dropped. */
  #done: ReadonlySet<string> = new Set();
  #isSending = false;

  constructor(options: TraceSenderOptions) {
    this.#options = options;
  }

  /** Sends the slowest of the new traces. Does not reject. */
  async send(): Promise<void> {
    if (this.#isSending) return;
    const { kept, post, nowMs } = this.#options;
    const traces = new Map(kept().map((trace) => [trace.uploadId, trace]));
    const settledMs = nowMs() - SETTLED_AFTER_MS;
    const fresh = [...traces.values()].filter(
      (trace) => !this.#done.has(trace.uploadId) && trace.startedAtMs + trace.totalUs / 1000 <= settledMs,
    );
    const isKept = [...this.#done].filter((uploadId) => traces.has(uploadId));
    this.#done = new Set([...isKept, ...fresh.map(({ uploadId }) => uploadId)]);
    if (fresh.length === 0) return;
    const slowest = fresh.toSorted((a, b) => b.totalUs - a.totalUs).slice(0, TRACES_PER_POST_MAX);
    this.#drop("too many", fresh.length - slowest.length);
    this.#isSending = true;
    const result = await post(slowest);
    this.#isSending = false;
    if (result.type !== "accepted") this.#drop(result.type, slowest.length);
  }

  #drop(reason: string, count: number): void {
    if (count === 0) return;
    this.#options.recorder.counter("stashlight_agent_traces_dropped_total", { reason }).add(count);
  }
}
