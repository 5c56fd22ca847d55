import { distribution, GIB, level, type Measures, rate, SHARD_BYTES } from "./measure.ts";
import { integrityMeasures } from "./measures-of-integrity.ts";
import { DEVICES_A_STASH, type FleetNode, POD_COUNT, STASH_COUNT } from "./plan.ts";
import { uniform } from "./random.ts";
import type { VaultMoment } from "./vault-moment.ts";

const DEVICE_COUNT = STASH_COUNT * DEVICES_A_STASH;
const DEVICE_BYTES = 2 * GIB;
/** Three full device writes per day for five years. */
const ENDURANCE_BYTES = 3 * 365 * 5 * DEVICE_BYTES;
const SEGMENT_BYTES = 16 * 2 ** 20;
/** Time from durable on the stash to purged, while all pods are available. */
const SECONDS_HELD = 7;
const RECORDS_A_COMMIT = 1.6;
/**
 * Purged records take space until their segments are recycled: a share of the device plus a share of the live records.
 */
const DEAD_SHARE_OF_DEVICE = 0.02;
const DEAD_SHARE_OF_LIVE = 0.35;

const pods = Array.from({ length: POD_COUNT }, (_, pod) => pod);

export function stashMeasures(node: FleetNode): Measures {
  const devices = Array.from({ length: DEVICES_A_STASH }, (_, i) =>
    deviceMeasures(node, node.place * DEVICES_A_STASH + i),
  );
  return {
    histograms: devices.flatMap(({ histograms }) => histograms),
    gauges: devices.flatMap(({ gauges }) => gauges),
    counters: devices.flatMap(({ counters }) => counters),
  };
}

/** An upload's twenty shards go to twenty of the vault's devices. */
const shards = ({ uploadsPerSecond }: VaultMoment): number => (uploadsPerSecond * POD_COUNT) / DEVICE_COUNT;
const commits = (moment: VaultMoment): number => shards(moment) / RECORDS_A_COMMIT;
/** Purges per second. Shards of an absent pod wait, and are sent in addition to new ones once it is back. */
const purges = (moment: VaultMoment): number =>
  shards(moment) * (moment.isPodAway ? 1 - 1 / POD_COUNT : moment.isCatchingUp ? 1 + 2.5 / POD_COUNT : 1);

/** Shards on a device that wait for their pod: those of a few seconds, and all that an absent pod misses. */
const unpurged = (moment: VaultMoment, pod: number): number =>
  Math.round(
    (shards(moment) * SECONDS_HELD) / POD_COUNT +
      (pod === moment.missingPod ? moment.missingShards / DEVICE_COUNT : 0),
  );

const liveBytes = (moment: VaultMoment): number =>
  Math.round(shards(moment) * SECONDS_HELD + moment.missingShards / DEVICE_COUNT) * SHARD_BYTES;
const deadBytes = (moment: VaultMoment): number =>
  Math.round(DEVICE_BYTES * DEAD_SHARE_OF_DEVICE + DEAD_SHARE_OF_LIVE * liveBytes(moment));
const usedBytes = (moment: VaultMoment): number => liveBytes(moment) + deadBytes(moment);
const freeSegments = (moment: VaultMoment): number =>
  Math.floor((DEVICE_BYTES - usedBytes(moment)) / SEGMENT_BYTES);

function deviceMeasures(node: FleetNode, number: number): Measures {
  const device = `s${number}`;
  const drive = { tier: "stash", device };
  const onStash = { stash: `stash-${node.place + 1}`, device };
  const integrity = integrityMeasures(drive, node.index, number);
  const wearRatio = 0.02 + 0.1 * uniform(node.index, number);
  return {
    histograms: [
      distribution("stashlight_fsync_seconds", drive, (moment) => ({
        shape: "ssdSync",
        perSecond: commits(moment),
      })),
      distribution("stashlight_shard_write_seconds", drive, (moment) => ({
        shape: "stashWrite",
        perSecond: shards(moment),
      })),
      distribution("stashlight_purge_lag_seconds", onStash, (moment) => ({
        shape: moment.isCatchingUp ? "latePurgeLag" : "purgeLag",
        perSecond: purges(moment),
      })),
      distribution("stashlight_commit_batch_records", onStash, (moment) => ({
        shape: "groupCommit",
        perSecond: commits(moment),
      })),
    ],
    gauges: [
      level("stashlight_drive_running", drive, () => 1),
      level("stashlight_stash_used_bytes", onStash, usedBytes),
      level("stashlight_stash_live_bytes", onStash, liveBytes),
      level("stashlight_stash_dead_bytes", onStash, deadBytes),
      level("stashlight_stash_capacity_bytes", onStash, () => DEVICE_BYTES),
      level("stashlight_stash_free_segments", onStash, freeSegments),
      level("stashlight_stash_oldest_unpurged_seconds", onStash, (moment) =>
        Math.max(SECONDS_HELD, moment.missingSinceSeconds),
      ),
      level("stashlight_device_wear_ratio", drive, () => wearRatio),
      level("stashlight_device_host_written_bytes", drive, () => wearRatio * ENDURANCE_BYTES),
      level("stashlight_device_endurance_bytes", drive, () => ENDURANCE_BYTES),
      level("stashlight_device_write_amplification", drive, () => 1 + 10 * wearRatio),
      ...pods.map((pod) =>
        level("stashlight_stash_unpurged_shards", { ...onStash, pod: `p${pod}` }, (moment) =>
          unpurged(moment, pod),
        ),
      ),
      ...integrity.gauges,
    ],
    counters: [
      rate("stashlight_shards_written_total", drive, shards),
      rate("stashlight_shard_written_bytes_total", drive, (moment) => shards(moment) * SHARD_BYTES),
      rate("stashlight_purges_accepted_total", onStash, purges),
      rate("stashlight_fsync_errors_total", drive, () => 0),
      rate("stashlight_device_writes_total", drive, commits),
      rate("stashlight_device_written_bytes_total", drive, (moment) => shards(moment) * SHARD_BYTES * 1.15),
      ...integrity.counters,
    ],
  };
}
