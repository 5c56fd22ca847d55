import type { ItemRefusal, Recorder } from "@stashlight/telemetry";

export type BatchResult = "committed" | "pending" | "malformed" | "wrong_node" | "failed";

/** What the ingest tells of itself on /metrics. */
export interface IngestMetrics {
  answered(operation: string, status: number): void;
  batch(result: BatchResult): void;
  traces(result: "stored" | "malformed", count: number): void;
  refused(items: readonly ItemRefusal[]): void;
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
  return {
    answered: (operation, status) =>
      recorder.counter("stashlight_ingest_requests_total", { operation, status: String(status) }).add(),
    batch: (result) => recorder.counter("stashlight_ingest_batches_total", { result }).add(),
    traces: (result, count) => recorder.counter("stashlight_ingest_traces_total", { result }).add(count),
    refused: (items) => {
      for (const { reason } of items) {
        recorder.counter("stashlight_ingest_refused_values_total", { reason }).add();
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
