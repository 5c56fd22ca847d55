import { type DescribedMetrics, onDrive, onStash } from "./definition.ts";

export const counters = {
  stashlight_uploads_total: { help: "Uploads answered.", labels: ["path", "result"] },
  stashlight_uploads_overlapping_total: {
    help: "Uploads during which another upload ended, so that the two overlapped.",
  },
  stashlight_upload_bytes_total: { help: "Bytes of the bodies of acknowledged uploads.", labels: ["path"] },
  stashlight_fallbacks_total: { help: "Small uploads that took the direct path.", labels: ["reason"] },
  stashlight_lifecycle_expired_objects_total: { help: "Objects that lifecycle rules have deleted." },
  stashlight_lifecycle_expired_bytes_total: { help: "Bytes of objects that lifecycle rules have deleted." },
  stashlight_lifecycle_aborted_uploads_total: {
    help: "Multipart uploads that were aborted because they were older than a lifecycle rule allows, or than a week if there is none.",
  },
  stashlight_lifecycle_aborted_bytes_total: {
    help: "Bytes of the parts of multipart uploads that lifecycle rules have aborted.",
  },
  stashlight_lifecycle_passes_total: {
    help: "Passes through all buckets that applied lifecycle rules.",
  },
  stashlight_lifecycle_failures_total: {
    help: "Failed attempts to apply lifecycle rules; each is retried.",
  },
  stashlight_pieces_collected_total: {
    help: "Pieces of large objects that were deleted because nothing referred to them.",
  },
  stashlight_pieces_collected_bytes_total: {
    help: "Bytes of pieces of large objects that were deleted because nothing referred to them.",
  },
  stashlight_collection_failures_total: {
    help: "Failed attempts to delete pieces of large objects; each is retried.",
  },
  stashlight_collections_left_total: {
    help: "Bodies of large objects that did not fit into the collector's queue; the sweep finds them later.",
  },
  stashlight_lease_failures_total: {
    help: "Leases that could not be stored, and requests that did not fit into one; other coordinators may collect the pieces that these requests read.",
    labels: ["reason"],
  },
  stashlight_requests_total: { help: "S3 requests answered.", labels: ["operation", "status"] },
  stashlight_requests_shed_total: {
    help: "S3 requests answered SlowDown because the vault was overloaded.",
    labels: ["operation", "reason"],
  },
  stashlight_shards_written_total: { unit: "shards", help: "Shards appended.", ...onDrive },
  stashlight_shard_written_bytes_total: { help: "Payload bytes of shards appended.", ...onDrive },
  stashlight_shards_recovered_total: {
    unit: "shards",
    help: "Shards found on a drive by recovery.",
    ...onDrive,
  },
  stashlight_shards_repaired_total: {
    unit: "shards",
    help: "Shards that a pod pulled or rebuilt because it lacked them.",
    ...onDrive,
  },
  stashlight_purges_accepted_total: { help: "Shards purged from a stash device.", ...onStash },
  stashlight_purges_refused_total: {
    help: "Purges that a stash device refused.",
    labels: ["stash", "device", "reason"],
    isOfDrive: true,
  },
  stashlight_refusals_total: {
    help: "Messages that a state machine refused.",
    labels: ["tier", "device", "reason"],
    isOfDrive: true,
  },
  stashlight_fsync_errors_total: { help: "Syncs that failed; each ends the use of its volume.", ...onDrive },
  stashlight_read_errors_total: {
    help: "Reads that failed on a drive, including those of scrubs, compaction and opening.",
    ...onDrive,
  },
  stashlight_records_corrupt_total: {
    unit: "records",
    help: "Records newly found to be corrupt: they failed their checksum twice.",
    ...onDrive,
  },
  stashlight_records_repaired_total: {
    unit: "records",
    help: "Corrupt records that were written again from other drives, or could be read after all.",
    ...onDrive,
  },
  stashlight_drive_failures_total: { help: "Times that a drive was closed because it failed.", ...onDrive },
  stashlight_device_reads_total: {
    help: "Reads that the device completed while the agent ran, as the kernel counts them.",
    ...onDrive,
  },
  stashlight_device_read_bytes_total: {
    help: "Bytes read from the device while the agent ran, as the kernel counts them.",
    ...onDrive,
  },
  stashlight_device_writes_total: {
    help: "Writes that the device completed while the agent ran, as the kernel counts them; absent where drives of the agent share a device.",
    ...onDrive,
  },
  stashlight_device_written_bytes_total: {
    help: "Bytes written to the device while the agent ran, as the kernel counts them; absent where drives of the agent share a device.",
    ...onDrive,
  },
  stashlight_commits_total: {
    help: "Operations that ended with data on a drive, as a scraped store counts them while the agent runs.",
    labels: ["tier", "device", "operation"],
    isOfDrive: true,
  },
  stashlight_commit_seconds_total: {
    help: "Total time of the operations in stashlight_commits_total, as a scraped store adds it up; divided by their count it is their mean.",
    labels: ["tier", "device", "operation"],
    isOfDrive: true,
  },
  stashlight_journal_written_bytes_total: {
    help: "Bytes of synchronous writes that ZFS wrote to log devices, or to the pool if there is no log device or it is full.",
    labels: ["device", "part"],
  },
  stashlight_writes_throttled_total: {
    help: "Writes that ZFS delayed because more data waited for its drives than it allows.",
    labels: ["device", "reason"],
  },
  stashlight_scrapes_failed_total: {
    help: "Scrapes of stores without an answer, or with an unusable one.",
    labels: ["source", "reason"],
  },
  stashlight_transport_received_bytes_total: { help: "Bytes of frames received from other nodes." },
  stashlight_transport_sent_bytes_total: { help: "Bytes of frames sent to other nodes." },
  stashlight_transport_dropped_total: {
    help: "Messages to other nodes that were not sent.",
    labels: ["reason"],
  },
  stashlight_transport_refused_total: {
    help: "Connections and messages of other nodes that were refused.",
    labels: ["reason"],
  },
  stashlight_admin_refused_total: { help: "Requests to a node's admin pages without the right token." },
} as const satisfies DescribedMetrics;
