import { type MetricDefinition, onDrive, onPod, onStash } from "./definition.ts";

export const gauges = {
  stashlight_stash_used_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of a stash device that appends cannot take.",
    ...onStash,
  },
  stashlight_stash_live_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of a stash device in records that are not purged.",
    ...onStash,
  },
  stashlight_stash_dead_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of a stash device in purged records whose segments are not recycled.",
    ...onStash,
  },
  stashlight_stash_capacity_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of all segments of a stash device.",
    ...onStash,
  },
  stashlight_stash_free_segments: {
    kind: "gauge",
    unit: "segments",
    help: "Segments of a stash device that hold nothing.",
    ...onStash,
  },
  stashlight_stash_unpurged_shards: {
    kind: "gauge",
    unit: "shards",
    help: "Shards on a stash device that their pod has not yet purged.",
    labels: ["stash", "device", "pod"],
    isOfDrive: true,
  },
  stashlight_stash_oldest_unpurged_seconds: {
    kind: "gauge",
    unit: "seconds",
    help: "Age of the oldest shard on a stash device that is not purged.",
    ...onStash,
  },
  stashlight_flush_backlog_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes that a pod's drive has written and not yet made durable.",
    ...onPod,
  },
  stashlight_flush_backlog_shards: {
    kind: "gauge",
    unit: "shards",
    help: "Shards that a pod's drive has written and not yet made durable.",
    ...onPod,
  },
  stashlight_pod_live_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of a pod's drive in live records.",
    ...onPod,
  },
  stashlight_pod_capacity_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of all extents of a pod's drive.",
    ...onPod,
  },
  stashlight_drive_running: {
    kind: "gauge",
    unit: "boolean",
    help: "1 while a drive is open and its machine runs, 0 while it is failed or opening.",
    ...onDrive,
  },
  stashlight_device_wear_ratio: {
    kind: "gauge",
    unit: "ratio",
    help: "Share of a device's rated endurance that is used, where the device tells.",
    ...onDrive,
  },
  stashlight_connections: {
    kind: "gauge",
    unit: "count",
    help: "Open connections to other nodes.",
    labels: ["tier"],
  },
  stashlight_client_connections: {
    kind: "gauge",
    unit: "count",
    help: "Open connections of S3 clients.",
    labels: [],
  },
  stashlight_durable_margin_shards: {
    kind: "gauge",
    unit: "shards",
    help: "Durable shards, least of a sample of acknowledged uploads, above the number needed to read; what an unreachable node holds is not counted.",
    labels: [],
  },
  stashlight_durable_missing_shards: {
    kind: "gauge",
    unit: "shards",
    help: "Durable shards that the weakest of a sample of acknowledged uploads lacks of those that every acknowledged one has, which the scheme says; what an unreachable node holds is not counted.",
    labels: [],
  },
} as const satisfies Record<string, MetricDefinition>;
