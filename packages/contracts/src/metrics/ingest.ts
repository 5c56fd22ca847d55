import type { MetricDefinition } from "./definition.ts";

/** Metrics of the endpoint that receives agents' batches. */
export const ingest = {
  stashlight_ingest_requests_total: {
    kind: "counter",
    unit: "count",
    help: "Requests that were answered, by what was asked for and the answer's status.",
    labels: ["operation", "status"],
  },
  stashlight_ingest_batches_total: {
    kind: "counter",
    unit: "count",
    help: "Batches, by what became of them: committed, or why not.",
    labels: ["result"],
  },
  stashlight_ingest_traces_total: {
    kind: "counter",
    unit: "count",
    help: "Sampled uploads, by what became of them.",
    labels: ["result"],
  },
  stashlight_ingest_refused_values_total: {
    kind: "counter",
    unit: "count",
    help: "Values that were not stored as sent: dropped, or counted under another label value.",
    labels: ["reason"],
  },
  stashlight_ingest_received_bytes_total: {
    kind: "counter",
    unit: "bytes",
    help: "Bytes of batches as they came, mostly compressed.",
    labels: [],
  },
  stashlight_ingest_decoded_bytes_total: {
    kind: "counter",
    unit: "bytes",
    help: "Bytes of batches once they were decompressed.",
    labels: [],
  },
  stashlight_ingest_commit_seconds: {
    kind: "histogram",
    unit: "seconds",
    help: "Time that the database took for the batches that were committed together.",
    labels: [],
    octaves: { lowest: -10, highest: 5 },
  },
  stashlight_ingest_commit_records: {
    kind: "histogram",
    unit: "records",
    help: "Batches that were committed together.",
    labels: [],
    octaves: { lowest: 0, highest: 10 },
  },
  stashlight_ingest_waiting_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of batches that wait to be committed.",
    labels: [],
  },
  stashlight_ingest_resident_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Resident memory of the ingest.",
    labels: [],
  },
} as const satisfies Record<string, MetricDefinition>;
