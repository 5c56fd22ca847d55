import type { DescribedMetrics } from "./definition.ts";

/** Metrics of the endpoint that receives agents' batches. */
export const ingest = {
  stashlight_ingest_requests_total: {
    help: "Requests that were answered, by operation and status.",
    labels: ["operation", "status"],
  },
  stashlight_ingest_batches_total: {
    help: "Batches by result: committed, or the reason why not.",
    labels: ["result"],
  },
  stashlight_ingest_traces_total: { help: "Sampled uploads by result.", labels: ["result"] },
  stashlight_ingest_refused_values_total: {
    help: "Values that were not stored as sent: dropped, or counted under another label value.",
    labels: ["reason"],
  },
  stashlight_ingest_received_bytes_total: { help: "Bytes of batches as received, mostly compressed." },
  stashlight_ingest_decoded_bytes_total: { help: "Bytes of batches after decompression." },
  stashlight_ingest_commit_seconds: {
    help: "Time that the database takes to commit a group of batches.",
    octaves: { lowest: -10, highest: 5 },
  },
  stashlight_ingest_commit_records: {
    help: "Batches in one group commit.",
    octaves: { lowest: 0, highest: 10 },
  },
  stashlight_ingest_waiting_bytes: { help: "Bytes of batches that wait to be committed." },
  stashlight_ingest_resident_bytes: { help: "Resident memory of the ingest." },
} as const satisfies DescribedMetrics;
