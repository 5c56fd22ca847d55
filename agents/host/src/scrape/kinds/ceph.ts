/**
 * Ceph's OSDs, from the manager's `prometheus` module and from ceph-exporter, which each report a part: since Reef the
 * manager has the class of a drive, and the exporter on each machine has the daemons' performance counters.
 *
 * A latency of the performance counters is a sum of seconds and a count, which give a mean. Commit and apply latency
 * are means of the OSD's own last report in whole milliseconds, so 0 means "below one, or idle" and carries no
 * information; BlueStore reports the same value for both.
 */
import type { Medium } from "../../arguments.ts";
import type { Samples } from "../exposition.ts";
import { findSamples, gaugeReading, type Reading, type SourceKind, spaceReadings, valuesBy } from "./kind.ts";

/** BlueStore's sync thread: the flush of the drive, the commit of the database, and both together. */
const commitSums = {
  "kv-sync": "ceph_bluestore_kv_sync_lat",
  "kv-flush": "ceph_bluestore_kv_flush_lat",
  "kv-commit": "ceph_bluestore_kv_commit_lat",
} as const;

const ownMeans = { commit: "ceph_osd_commit_latency_ms", apply: "ceph_osd_apply_latency_ms" } as const;

const parts = ["db", "wal", "slow"] as const;

const media: ReadonlyMap<string, Medium> = new Map([
  ["hdd", "hdd"],
  ["ssd", "ssd"],
  ["nvme", "ssd"],
]);

const DAEMON = "ceph_daemon";

export const ceph: SourceKind = {
  wanted: new Set([
    ...["ceph_osd_metadata", "ceph_osd_up", "ceph_osd_stat_bytes", "ceph_osd_stat_bytes_used"],
    ...Object.values(ownMeans),
    ...Object.values(commitSums).flatMap((name) => [`${name}_sum`, `${name}_count`]),
    ...parts.flatMap((part) => [`ceph_bluefs_${part}_used_bytes`, `ceph_bluefs_${part}_total_bytes`]),
  ]),
  read: (samples) => {
    const classes = new Map(
      findSamples(samples, "ceph_osd_metadata").map(({ labels }) => [
        labels.get(DAEMON),
        labels.get("device_class") ?? "",
      ]),
    );
    const of = readDaemons(samples);
    return [...of.daemons].map((daemon) => ({
      device: daemon,
      medium: media.get(classes.get(daemon) ?? "") ?? null,
      readings: (device, tier) => daemonReadings((name) => of.value(name, daemon), device, tier),
    }));
  },
};

interface DaemonValues {
  readonly daemons: ReadonlySet<string>;
  readonly value: (name: string, daemon: string) => number | undefined;
}

function readDaemons(samples: Samples): DaemonValues {
  const byName = new Map([...ceph.wanted].map((name) => [name, valuesBy(samples, name, DAEMON)]));
  const daemons = [...byName.values()].flatMap((values) => [...values.keys()]);
  return {
    daemons: new Set(daemons.filter((daemon) => daemon.startsWith("osd."))),
    value: (name, daemon) => byName.get(name)?.get(daemon),
  };
}

function daemonReadings(
  told: (name: string) => number | undefined,
  device: string,
  tier: Medium,
): readonly Reading[] {
  const commits = Object.entries(commitSums).flatMap(([operation, name]): Reading[] => {
    const [seconds, count] = [told(`${name}_sum`), told(`${name}_count`)];
    if (seconds === undefined || count === undefined) return [];
    return [{ type: "commits", labels: { tier, device, operation }, seconds, count }];
  });
  const means = Object.entries(ownMeans).flatMap(([operation, name]) => {
    const ms = told(name) ?? 0;
    const labels = { tier, device, operation };
    return gaugeReading("stashlight_commit_mean_seconds", labels, ms === 0 ? undefined : ms / 1000);
  });
  const journal = parts.flatMap((part) => {
    const capacityBytes = told(`ceph_bluefs_${part}_total_bytes`) ?? 0;
    if (capacityBytes === 0) return [];
    const labels = { device, part };
    return [
      ...gaugeReading("stashlight_journal_used_bytes", labels, told(`ceph_bluefs_${part}_used_bytes`)),
      ...gaugeReading("stashlight_journal_capacity_bytes", labels, capacityBytes),
    ];
  });
  return [
    ...commits,
    ...means,
    ...journal,
    ...gaugeReading("stashlight_drive_running", { tier, device }, told("ceph_osd_up")),
    ...spaceReadings(device, told("ceph_osd_stat_bytes_used"), told("ceph_osd_stat_bytes")),
  ];
}
