import type { Remark } from "@stashlight/services/metrics/ingest";
import type { CounterHandle, Recorder } from "@stashlight/telemetry";

export type BatchResult = "committed" | "pending" | "malformed" | "wrong_node" | "failed";

/** The ingest's own metrics on /metrics. */
export interface IngestMetrics {
  answered(operation: string, status: number): void;
  batch(result: BatchResult): void;
  traces(result: "stored" | "malformed", count: number): void;
  refused(items: readonly Pick<Remark, "reason" | "count">[]): void;
  received(bytes: number, decodedBytes: number): void;
  committed(batchCount: number, seconds: number): void;
}

export function ingestMetrics(recorder: Recorder, waitingBytes: () => number): IngestMetrics {
  const receivedBytes = recorder.counter("stashlight_ingest_received_bytes_total", {});
  const decodedBytes = recorder.counter("stashlight_ingest_decoded_bytes_total", {});
  const commitSeconds = recorder.histogram("stashlight_ingest_commit_seconds", {});
  const commitRecords = recorder.histogram("stashlight_ingest_commit_records", {});
  const waiting = recorder.gauge("stashlight_ingest_waiting_bytes", {});
  const resident = recorder.gauge("stashlight_ingest_resident_bytes", {});
  recorder.onRead(() => {
    waiting.set(waitingBytes());
    resident.set(process.memoryUsage.rss());
  });
  const requests = kept((operation: string, status: string) =>
    recorder.counter("stashlight_ingest_requests_total", { operation, status }),
  );
  const batches = kept((result: BatchResult) =>
    recorder.counter("stashlight_ingest_batches_total", { result }),
  );
  return {
    answered: (operation, status) => requests(operation, String(status)).add(),
    batch: (result) => batches(result).add(),
    traces: (result, count) => recorder.counter("stashlight_ingest_traces_total", { result }).add(count),
    refused: (items) => {
      for (const { reason, count } of items) {
        recorder.counter("stashlight_ingest_refused_values_total", { reason }).add(count);
      }
    },
    received: (bytes, decoded) => {
      receivedBytes.add(bytes);
      decodedBytes.add(decoded);
    },
    committed: (batchCount, seconds) => {
      commitRecords.record(batchCount);
      commitSeconds.record(seconds);
    },
  };
}

/** Looks a counter up by its labels once instead of on each request. */
function kept<Names extends readonly string[]>(
  make: (...names: Names) => CounterHandle,
): (...names: Names) => CounterHandle {
  const handles = new Map<string, CounterHandle>();
  return (...names) => {
    const key = names.join(" ");
    const handle = handles.get(key) ?? make(...names);
    handles.set(key, handle);
    return handle;
  };
}
