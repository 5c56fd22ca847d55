/** Reads how the stash of a vault handles its load, from its devices. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { Live, LiveFigure, LivePool } from "@stashlight/contracts/planner";
import { recordBytes } from "@stashlight/contracts/space";
import { allNamed } from "../../all-named.ts";
import { selectSeries } from "../../metrics/query/select.ts";
import {
  known,
  metricSource,
  readDistributions,
  readGrowth,
  readMeansByPart,
  readPoints,
  type Scope,
  unknown,
  valueRange,
} from "./metric-sources.ts";

const capacityMetric = "stashlight_stash_capacity_bytes";
const ofStash = { where: { tier: ["stash"] } };

interface Residence {
  readonly residenceSecondsMean: Live<LiveFigure>;
  readonly residenceSecondsP99: Live<LiveFigure>;
}

export async function readResidence(scope: Scope): Promise<Residence> {
  const selection = { metric: "stashlight_purge_lag_seconds" } as const;
  const [{ distributions, origin }, parts] = await Promise.all([
    readDistributions(scope, selection),
    readMeansByPart(scope, selection),
  ]);
  const [all] = distributions;
  if (all === undefined) {
    const missing = "No shard was purged from the stash in this period.";
    return { residenceSecondsMean: unknown(missing), residenceSecondsP99: unknown(missing) };
  }
  const source = (statistic: string, values: readonly number[]) =>
    metricSource(scope, [origin], {
      source: `stashlight_purge_lag_seconds, ${statistic} of all shards that were purged`,
      n: all.n,
      nUnit: "purges",
      range: valueRange(values, parts.over),
    });
  return {
    residenceSecondsMean: known({ value: all.mean, ...source("mean", parts.means) }),
    residenceSecondsP99:
      all.p99 === null
        ? unknown(`Only ${all.n} purges were measured; a 99th percentile needs 1,000.`)
        : known({ value: all.p99, ...source("99th percentile", parts.p99s) }),
  };
}

export async function readShardsPerCommit(scope: Scope): Promise<Live<LiveFigure>> {
  const selection = { metric: "stashlight_commit_batch_records" } as const;
  const [{ distributions, origin }, parts] = await Promise.all([
    readDistributions(scope, selection),
    readMeansByPart(scope, selection),
  ]);
  const [all] = distributions;
  if (all === undefined) return unknown("No stash drive committed in this period.");
  const source = metricSource(scope, [origin], {
    source: "stashlight_commit_batch_records, mean of all group commits; it grows with the load",
    n: all.n,
    nUnit: "commits",
    range: valueRange(parts.means, parts.over),
  });
  return known({ value: Math.max(1, all.mean), ...source });
}

export async function readWriteAmplification(scope: Scope): Promise<Live<LiveFigure>> {
  const { written, payload, shards } = await allNamed({
    written: readGrowth(scope, { metric: "stashlight_device_written_bytes_total", ...ofStash }),
    payload: readGrowth(scope, { metric: "stashlight_shard_written_bytes_total", ...ofStash }),
    shards: readGrowth(scope, { metric: "stashlight_shards_written_total", ...ofStash }),
  });
  if (written.total === 0) {
    return unknown(
      "The kernel counts bytes per block device, and stash drives here share one, or it does not report them.",
    );
  }
  if (payload.total === 0 || shards.total === 0) return unknown("No shard was written in this period.");
  const record = recordBytes(payload.total / shards.total);
  const source = metricSource(scope, [written.origin, payload.origin, shards.origin], {
    source:
      "stashlight_device_written_bytes_total against stashlight_shard_written_bytes_total of stash drives with the headers of their records",
    n: shards.total,
    nUnit: "shards",
    range: null,
  });
  return known({ value: Math.max(1, written.total / (shards.total * record)), ...source });
}

/** Uses stash servers or, if there are none, machines with SSDs watched by a host agent. */
export async function readPool(scope: Scope): Promise<Live<LivePool>> {
  const ofStashNodes = await readDrives(
    scope,
    { metric: capacityMetric, where: {} },
    "stash nodes of the inventory and stashlight_stash_capacity_bytes of their drives",
  );
  if (ofStashNodes !== null) return ofStashNodes;
  const ofHosts = await readDrives(
    scope,
    { metric: "stashlight_device_capacity_bytes", where: { tier: ["ssd"] } },
    "watched machines and stashlight_device_capacity_bytes of their SSDs, those that hold the system included",
  );
  return (
    ofHosts ?? unknown("No stash drive and no SSD of a watched machine reported its capacity in this period.")
  );
}

/** Servers and drives that reported their capacity in this time; null if none did. */
async function readDrives(
  scope: Scope,
  selection: { readonly metric: MetricName<"gauge">; readonly where: Partial<Record<"tier", string[]>> },
  told: string,
): Promise<Live<LivePool> | null> {
  const question = { ...scope, nodeIds: [...scope.nodeIds], ...selection };
  const [series, capacity] = await Promise.all([
    selectSeries(scope.ctx.platform.metrics, question),
    readPoints(scope, { ...selection, across: "avg" }),
  ]);
  const columns = capacity.series[0]?.columns;
  const driveCapacityBytes = columns?.kind === "gauge" ? columns.last.at(-1) : undefined;
  const drivesByNode = Map.groupBy(series, ({ nodeId }) => nodeId);
  const counts = [...drivesByNode.values()].map(
    (drives) => new Set(drives.map(({ labels }) => labels.device)).size,
  );
  if (counts.length === 0 || driveCapacityBytes === undefined) return null;
  const driveCount = counts.reduce((sum, count) => sum + count, 0);
  const source = metricSource(scope, [capacity], {
    source: told,
    n: driveCount,
    nUnit: "drives",
    range: valueRange(counts, "drives per server"),
  });
  return known({
    ...source,
    servers: counts.length,
    drivesPerServer: Math.min(...counts),
    driveCount,
    driveCapacityBytes,
  });
}
