/** Metrics of requests as S3 clients see them, recorded once a request is answered or lost. */
import type { ObservedRequest, OperationName } from "@stashlight/s3";
import { type CounterHandle, type HistogramHandle, type Recorder, toSizeClass } from "@stashlight/telemetry";

/** Operations that store bytes. */
const UPLOADS: ReadonlySet<OperationName | null> = new Set<OperationName>([
  "PutObject",
  "PostObject",
  "UploadPart",
]);

interface Answers {
  readonly count: CounterHandle;
  readonly seconds: HistogramHandle;
}

export class EdgeMetrics {
  readonly #recorder: Recorder;
  readonly #nowMs: () => number;
  /** Caches the series, because looking one up by labels takes longer than counting. */
  readonly #answers = new Map<string, Answers>();
  /** Time at which the last upload ended. */
  #lastEndMs = Number.NEGATIVE_INFINITY;

  constructor(recorder: Recorder, nowMs: () => number) {
    this.#recorder = recorder;
    this.#nowMs = nowMs;
  }

  /** Called when the request has ended. */
  count(request: ObservedRequest): void {
    const { count, seconds } = this.#answersOf(request.operation ?? "unknown", String(request.status));
    count.add();
    seconds.record(request.durationMs / 1000);
    if (UPLOADS.has(request.operation)) this.#countUpload(request);
  }

  #answersOf(operation: string, status: string): Answers {
    const name = `${operation} ${status}`;
    let answers = this.#answers.get(name);
    if (answers === undefined) {
      const count = this.#recorder.counter("stashlight_requests_total", { operation, status });
      answers = { count, seconds: this.#recorder.histogram("stashlight_request_seconds", { operation }) };
      this.#answers.set(name, answers);
    }
    return answers;
  }

  #countUpload({ status, path, error, receivedBytes, durationMs, timings }: ObservedRequest): void {
    const recorder = this.#recorder;
    const isStored = status === 200 && path !== null;
    const result = isStored ? "stored" : (error?.code ?? String(status));
    recorder.counter("stashlight_uploads_total", { path: path ?? "direct", result }).add();
    const nowMs = this.#nowMs();
    if (nowMs - durationMs < this.#lastEndMs)
      recorder.counter("stashlight_uploads_overlapping_total", {}).add();
    this.#lastEndMs = nowMs;
    if (!isStored) return;
    recorder
      .histogram("stashlight_upload_seconds", { path, size_class: toSizeClass(receivedBytes) })
      .record(durationMs / 1000);
    recorder.counter("stashlight_upload_bytes_total", { path }).add(receivedBytes);
    const quorumMs = timings.get("quorum");
    if (quorumMs === undefined) return;
    recorder.histogram("stashlight_upload_quorum_seconds", { path }).record(quorumMs / 1000);
    recorder
      .histogram("stashlight_upload_edge_seconds", { path })
      .record(Math.max(0, durationMs - quorumMs) / 1000);
  }
}
