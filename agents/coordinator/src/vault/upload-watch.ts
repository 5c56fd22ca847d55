/**
 * Observes uploads through the state machine's effects and events, without influencing them: the times of each shard,
 * when quorums were reached, and the path and its reason. Feeds metrics and kept traces.
 */
import {
  createTraceRing,
  type HistogramHandle,
  type Recorder,
  type TraceRing,
  type UploadTrace,
} from "@stashlight/telemetry";
import type { Address, Message, PutOutcome, UploadHeader } from "@stashlight/write-path";

/** Name under which an upload is stored; a piece has a different name from the client's object. */
type StoredName = Pick<UploadHeader, "bucket" | "key" | "userMetadata">;

export interface UploadWatchOptions {
  readonly recorder: Recorder;
  readonly nowMs: () => number;
  readonly acknowledge: number;
  readonly shardCount: number;
  readonly smallUploadBytesMax: number;
  /** The client's bucket, whether the upload is whole or a piece; null for a record of the vault itself. */
  readonly clientBucketOf: (stored: StoredName) => string | null;
  /** Called for every acknowledged version, including deletions. */
  readonly acknowledged: (upload: UploadHeader) => void;
}

type MessageOf<Type extends Message["type"]> = Extract<Message, { type: Type }>;

/** Send times of an upload's unanswered shards. */
interface Sent {
  readonly podSentMs: number[];
  readonly stashSentMs: number[];
}

interface Watched extends Sent {
  readonly trace: UploadTrace;
  readonly sizeBytes: number;
  readonly isDirect: boolean;
  firstSentMs: number;
  writtenCount: number;
  durableCount: number;
  podQuorumMs: number | null;
  /**
   * True if pods were asked to flush from the start, because too few stash devices work; some devices may still be on
   * trial.
   */
  isDirectFromStart: boolean;
  isStashFull: boolean;
}

/** Number of later attempts after which an unanswered attempt is forgotten. */
const WATCHED_COUNT_MAX = 10_000;
/** Limit on answered uploads whose stragglers are awaited, so that shard metrics include the slowest. */
const STRAGGLING_COUNT_MAX = 256;

export class UploadWatch {
  readonly traces: TraceRing;
  readonly #options: UploadWatchOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #straggling = new Map<string, Sent>();
  readonly #shardAcks: readonly HistogramHandle[];
  readonly #podAck: HistogramHandle;
  readonly #stashAck: HistogramHandle;
  readonly #podQuorum: HistogramHandle;
  readonly #podQuorumOfStashPath: HistogramHandle;
  readonly #stashQuorum: HistogramHandle;
  readonly #encode: HistogramHandle;

  constructor(options: UploadWatchOptions) {
    const { recorder, nowMs, shardCount } = options;
    this.#options = options;
    this.traces = createTraceRing({ nowMs, wallClockMs: Date.now });
    this.#shardAcks = Array.from({ length: shardCount }, (_, pod) =>
      recorder.histogram("stashlight_shard_ack_seconds", { pod: `p${pod}` }),
    );
    this.#podAck = recorder.histogram("stashlight_pod_ack_seconds", {});
    this.#stashAck = recorder.histogram("stashlight_stash_ack_seconds", {});
    this.#podQuorum = recorder.histogram("stashlight_quorum_wait_seconds", { set: "pods" });
    this.#podQuorumOfStashPath = recorder.histogram("stashlight_pod_quorum_seconds", {});
    this.#stashQuorum = recorder.histogram("stashlight_quorum_wait_seconds", { set: "stash" });
    this.#encode = recorder.histogram("stashlight_encode_seconds", {});
  }

  /** Called when an attempt begins; its shards were computed between the two times. */
  begin(
    uploadId: string,
    {
      sizeBytes,
      isDirect,
      encodeStartMs,
      encodeEndMs,
      ...stored
    }: StoredName & {
      readonly sizeBytes: number;
      /** The client requested no stash, so this is not a fallback. */
      readonly isDirect: boolean;
      readonly encodeStartMs: number;
      readonly encodeEndMs: number;
    },
  ): void {
    const { shardCount, clientBucketOf } = this.#options;
    const bucket = clientBucketOf(stored);
    if (bucket === null) return;
    const trace = this.traces.begin({ uploadId, bucket, sizeBytes, shardCount });
    trace.mark("encodeStart", encodeStartMs);
    trace.mark("encodeEnd", encodeEndMs);
    this.#encode.record((encodeEndMs - encodeStartMs) / 1000);
    this.#watched.set(uploadId, {
      trace,
      sizeBytes,
      isDirect,
      podSentMs: [],
      stashSentMs: [],
      firstSentMs: encodeEndMs,
      writtenCount: 0,
      durableCount: 0,
      podQuorumMs: null,
      isDirectFromStart: false,
      isStashFull: false,
    });
    if (this.#watched.size <= WATCHED_COUNT_MAX) return;
    const oldest = this.#watched.keys().next();
    if (!oldest.done) this.#watched.delete(oldest.value);
  }

  sent(_to: Address, message: Message): void {
    if (message.type !== "pod.append" && message.type !== "stash.append") return;
    const { upload, shardIndex } = message.shard;
    const watched = this.#watched.get(upload.uploadId);
    if (watched === undefined) return;
    const nowMs = this.#options.nowMs();
    if (message.type === "stash.append") {
      watched.stashSentMs[shardIndex] ??= nowMs;
      watched.trace.markShard("stashSent", shardIndex, nowMs);
    } else if (message.purpose === "put") {
      if (watched.podSentMs[shardIndex] === undefined) {
        watched.podSentMs[shardIndex] = nowMs;
        watched.isDirectFromStart = message.isDurable;
      }
      watched.trace.markShard("podSent", shardIndex, nowMs);
    }
  }

  heard(message: Message): void {
    if (message.type === "coordinator.podAppended") this.#podAppended(message);
    else if (message.type === "coordinator.stashAppended") this.#stashAppended(message);
  }

  #stashAppended({ uploadId, shardIndex, result }: MessageOf<"coordinator.stashAppended">): void {
    const watched = this.#watched.get(uploadId);
    const nowMs = this.#options.nowMs();
    // Events after the answer appear only in a kept trace.
    const trace = watched?.trace ?? this.traces.find(uploadId);
    if (result === "durable") {
      trace?.markShard("stashDurable", shardIndex, nowMs);
      const sent = watched ?? this.#straggling.get(uploadId);
      const sentMs = sent?.stashSentMs[shardIndex];
      if (sentMs !== undefined) this.#stashAck.record((nowMs - sentMs) / 1000);
      delete sent?.stashSentMs[shardIndex];
    }
    if (watched === undefined) return;
    if (result === "full") watched.isStashFull = true;
    if (result !== "durable") return;
    watched.durableCount += 1;
    if (watched.durableCount !== this.#options.acknowledge) return;
    watched.trace.mark("stashQuorum", nowMs);
    this.#stashQuorum.record((nowMs - watched.firstSentMs) / 1000);
  }

  #podAppended({ uploadId, podIndex, result }: MessageOf<"coordinator.podAppended">): void {
    const watched = this.#watched.get(uploadId);
    const trace = watched?.trace ?? this.traces.find(uploadId);
    if (result === "durable") trace?.markShard("flushed", podIndex);
    if (watched === undefined) trace?.markShard("podWritten", podIndex);
    const sent = watched ?? this.#straggling.get(uploadId);
    const sentMs = sent?.podSentMs[podIndex];
    if (sentMs === undefined) return;
    const nowMs = this.#options.nowMs();
    // A shard that is first written and later durable is answered twice.
    delete sent?.podSentMs[podIndex];
    this.#shardAcks[podIndex]?.record((nowMs - sentMs) / 1000);
    if (result === "written") this.#podAck.record((nowMs - sentMs) / 1000);
    if (watched === undefined) return;
    watched.trace.markShard("podWritten", podIndex, nowMs);
    watched.writtenCount += 1;
    if (watched.writtenCount !== this.#options.acknowledge) return;
    watched.trace.mark("podQuorum", nowMs);
    watched.podQuorumMs = nowMs - watched.firstSentMs;
    this.#podQuorum.record(watched.podQuorumMs / 1000);
  }

  answered(uploadId: string, outcome: PutOutcome): void {
    const { recorder, smallUploadBytesMax, acknowledged } = this.#options;
    if (outcome.type === "stored") acknowledged(outcome.upload);
    const watched = this.#watched.get(uploadId);
    if (watched === undefined) return;
    this.#watched.delete(uploadId);
    this.#waitForStragglers(uploadId, watched);
    const { trace, sizeBytes, isDirect, isDirectFromStart, isStashFull, podQuorumMs } = watched;
    const path = outcome.type === "stored" ? outcome.path : "direct";
    if (outcome.type === "stored") trace.mark("quorum");
    this.traces.finish(trace, { path, result: outcome.type });
    if (path === "stash" && podQuorumMs !== null) this.#podQuorumOfStashPath.record(podQuorumMs / 1000);
    if (path === "stash" || isDirect || sizeBytes > smallUploadBytesMax) return;
    if (outcome.type !== "stored") return;
    const reason = isDirectFromStart ? "too few stash devices" : isStashFull ? "stash full" : "stash slow";
    recorder.counter("stashlight_fallbacks_total", { reason }).add();
  }

  #waitForStragglers(uploadId: string, { podSentMs, stashSentMs }: Sent): void {
    this.#straggling.set(uploadId, { podSentMs, stashSentMs });
    if (this.#straggling.size <= STRAGGLING_COUNT_MAX) return;
    const oldest = this.#straggling.keys().next();
    if (!oldest.done) this.#straggling.delete(oldest.value);
  }
}
