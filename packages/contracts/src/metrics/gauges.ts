import { type DescribedMetrics, onDrive, onPod, onStash } from "./definition.ts";

export const gauges = {
  stashlight_edge_info: {
    help: "Always 1; its labels are the address and the region that S3 clients use at this coordinator.",
    labels: ["url", "region"],
  },
  stashlight_new_keys_ratio: {
    help: "Share of new keys that go to this vault, if several share one endpoint.",
  },
  stashlight_endpoint_vault_info: {
    help: "Always 1; its labels name the endpoint that the vault shares with others, and whether it takes new keys.",
    labels: ["endpoint", "state"],
  },
  stashlight_endpoint_free_bytes: {
    help: "Bytes of objects for which the vault has free space, as a coordinator of several vaults calculates; absent while the vault cannot be reached.",
    labels: ["endpoint"],
  },
  stashlight_endpoint_capacity_bytes: {
    help: "Bytes of objects that the vault can hold, as a coordinator of several vaults calculates.",
    labels: ["endpoint"],
  },
  stashlight_vault_taken_bytes: {
    help: "Used bytes of a vault's capacity for objects, by which a coordinator admits uploads: equal to the capacity while it refuses all of them as full. Missing until the pods have reported.",
  },
  stashlight_vault_capacity_bytes: {
    help: "Bytes of objects that a vault can hold: its capacity without parity and the reserve for deletes and compaction.",
  },
  stashlight_vault_data_shards: { help: "Shards needed to read an object: k of the scheme k+m." },
  stashlight_vault_parity_shards: { help: "Shards of an object that may be lost: m of the scheme k+m." },
  stashlight_vault_rebuild_limit_bytes: {
    help: "Bytes per second at which a pod may be rebuilt.",
  },
  stashlight_vault_pod_settled: {
    unit: "boolean",
    help: "1 while a pod serves its shards to this coordinator; named as the device of its own metrics.",
    labels: ["pod"],
  },
  stashlight_endpoint_epoch: {
    help: "Number of the epoch by which new keys are spread over the vaults behind one endpoint.",
    labels: ["endpoint"],
  },
  stashlight_endpoint_epochs_ratio: {
    help: "Epochs that the coordinators of several vaults keep, as a share of the most that they can keep.",
    labels: ["endpoint"],
  },
  stashlight_stash_used_bytes: {
    help: "Bytes of a stash device that appends cannot use: live records, garbage, and the reserve for purges and compaction.",
    ...onStash,
  },
  stashlight_stash_live_bytes: {
    help: "Bytes of a stash device in records that are not purged.",
    ...onStash,
  },
  stashlight_stash_dead_bytes: {
    help: "Bytes of a stash device in purged records and padding, whose segments are not recycled.",
    ...onStash,
  },
  stashlight_stash_capacity_bytes: { help: "Bytes of all segments of a stash device.", ...onStash },
  stashlight_stash_free_segments: { help: "Empty segments of a stash device.", ...onStash },
  stashlight_stash_unpurged_shards: {
    help: "Shards on a stash device that their pod has not yet purged.",
    labels: ["stash", "device", "pod"],
    isOfDrive: true,
  },
  stashlight_stash_oldest_unpurged_seconds: {
    help: "Age of the oldest shard on a stash device that is not purged.",
    ...onStash,
  },
  stashlight_flush_backlog_bytes: {
    help: "Bytes written to a pod's drive but not yet durable.",
    ...onPod,
  },
  stashlight_flush_backlog_shards: {
    help: "Shards written to a pod's drive but not yet durable.",
    ...onPod,
  },
  stashlight_pod_live_bytes: { help: "Bytes of a pod's drive in live records.", ...onPod },
  stashlight_pod_capacity_bytes: { help: "Bytes of all extents of a pod's drive.", ...onPod },
  stashlight_pod_usable_bytes: {
    help: "Bytes that the records of a pod's drive may use before new data is refused; excludes the reserve for deletes and compaction.",
    ...onPod,
  },
  stashlight_pod_taken_bytes: {
    help: "Usable bytes of a pod's drive that are no longer free for new data: live records, or all usable bytes while no shard fits; excludes garbage.",
    ...onPod,
  },
  stashlight_pod_garbage_bytes: {
    help: "Bytes of a pod's drive in dead records and padding, which wait for compaction or for their segment to be recycled.",
    ...onPod,
  },
  stashlight_pod_visible_bytes: {
    help: "Bytes that the shards of all visible objects need on a pod's drive: their sizes divided by the number of data shards; recounted half a minute after the last count, sooner if they are few.",
    ...onPod,
  },
  stashlight_pod_visible_objects: {
    help: "Visible objects in the index of a pod's drive, each of which has a shard on every pod; recounted half a minute after the last count, sooner if they are few.",
    ...onPod,
  },
  stashlight_pod_visible_object_bytes: {
    help: "Bytes of the bodies of all visible objects in the index of a pod's drive; recounted half a minute after the last count, sooner if they are few.",
    ...onPod,
  },
  stashlight_pod_counted_bytes: {
    help: "Bytes of a pod's drive in use, including garbage, at the last count of visible objects, for comparison with their bytes.",
    ...onPod,
  },
  stashlight_pod_records: {
    unit: "count",
    help: "Live records of a pod's drive: shards of objects, of pieces and of parts, tombstones and promises, each with an entry in the index.",
    ...onPod,
  },
  stashlight_pod_records_max: {
    help: "Records for which a pod's process has memory, and its index file has space: estimated from what its records use now, assuming that its pods grow alike.",
    ...onPod,
  },
  stashlight_pod_index_ratio: {
    help: "Memory used by the indexes of a pod's process, as a share of the memory at which it refuses uploads.",
    ...onPod,
  },
  stashlight_pod_index_held_bytes: {
    help: "Bytes of the index of a pod's drive in memory.",
    ...onPod,
  },
  stashlight_pod_index_file_bytes: {
    help: "Bytes of the file that holds the part of a pod drive's index that does not fit into memory.",
    ...onPod,
  },
  stashlight_pod_missing_shards: {
    help: "Shards that a pod should hold but lacks; it restores them from the other pods.",
    ...onPod,
  },
  stashlight_pod_missing_bytes: {
    help: "Bytes of the shards that a pod should hold but lacks.",
    ...onPod,
  },
  stashlight_pod_rebuild_total_bytes: {
    help: "Maximum bytes of missing shards since the pod last had all of them: the total of the rebuild in progress.",
    ...onPod,
  },
  stashlight_pod_rebuild_remaining_seconds: {
    help: "Estimated time until a pod holds all its shards again, at the rate of the last minute; missing while there is no estimate.",
    ...onPod,
  },
  stashlight_stash_draining_shards: {
    help: "Shards left on a stash device that is being drained; missing for others.",
    ...onStash,
  },
  stashlight_stash_drain_total_shards: {
    help: "Most shards that a stash device has held since its drain began.",
    ...onStash,
  },
  stashlight_stash_drain_remaining_seconds: {
    help: "Estimated time until a draining stash device is empty, at the rate of the last minute; missing while there is no estimate.",
    ...onStash,
  },
  stashlight_stash_quarantine_seconds: {
    kind: "gauge",
    unit: "seconds",
    help: "Time for which a stash device has been in quarantine; its label names the operator who put it there. Missing for others.",
    labels: ["stash", "device", "operator"],
    isOfDrive: true,
  },
  stashlight_drive_running: {
    unit: "boolean",
    help: "1 while a drive is open and works, 0 while it has failed or is opening. Not reported once its node closes it to stop.",
    ...onDrive,
  },
  stashlight_drive_corrupt_records: {
    help: "Live records of a drive that are known to fail their checksum and are not repaired yet.",
    ...onDrive,
  },
  stashlight_drive_unreadable_records: {
    help: "Records of a drive that could not be read by its pod, by the last scrub round, or by the current round so far.",
    ...onDrive,
  },
  stashlight_drive_damage_correlated: {
    unit: "boolean",
    help: "1 while the pod delays repairs because too many records of a drive were found corrupt in a short time.",
    ...onDrive,
  },
  stashlight_scrub_oldest_unverified_seconds: {
    help: "Age of the oldest verification of a drive's data: the time since its last complete scrub round began, or since it was first opened.",
    ...onDrive,
  },
  stashlight_scrub_round_seconds: {
    help: "Time in which each record of a drive must be verified once, from the vault's file.",
    ...onDrive,
  },
  stashlight_scrub_progress_ratio: {
    help: "Share of a drive's live bytes that the current scrub round has verified; 1 while the next round waits for its time.",
    ...onDrive,
  },
  stashlight_scrub_verified_bytes: {
    help: "Bytes that all scrub rounds of a drive have read and compared with their checksums since it was first opened.",
    ...onDrive,
  },
  stashlight_scrub_corrupt_records: {
    help: "Records that all scrub rounds of a drive found to fail their checksum, repaired or not; divided by the verified bytes, the drive's error rate.",
    ...onDrive,
  },
  stashlight_device_wear_ratio: {
    help: "Share of a device's rated endurance that is used, where the device reports it.",
    ...onDrive,
  },
  stashlight_device_host_written_bytes: {
    help: "Bytes that hosts have written to a device over its life, if SMART counts them.",
    ...onDrive,
  },
  stashlight_device_endurance_bytes: {
    help: "Host bytes after which a device is worn out if it keeps wearing as before: bytes written, over the share of its rated endurance that is used; missing below 5 %, because the share is rounded.",
    ...onDrive,
  },
  stashlight_device_write_amplification: {
    help: "Bytes that a device has written to its flash per host byte over its life, if SMART counts both.",
    ...onDrive,
  },
  stashlight_device_info: {
    help: "Always 1; its labels are the drive's model, serial number and firmware, empty if the machine does not report them.",
    labels: ["tier", "device", "model", "serial", "firmware"],
    isOfDrive: true,
  },
  stashlight_device_wear_source_info: {
    help: "Always 1; its label names the SMART attribute behind the wear of a drive. Missing if the drive reports its wear itself.",
    labels: ["tier", "device", "source"],
    isOfDrive: true,
  },
  stashlight_device_smart_silent_info: {
    help: "Always 1; its label is the reason why a drive has no SMART data. Missing while it has some.",
    labels: ["tier", "device", "silence"],
    isOfDrive: true,
  },
  stashlight_device_capacity_bytes: { help: "Size of a machine's drive.", ...onDrive },
  stashlight_device_busy_ratio: {
    help: "Share of the window in which the device had a request in progress; a device that serves many at a time may be far from its limit at 100 %.",
    ...onDrive,
  },
  stashlight_device_queue_requests: {
    help: "Requests that waited or were in progress at the device, on average over the window.",
    ...onDrive,
  },
  stashlight_device_read_mean_seconds: {
    help: "Mean time of the reads that the device completed in the window, including their wait in its queue; the kernel reports no percentiles.",
    ...onDrive,
  },
  stashlight_device_write_mean_seconds: {
    help: "Mean time of the writes that the device completed in the window, including their wait in its queue; the kernel reports no percentiles.",
    ...onDrive,
  },
  stashlight_device_flush_mean_seconds: {
    help: "Mean time of the flushes of its write cache that the device completed in the window.",
    ...onDrive,
  },
  stashlight_device_healthy: {
    unit: "boolean",
    help: "1 while SMART reports the drive as healthy, 0 when it predicts a failure, has a critical warning, or counts errors that a SAS drive could not correct.",
    ...onDrive,
  },
  stashlight_device_spare_ratio: {
    help: "Share of a drive's spare blocks that is left, where the drive reports it.",
    ...onDrive,
  },
  stashlight_device_bad_sectors: {
    help: "Media errors of an NVMe drive; reallocated, pending and uncorrectable sectors of an ATA drive; grown defects of a SAS drive.",
    ...onDrive,
  },
  stashlight_device_uncorrected_errors: {
    help: "Errors of reads, writes and verifications that a SAS drive could not correct over its life.",
    ...onDrive,
  },
  stashlight_device_temperature_celsius: {
    unit: "celsius",
    help: "Temperature that a drive reports.",
    ...onDrive,
  },
  stashlight_filesystem_used_bytes: {
    help: "Used bytes of a file system.",
    labels: ["filesystem"],
  },
  stashlight_filesystem_capacity_bytes: {
    help: "Bytes of a file system that are used or free for programs; excludes the space reserved for root.",
    labels: ["filesystem"],
  },
  stashlight_commit_mean_seconds: {
    help: "Mean time of an operation that ends with data on a drive, as a scraped store reports it: since the last scrape if the store reports sums and counts, otherwise over a period that the store chooses; stores report no percentiles.",
    labels: ["tier", "device", "operation"],
    isOfDrive: true,
  },
  stashlight_journal_used_bytes: {
    help: "Used bytes of the space that a scraped store has for its database or its write-ahead log.",
    labels: ["device", "part"],
  },
  stashlight_journal_capacity_bytes: {
    help: "Space that a scraped store has for its database or its write-ahead log.",
    labels: ["device", "part"],
  },
  stashlight_scrape_answering: {
    unit: "boolean",
    help: "1 while every address of a scraped store answers with known metrics, otherwise 0.",
    labels: ["source"],
  },
  stashlight_process_steady: {
    unit: "boolean",
    help: "1 while a process that npm start keeps running is steady, 0 from its third consecutive failure until it has run for five minutes; the first coordinator reports it, even if others fail.",
    labels: ["process"],
  },
  stashlight_connections: { help: "Open connections to other nodes.", labels: ["tier"] },
  stashlight_client_connections: { help: "Open connections of S3 clients." },
  stashlight_durable_margin_shards: {
    help: "Durable shards beyond the number needed to read, the lowest among a sample of acknowledged uploads; shards on unreachable nodes are not counted.",
  },
  stashlight_durable_missing_shards: {
    help: "Durable shards that the weakest of a sample of acknowledged uploads lacks of those that the scheme guarantees at acknowledgement; shards on unreachable nodes are not counted.",
  },
  stashlight_objects_lost: {
    help: "Objects that exist but cannot be read, because too few of their shards are readable, as the coordinator found in the last 15 minutes.",
  },
  stashlight_certificate_remaining_seconds: {
    help: "Time until a certificate of the node expires, negative after that; its labels name the certificate and its issuer.",
    labels: ["certificate", "issuer"],
  },
  stashlight_lifecycle_clock_ahead_seconds: {
    help: "Time by which the coordinator's wall clock was set ahead; lifecycle rules distrust it for a day.",
  },
  stashlight_pieces_waiting_bytes: {
    help: "Bytes of deleted, replaced or abandoned large objects whose pieces the coordinator has yet to delete.",
  },
  stashlight_leased_holds: {
    help: "Reads and writes of large objects that have lasted long enough for the coordinator's lease to name them.",
  },
} as const satisfies DescribedMetrics;
