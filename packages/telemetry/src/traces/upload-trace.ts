/**
 * Moments of one upload, marked as they happen. Marking stores a number, which is interpreted only for uploads that are
 * kept. Moments after the answer (stragglers, flushes, purges) are marked in the same way.
 */
import type { UploadPath } from "@stashlight/contracts/metrics";

/** Moments of the upload as a whole, in their usual order. */
const uploadMoments = [
  "verifyStart",
  "verifyEnd",
  "encodeStart",
  "encodeEnd",
  "podQuorum",
  "stashQuorum",
  "quorum",
] as const;

/** Moments of each shard on its way to the pod and to the stash. */
const shardMoments = ["podSent", "podWritten", "stashSent", "stashDurable", "flushed", "purged"] as const;

export type UploadMoment = (typeof uploadMoments)[number];
export type ShardMoment = (typeof shardMoments)[number];

const uploadMomentIndex = Object.fromEntries(uploadMoments.map((name, i) => [name, i])) as Record<
  UploadMoment,
  number
>;
const shardMomentIndex = Object.fromEntries(shardMoments.map((name, i) => [name, i])) as Record<
  ShardMoment,
  number
>;

export interface UploadStart {
  readonly uploadId: string;
  readonly bucket: string;
  readonly sizeBytes: number;
  readonly shardCount: number;
}

export interface UploadEnd {
  readonly path: UploadPath;
  /** "stored", or the reason of the failure. */
  readonly result: string;
}

/** Reason why a finished trace is kept. */
export type KeptBecause = "sampled" | "slow" | "slowest";

type Span = { readonly startUs: number | null; readonly endUs: number | null };

/** Trace as JSON. Moments are microseconds from `startedAtMs`; null for those that did not happen or are unknown. */
export interface TraceSnapshot {
  readonly uploadId: string;
  readonly bucket: string;
  readonly sizeBytes: number;
  readonly path: UploadPath;
  readonly result: string;
  /** Wall-clock time. */
  readonly startedAtMs: number;
  readonly totalUs: number;
  readonly keptBecause: readonly KeptBecause[];
  readonly verify: Span;
  readonly encode: Span;
  readonly podQuorumUs: number | null;
  readonly stashQuorumUs: number | null;
  readonly quorumUs: number | null;
  readonly shards: readonly (Readonly<Record<`${ShardMoment}Us`, number | null>> & {
    readonly index: number;
  })[];
}

export class UploadTrace {
  readonly start: UploadStart;
  readonly startMs: number;
  readonly startedAtMs: number;
  readonly #nowMs: () => number;
  readonly #marks: number[];
  #end: (UploadEnd & { readonly totalMs: number }) | null = null;

  /** `startMs` and `nowMs` use a monotonic clock; `startedAtMs` uses the wall clock. */
  constructor(start: UploadStart, startMs: number, startedAtMs: number, nowMs: () => number) {
    this.start = start;
    this.startMs = startMs;
    this.startedAtMs = startedAtMs;
    this.#nowMs = nowMs;
    const markCount = uploadMoments.length + start.shardCount * shardMoments.length;
    this.#marks = new Array<number>(markCount).fill(Number.NaN);
  }

  /** Marks a moment as now, or at `atMs` on the same clock. Only the first mark of a moment counts. */
  mark(moment: UploadMoment, atMs: number = this.#nowMs()): void {
    this.#put(uploadMomentIndex[moment], atMs);
  }

  /** Ignores an index beyond the upload's shards. */
  markShard(moment: ShardMoment, shardIndex: number, atMs: number = this.#nowMs()): void {
    if (!(shardIndex >= 0 && shardIndex < this.start.shardCount)) return;
    this.#put(uploadMoments.length + shardIndex * shardMoments.length + shardMomentIndex[moment], atMs);
  }

  #put(at: number, atMs: number): void {
    if (Number.isNaN(this.#marks[at])) this.#marks[at] = atMs;
  }

  get totalMs(): number | null {
    return this.#end?.totalMs ?? null;
  }

  /** Returns false, and changes nothing, if the upload was finished before. */
  finish(end: UploadEnd, atMs: number): boolean {
    if (this.#end !== null) return false;
    this.#end = { ...end, totalMs: Math.max(0, atMs - this.startMs) };
    return true;
  }

  snapshot(keptBecause: readonly KeptBecause[]): TraceSnapshot | null {
    const end = this.#end;
    if (end === null) return null;
    const { uploadId, bucket, sizeBytes, shardCount } = this.start;
    const at = (moment: UploadMoment) => this.#offsetUs(uploadMomentIndex[moment]);
    return {
      uploadId,
      bucket,
      sizeBytes,
      path: end.path,
      result: end.result,
      startedAtMs: this.startedAtMs,
      totalUs: Math.round(end.totalMs * 1000),
      keptBecause,
      verify: { startUs: at("verifyStart"), endUs: at("verifyEnd") },
      encode: { startUs: at("encodeStart"), endUs: at("encodeEnd") },
      podQuorumUs: at("podQuorum"),
      stashQuorumUs: at("stashQuorum"),
      quorumUs: at("quorum"),
      shards: Array.from({ length: shardCount }, (_, index) => this.#shardSnapshot(index)),
    };
  }

  #shardSnapshot(index: number): TraceSnapshot["shards"][number] {
    const base = uploadMoments.length + index * shardMoments.length;
    const at = (moment: ShardMoment) => this.#offsetUs(base + shardMomentIndex[moment]);
    return {
      index,
      podSentUs: at("podSent"),
      podWrittenUs: at("podWritten"),
      stashSentUs: at("stashSent"),
      stashDurableUs: at("stashDurable"),
      flushedUs: at("flushed"),
      purgedUs: at("purged"),
    };
  }

  #offsetUs(at: number): number | null {
    const markMs = this.#marks[at] as number;
    return Number.isNaN(markMs) ? null : Math.round((markMs - this.startMs) * 1000);
  }
}
