/** Drives ranked by latency over the whole range. */
import type {
  LevelChange,
  MergedWindows,
  MetricAnswer,
  MetricSeries,
} from "@stashlight/contracts/metrics/query";
import { formatCount } from "@stashlight/ui";
import { samplesNeededBy } from "./to-chart.ts";
import type { MetricSelection } from "./use-metrics.ts";

/** Statistics in descending order of the syncs that they need; every drive has the last one. */
const statistics = ["p99", "p90", "p50", "max"] as const;
export type DriveStatistic = (typeof statistics)[number];

export interface DriveRow {
  readonly vault: string;
  readonly node: string;
  readonly device: string;
  readonly modelled: string | null;
  /** The table's statistic over the whole range; null if the drive synced too rarely. */
  readonly seconds: number | null;
  readonly slowestSeconds: number;
  /** Syncs in the whole range. */
  readonly n: number;
  readonly change: LevelChange | null;
}

/** Statistic of all rows, so that rows can be compared. */
export interface DriveRows {
  readonly statistic: DriveStatistic;
  readonly rows: readonly DriveRow[];
}

/** Point count for finding when a drive changed; the length of a point is the precision. */
const POINT_COUNT = 60;

export const driveSelection = (tiers: readonly string[], findsChanges: boolean): MetricSelection => ({
  metric: "stashlight_fsync_seconds",
  where: { tier: [...tiers] },
  groupBy: ["vault", "node", "device", "modelled"],
  pointCountMax: findsChanges ? POINT_COUNT : 20,
  summarise: true,
  findsChanges,
});

/** Ranks drives, slowest first, by the most demanding percentile that at least half of them have. */
export function driveRows(answer: MetricAnswer): DriveRows {
  const drives = answer.series.flatMap((series) =>
    series.summary === undefined ? [] : [{ series, whole: series.summary.whole }],
  );
  const isCommon = (name: DriveStatistic) =>
    2 * drives.filter(({ whole }) => whole[name] !== null).length >= drives.length;
  const statistic = statistics.find(isCommon) ?? "max";
  const rows = drives
    .map(({ series, whole }) => driveRow(series, whole, statistic))
    .sort((a, b) => (b.seconds ?? -1) - (a.seconds ?? -1));
  return { statistic, rows };
}

function driveRow(
  { labels, summary }: MetricSeries,
  whole: MergedWindows,
  statistic: DriveStatistic,
): DriveRow {
  const { device = "–", node = "–", vault = "–", modelled = null } = labels;
  return {
    vault,
    node,
    device,
    modelled,
    seconds: whole[statistic],
    slowestSeconds: whole.max,
    n: whole.n,
    change: summary?.change ?? null,
  };
}

export const statisticWord = (statistic: DriveStatistic): string =>
  statistic === "max" ? "slowest" : statistic;

/** Explains why a drive has no figure. */
export const tooFewInWords = (statistic: DriveStatistic, n: number): string =>
  statistic === "max"
    ? "No sync in the range."
    : `A ${statistic} needs ${formatCount(samplesNeededBy(statistic) ?? 0)} syncs in the range; there were ${formatCount(n)}.`;

/** "slow" or "fast", and "3.1 times its usual". */
export function changeInWords({ before, after }: LevelChange): { word: string; times: string } {
  const times = after / before;
  return {
    word: times > 1 ? "slow" : "fast",
    times: `${times >= 10 ? times.toFixed(0) : times.toFixed(1)} times its usual`,
  };
}
