/**
 * Limited number of finished uploads with all their moments: every Nth upload, the first of each bucket, those slower
 * than the running p99 of their path and size class, and separately the slowest of the last hour. An upload that is not
 * kept costs a recorded value and a comparison.
 */
import assert from "node:assert/strict";
import { toSizeClass } from "@stashlight/contracts/metrics";
import { RunningP99 } from "./running-p99.ts";
import { SlowestOfHour } from "./slowest.ts";
import {
  type KeptBecause,
  type TraceSnapshot,
  type UploadEnd,
  type UploadStart,
  UploadTrace,
} from "./upload-trace.ts";

export interface TraceRingOptions {
  /** Monotonic clock in milliseconds, with fractions. */
  readonly nowMs: () => number;
  /** Wall clock in milliseconds. */
  readonly wallClockMs: () => number;
  /** Number of sampled and slow traces that are kept; the oldest are dropped first. */
  readonly capacity?: number;
  /** Sampling interval: one of this many uploads is always kept. */
  readonly sampleEvery?: number;
  readonly slowestCapacity?: number;
}

export interface TraceRingSnapshot {
  /** Number of finished uploads, kept or not. */
  readonly finishedCount: number;
  readonly sampleEvery: number;
  /** Sampled and slow uploads, newest first. */
  readonly recent: readonly TraceSnapshot[];
  /** Uploads of the last hour, slowest first. */
  readonly slowest: readonly TraceSnapshot[];
}

/** Limit on buckets whose first upload is kept; further ones are only sampled. */
const firstsMax = 1_000;

export interface TraceRing {
  begin(start: UploadStart): UploadTrace;
  /** Marks the upload as answered, now or at `atMs`. Later moments may still be marked. */
  finish(trace: UploadTrace, end: UploadEnd, atMs?: number): void;
  /** Finds the kept trace of an upload, to mark later moments from other nodes, such as a flush or purge. */
  find(uploadId: string): UploadTrace | null;
  /** Plain data, for JSON. */
  snapshot(): TraceRingSnapshot;
}

export function createTraceRing(options: TraceRingOptions): TraceRing {
  const { nowMs, wallClockMs, capacity = 256, sampleEvery = 100, slowestCapacity = 20 } = options;
  for (const [name, value] of Object.entries({ capacity, sampleEvery, slowestCapacity })) {
    assert(Number.isInteger(value) && value >= 1, `${name} must be a whole number from 1, not ${value}.`);
  }
  /** Oldest first, since a Map keeps insertion order. */
  const recent = new Map<UploadTrace, KeptBecause[]>();
  const kept = new KeptTraces();
  const slowest = new SlowestOfHour<UploadTrace>(slowestCapacity, (trace) => kept.release(trace));
  const p99s = new Map<string, RunningP99>();
  const firsts = new Set<string>();
  let finishedCount = 0;

  const keepRecent = (trace: UploadTrace, because: KeptBecause[]): void => {
    recent.set(trace, because);
    kept.hold(trace);
    if (recent.size <= capacity) return;
    const [oldest] = recent.keys();
    if (!oldest) return;
    recent.delete(oldest);
    kept.release(oldest);
  };

  const findP99 = (path: string, sizeBytes: number): RunningP99 => {
    const key = `${path} ${toSizeClass(sizeBytes)}`;
    const known = p99s.get(key);
    if (known) return known;
    const made = new RunningP99();
    p99s.set(key, made);
    return made;
  };

  /** Keeps the first stored upload; a failed attempt before it does not count. */
  const isFirst = ({ start: { bucket } }: UploadTrace, { result }: UploadEnd): boolean => {
    const key = `${bucket} ${result}`;
    if (firsts.has(key) || firsts.size >= firstsMax) return false;
    firsts.add(key);
    return true;
  };

  const finish = (trace: UploadTrace, end: UploadEnd, atMs = nowMs()): void => {
    if (!trace.finish(end, atMs)) return;
    const durationMs = trace.totalMs ?? 0;
    const isSlow = findP99(end.path, trace.start.sizeBytes).observe(durationMs / 1000, atMs);
    const because: KeptBecause[] = [];
    if (isFirst(trace, end) || finishedCount % sampleEvery === 0) because.push("sampled");
    if (isSlow) because.push("slow");
    finishedCount += 1;
    if (because.length > 0) keepRecent(trace, because);
    if (slowest.offer(trace, durationMs, atMs)) kept.hold(trace);
  };

  return {
    begin: (start) => new UploadTrace(start, nowMs(), wallClockMs(), nowMs),
    finish,
    find: (uploadId) => kept.find(uploadId),
    snapshot: () => {
      const ofHour = slowest.list(nowMs());
      const isOfHour = new Set(ofHour);
      const reasons = (trace: UploadTrace): KeptBecause[] => [
        ...(recent.get(trace) ?? []),
        ...(isOfHour.has(trace) ? (["slowest"] as const) : []),
      ];
      const all = (traces: Iterable<UploadTrace>) =>
        [...traces].flatMap((trace) => trace.snapshot(reasons(trace)) ?? []);
      return { finishedCount, sampleEvery, recent: all(recent.keys()).reverse(), slowest: all(ofHour) };
    },
  };
}

/** Traces by upload id while one of the lists holds them. */
class KeptTraces {
  readonly #holders = new Map<string, { readonly trace: UploadTrace; count: number }>();

  hold(trace: UploadTrace): void {
    const known = this.#holders.get(trace.start.uploadId);
    if (known?.trace === trace) known.count += 1;
    else this.#holders.set(trace.start.uploadId, { trace, count: 1 });
  }

  release(trace: UploadTrace): void {
    const known = this.#holders.get(trace.start.uploadId);
    if (known?.trace !== trace) return;
    known.count -= 1;
    if (known.count === 0) this.#holders.delete(trace.start.uploadId);
  }

  find(uploadId: string): UploadTrace | null {
    return this.#holders.get(uploadId)?.trace ?? null;
  }
}
