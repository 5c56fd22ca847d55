import { type DescribedMetrics, type OctaveRange, onDrive, onPod, onStash } from "./definition.ts";

/** 7.6 microseconds to 32 seconds. */
const LATENCY: OctaveRange = { lowest: -17, highest: 5 };
/** 8 milliseconds to 36 hours. */
const LAG: OctaveRange = { lowest: -7, highest: 17 };
const BATCH: OctaveRange = { lowest: 0, highest: 13 };

export const histograms = {
  stashlight_fsync_seconds: {
    help: "Time of one sync of a drive, from the call to its answer.",
    ...onDrive,
    octaves: LATENCY,
  },
  stashlight_shard_write_seconds: {
    help: "Time from a shard's arrival at its drive until it is written (pod) or durable (stash).",
    ...onDrive,
    octaves: LATENCY,
  },
  stashlight_shard_ack_seconds: {
    help: "Time from sending a shard to a pod to the pod's answer, as the coordinator sees it.",
    labels: ["pod"],
    octaves: LATENCY,
  },
  stashlight_pod_ack_seconds: {
    help: "Time from sending a shard of an upload on the stash path to the pod's answer that it is written.",
    octaves: LATENCY,
  },
  stashlight_stash_ack_seconds: {
    help: "Time from sending a shard to the stash to the answer that it is durable there.",
    octaves: LATENCY,
  },
  stashlight_upload_seconds: {
    help: "Time of an acknowledged upload from its first byte to its answer.",
    labels: ["path", "size_class"],
    octaves: LATENCY,
  },
  stashlight_upload_edge_seconds: {
    help: "Time of an acknowledged upload outside its wait for the quorum: receiving, hashing, encoding, answering.",
    labels: ["path"],
    octaves: LATENCY,
  },
  stashlight_upload_quorum_seconds: {
    help: "Time of an acknowledged upload from sending its first shard to the quorum of every set that it waits for.",
    labels: ["path"],
    octaves: LATENCY,
  },
  stashlight_request_seconds: {
    help: "Time from the first byte of an S3 request to the last byte of its answer.",
    labels: ["operation"],
    octaves: LATENCY,
  },
  stashlight_admission_wait_seconds: {
    help: "Time that an admitted S3 request waited for its turn; an upload waits from the moment its body was received.",
    labels: ["operation"],
    octaves: LATENCY,
  },
  stashlight_quorum_wait_seconds: {
    help: "Time from sending the first shard of an upload to the quorum of one set.",
    labels: ["set"],
    octaves: LATENCY,
  },
  stashlight_pod_quorum_seconds: {
    help: "Time from sending the first shard of an upload on the stash path to the quorum of pods.",
    octaves: LATENCY,
  },
  stashlight_encode_seconds: { help: "Time to compute the parity of an upload.", octaves: LATENCY },
  stashlight_purge_lag_seconds: {
    help: "Time from a shard being durable on the stash to its purge.",
    ...onStash,
    octaves: LAG,
  },
  stashlight_flush_queue_seconds: {
    help: "Time from a shard being written on a pod to the flush that made it durable.",
    ...onPod,
    octaves: LAG,
  },
  stashlight_commit_batch_records: {
    help: "Records in one group commit of a stash device.",
    ...onStash,
    octaves: BATCH,
  },
} as const satisfies DescribedMetrics;
