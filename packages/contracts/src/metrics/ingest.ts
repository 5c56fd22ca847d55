import type { DescribedMetrics } from "./definition.ts";

/** Metrics of the endpoint that receives agents' batches. */
export const ingest = {
  stashlight_ingest_requests_total: {
    help: "Requests that were answered, by what was asked for and the answer's status.",
    labels: ["operation", "status"],
  },
  stashlight_ingest_batches_total: {
    help: "Batches, by what became of them: committed, or why not.",
    labels: ["result"],
  },
  stashlight_ingest_traces_total: { help: "Sampled uploads, by what became of them.", labels: ["result"] },
  stashlight_ingest_refused_values_total: {
    help: "Values that were not stored as sent: dropped, or counted under another label value.",
    labels: ["reason"],
  },
  stashlight_ingest_received_bytes_total: { help: "Bytes of batches as they came, mostly compressed." },
  stashlight_ingest_decoded_bytes_total: { help: "Bytes of batches once they were decompressed." },
  stashlight_ingest_commit_seconds: {
    help: "Time that the database took for the batches that were committed together.",
    octaves: { lowest: -10, highest: 5 },
  },
  stashlight_ingest_commit_records: {
    help: "Batches that were committed together.",
    octaves: { lowest: 0, highest: 10 },
  },
  stashlight_ingest_waiting_bytes: { help: "Bytes of batches that wait to be committed." },
  stashlight_ingest_resident_bytes: { help: "Resident memory of the ingest." },
} as const satisfies DescribedMetrics;
