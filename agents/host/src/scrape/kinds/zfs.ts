/**
 * ZFS pools from zfs_exporter, and the kernel module's counters from node_exporter. Neither reports the duration of a
 * synchronous write or the fill of a log device: an agent on the machine times its own syncs, with --fsync /tank=ssd.
 * The module counts all pools of a machine together.
 */
import type { Samples } from "../exposition.ts";
import {
  counterReading,
  gaugeReading,
  type ReadDevice,
  type Reading,
  type SourceKind,
  spaceReadings,
  valuesBy,
} from "./kind.ts";

const pool = ["zfs_pool_health", "zfs_pool_allocated_bytes", "zfs_pool_size_bytes"] as const;

const COMMITS = "node_zfs_zil_zil_commit_count";
const written = {
  log: "node_zfs_zil_zil_itx_metaslab_slog_bytes",
  pool: "node_zfs_zil_zil_itx_metaslab_normal_bytes",
} as const;
const throttled = {
  "dirty-delay": "node_zfs_dmu_tx_dmu_tx_dirty_delay",
  "dirty-throttle": "node_zfs_dmu_tx_dmu_tx_dirty_throttle",
  "dirty-over-max": "node_zfs_dmu_tx_dmu_tx_dirty_over_max",
  "memory-reclaim": "node_zfs_dmu_tx_dmu_tx_memory_reclaim",
} as const;

/** zfs_exporter encodes ONLINE as 0 and DEGRADED as 1, both of which serve; FAULTED and later states do not. */
const SERVING_MAX = 1;

export const zfs: SourceKind = {
  wanted: new Set([...pool, COMMITS, ...Object.values(written), ...Object.values(throttled)]),
  read: (samples) => [...readPools(samples), ...readModule(samples)],
};

function readPools(samples: Samples): ReadDevice[] {
  const [health, used, size] = pool.map((name) => valuesBy(samples, name, "pool"));
  const names = new Set([health, used, size].flatMap((values) => [...(values?.keys() ?? [])]));
  return [...names].map((name) => ({
    device: name,
    medium: null,
    readings: (device, tier): readonly Reading[] => {
      const state = health?.get(name);
      return [
        ...spaceReadings(device, used?.get(name), size?.get(name)),
        ...gaugeReading(
          "stashlight_drive_running",
          { tier, device },
          state === undefined ? undefined : Number(state <= SERVING_MAX),
        ),
      ];
    },
  }));
}

function readModule(samples: Samples): ReadDevice[] {
  const told = (name: string): number | undefined => samples.get(name)?.[0]?.value;
  if (told(COMMITS) === undefined) return [];
  return [
    {
      device: "zil",
      medium: null,
      readings: (device, tier) => [
        ...counterReading(
          "stashlight_commits_total",
          { tier, device, operation: "zil-commit" },
          told(COMMITS),
        ),
        ...Object.entries(written).flatMap(([part, name]) =>
          counterReading("stashlight_journal_written_bytes_total", { device, part }, told(name)),
        ),
        ...Object.entries(throttled).flatMap(([reason, name]) =>
          counterReading("stashlight_writes_throttled_total", { device, reason }, told(name)),
        ),
      ],
    },
  ];
}
