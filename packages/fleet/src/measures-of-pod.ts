import { DATA_SHARD_COUNT, distribution, level, type Measures, rate, SHARD_BYTES } from "./measure.ts";
import { integrityMeasures } from "./measures-of-integrity.ts";
import { type FleetNode, POD_COUNT } from "./plan.ts";
import { DISK_BYTES, podLiveBytes, USABLE_BYTES } from "./pod-space.ts";
import { below } from "./random.ts";
import type { VaultMoment } from "./vault-moment.ts";

const FLUSHES_A_SECOND = 2;
const SECONDS_BETWEEN_FLUSHES = 4;
/** Shares relative to the live bytes: garbage in addition to them, and the bytes that visible objects need. */
const GARBAGE_SHARE = 0.06;
const VISIBLE_SHARE = 0.97;
/** Number of shards that a pod lacks when it returns from an outage. */
const MISSED_SHARDS = 20_000;
/** The first vault and every third one after it have a failing drive, which is always slow, and very slow at times. */
const SICK_VAULT_EVERY = 3;

const isSick = ({ vaultIndex, place }: FleetNode): boolean =>
  vaultIndex % SICK_VAULT_EVERY === 0 && place === below(POD_COUNT, vaultIndex, 31);

const visibleObjects = (onPod: Record<string, string>, liveBytes: number): Measures["gauges"] => [
  level("stashlight_pod_visible_objects", onPod, () => Math.round((liveBytes * VISIBLE_SHARE) / SHARD_BYTES)),
  level("stashlight_pod_visible_object_bytes", onPod, () =>
    Math.round(DATA_SHARD_COUNT * liveBytes * VISIBLE_SHARE),
  ),
];

/** Tombstones and promises, as a share of the visible objects. */
const OTHER_RECORDS_SHARE = 0.05;
const RECORDS_MAX = 15_000_000;
const INDEX_BYTES_PER_RECORD = 280;
const INDEX_HELD_BYTES_MAX = 16 * 1_048_576;

function indexGauges(onPod: Record<string, string>, liveBytes: number): Measures["gauges"] {
  const records = Math.round(((1 + OTHER_RECORDS_SHARE) * liveBytes * VISIBLE_SHARE) / SHARD_BYTES);
  const indexBytes = records * INDEX_BYTES_PER_RECORD;
  return [
    level("stashlight_pod_records", onPod, () => records),
    level("stashlight_pod_records_max", onPod, () => RECORDS_MAX),
    level("stashlight_pod_index_ratio", onPod, () => records / RECORDS_MAX),
    level("stashlight_pod_index_held_bytes", onPod, () => Math.min(indexBytes, INDEX_HELD_BYTES_MAX)),
    level("stashlight_pod_index_file_bytes", onPod, () =>
      indexBytes > INDEX_HELD_BYTES_MAX ? indexBytes : 0,
    ),
  ];
}

export function podMeasures(node: FleetNode): Measures {
  const device = `p${node.place}`;
  const drive = { tier: "pod", device };
  const onPod = { pod: `pod-${node.place + 1}`, device };
  const slow = isSick(node);
  const concerns = ({ missingPod }: VaultMoment): boolean => missingPod === node.place;
  const isAway = (moment: VaultMoment): boolean => moment.isPodAway && concerns(moment);
  /** A pod that catches up receives the missed shards in addition to new ones. */
  const isBehind = (moment: VaultMoment): boolean => moment.isCatchingUp && concerns(moment);
  const shards = (moment: VaultMoment): number =>
    isAway(moment) ? 0 : moment.uploadsPerSecond * (isBehind(moment) ? 3 : 1);
  const flushes = (moment: VaultMoment): number =>
    isAway(moment) ? 0 : slow ? FLUSHES_A_SECOND / 2 : FLUSHES_A_SECOND;
  const backlogShards = (moment: VaultMoment): number =>
    Math.round(shards(moment) * SECONDS_BETWEEN_FLUSHES * (slow ? 4 : 1));
  const missingShards = (moment: VaultMoment): number => (isBehind(moment) ? MISSED_SHARDS / 2 : 0);
  const integrity = integrityMeasures(drive, node.vaultIndex, node.place);
  const liveBytes = podLiveBytes(node.vaultIndex);
  return {
    histograms: [
      distribution("stashlight_fsync_seconds", drive, (moment) => ({
        shape: slow ? "sickHddSync" : "hddSync",
        perSecond: flushes(moment),
      })),
      distribution("stashlight_shard_write_seconds", drive, (moment) => ({
        shape: "podWrite",
        perSecond: shards(moment),
      })),
      distribution("stashlight_flush_queue_seconds", onPod, (moment) => ({
        shape: slow ? "sickFlushQueue" : "flushQueue",
        perSecond: shards(moment),
      })),
    ],
    gauges: [
      level("stashlight_drive_running", drive, (moment) => (isAway(moment) ? 0 : 1)),
      level("stashlight_flush_backlog_bytes", onPod, (moment) => backlogShards(moment) * SHARD_BYTES),
      level("stashlight_flush_backlog_shards", onPod, backlogShards),
      level("stashlight_pod_live_bytes", onPod, () => liveBytes),
      level("stashlight_pod_capacity_bytes", onPod, () => DISK_BYTES),
      level("stashlight_pod_usable_bytes", onPod, () => USABLE_BYTES),
      level("stashlight_pod_taken_bytes", onPod, () => liveBytes),
      level("stashlight_pod_garbage_bytes", onPod, () => Math.round(liveBytes * GARBAGE_SHARE)),
      level("stashlight_pod_missing_shards", onPod, missingShards),
      level("stashlight_pod_missing_bytes", onPod, (moment) => missingShards(moment) * SHARD_BYTES),
      level("stashlight_pod_rebuild_total_bytes", onPod, (moment) =>
        isBehind(moment) ? MISSED_SHARDS * SHARD_BYTES : 0,
      ),
      level("stashlight_pod_rebuild_remaining_seconds", onPod, (moment) =>
        isBehind(moment) ? Math.round(missingShards(moment) / (2 * moment.uploadsPerSecond)) : 0,
      ),
      level("stashlight_pod_counted_bytes", onPod, () => Math.round(liveBytes * (1 + GARBAGE_SHARE))),
      level("stashlight_pod_visible_bytes", onPod, () => Math.round(liveBytes * VISIBLE_SHARE)),
      ...visibleObjects(onPod, liveBytes),
      ...indexGauges(onPod, liveBytes),
      ...integrity.gauges,
    ],
    counters: [
      rate("stashlight_shards_written_total", drive, shards),
      rate("stashlight_shard_written_bytes_total", drive, (moment) => shards(moment) * SHARD_BYTES),
      rate("stashlight_shards_repaired_total", drive, (moment) =>
        isBehind(moment) ? 2 * moment.uploadsPerSecond : 0,
      ),
      rate("stashlight_fsync_errors_total", drive, () => 0),
      rate("stashlight_device_writes_total", drive, (moment) => shards(moment) / 3 + flushes(moment)),
      rate("stashlight_device_written_bytes_total", drive, (moment) => shards(moment) * SHARD_BYTES * 1.06),
      ...integrity.counters,
    ],
  };
}
