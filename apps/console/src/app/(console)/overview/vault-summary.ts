/** The figures of the vaults and of the write path on the overview, and their problems. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { formatCount, type Status } from "@stashlight/ui";
import { formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { MetricSelection } from "../../../client/metrics/use-metrics.ts";
import { figuresByVault } from "../charts/by-vault.ts";
import { needsPerson, type VaultFigure } from "../charts/figure.ts";
import { statusOfMargin, statusOfPurgeLag } from "../charts/limits.ts";
import { spaceFigures } from "../charts/space-figures.ts";
import { stashFigures } from "../charts/stash-figures.ts";
import { spaceSelections } from "../charts/vault-space.ts";

/** Every question that `readFigures` needs the answer to, in any order. */
export const figureSelections: readonly MetricSelection[] = [
  { metric: "stashlight_stash_used_bytes", groupBy: ["vault"] },
  { metric: "stashlight_stash_capacity_bytes", groupBy: ["vault"] },
  { metric: "stashlight_purge_lag_seconds", groupBy: ["vault"] },
  { metric: "stashlight_fsync_seconds", groupBy: ["tier", "vault"] },
  { metric: "stashlight_upload_seconds", groupBy: ["path", "vault"] },
  { metric: "stashlight_fallbacks_total", groupBy: ["vault"] },
  { metric: "stashlight_durable_margin_shards", groupBy: ["vault"], across: "min" },
  { metric: "stashlight_stash_live_bytes", groupBy: ["vault"] },
  { metric: "stashlight_drive_running", groupBy: ["tier", "vault"], across: "min" },
  ...spaceSelections(),
];

export interface VaultFigures {
  readonly space: readonly VaultFigure[];
  readonly writePath: readonly VaultFigure[];
}

export function readFigures(answers: readonly MetricAnswer[]): VaultFigures {
  return {
    space: figuresByVault(answers, (ofVault) => spaceFigures(ofVault)),
    writePath: figuresByVault(answers, writePathFigures),
  };
}

function writePathFigures(answers: readonly MetricAnswer[]): VaultFigure[] {
  const seriesOf = (name: MetricName) => answerTo(answers, name)?.series ?? [];
  const tier = (name: string) =>
    seriesOf("stashlight_fsync_seconds").find(({ labels }) => labels.tier === name);
  const path = (name: string) =>
    seriesOf("stashlight_upload_seconds").find(({ labels }) => labels.path === name);
  return [
    ...stashFigures(answers),
    purgeFigure(seriesOf("stashlight_purge_lag_seconds")[0]),
    latencyFigure("fsync-ssd", "fsync, SSD", tier("stash"), "/fsync", "stashlight_fsync_seconds"),
    latencyFigure("fsync-hdd", "fsync, HDD", tier("pod"), "/fsync", "stashlight_fsync_seconds"),
    latencyFigure(
      "upload-stash",
      "Upload by stash",
      path("stash"),
      "/write-path",
      "stashlight_upload_seconds",
    ),
    latencyFigure(
      "upload-direct",
      "Upload direct",
      path("direct"),
      "/write-path",
      "stashlight_upload_seconds",
    ),
    fallbackFigure(answerTo(answers, "stashlight_fallbacks_total")),
    marginFigure(seriesOf("stashlight_durable_margin_shards")[0]),
    drivesFigure(seriesOf("stashlight_drive_running")),
  ];
}

/** p99 of the newest window that has enough samples for one; otherwise the slowest of the newest window. */
export function newestTail(
  series: MetricSeries | undefined,
): { seconds: number; statistic: string; n: number } | null {
  const columns = series?.columns;
  if (columns?.kind !== "histogram" || columns.n.length === 0) return null;
  const index = columns.p99.findLastIndex((value) => value !== null);
  const p99 = columns.p99[index];
  if (p99 !== undefined && p99 !== null) return { seconds: p99, statistic: "p99", n: columns.n[index] ?? 0 };
  return { seconds: columns.max.at(-1) ?? 0, statistic: "slowest", n: columns.n.at(-1) ?? 0 };
}

function latencyFigure(
  id: string,
  title: string,
  series: MetricSeries | undefined,
  href: string,
  metric: string,
): VaultFigure {
  const tail = newestTail(series);
  const shared = { id, title, quantity: "seconds", href, metrics: [metric] } as const;
  if (tail === null) return { ...shared, value: null, missing: "none in this time range" };
  return { ...shared, value: tail.seconds, rank: tail.seconds, statistic: tail.statistic, n: tail.n };
}

function purgeFigure(series: MetricSeries | undefined): VaultFigure {
  const figure = latencyFigure("purge-lag", "Purge lag", series, "/stash", "stashlight_purge_lag_seconds");
  const seconds = typeof figure.value === "number" ? figure.value : null;
  const status = statusOfPurgeLag(seconds);
  if (!needsPerson(status) || seconds === null) return { ...figure, status };
  const { value, unit } = formatQuantity("seconds", seconds);
  return {
    ...figure,
    status,
    problem: `Shards stay on the stash for ${value} ${unit}: purge is not keeping up.`,
  };
}

function fallbackFigure(answer: MetricAnswer | undefined): VaultFigure {
  const columns = answer?.series[0]?.columns;
  const count =
    columns?.kind === "counter" ? columns.increase.reduce((sum, increase) => sum + increase, 0) : null;
  const status: Status = count === null ? "unknown" : count > 0 ? "warning" : "good";
  return {
    id: "fallbacks",
    title: "Fallbacks",
    // A counter that never moved has no series; that no upload fell back is then known from the uploads.
    value: count ?? (answer?.newestMs == null ? "none" : 0),
    rank: count ?? 0,
    quantity: "count",
    statistic: "small uploads that took the direct path",
    status: count === null ? "good" : status,
    ...(count !== null && count > 0
      ? { problem: `${formatCount(count)} small uploads could not use the stash in this time range.` }
      : {}),
    href: "/write-path",
    metrics: ["stashlight_fallbacks_total"],
  };
}

function marginFigure(series: MetricSeries | undefined): VaultFigure {
  const columns = series?.columns;
  const shards = columns?.kind === "gauge" ? (columns.last.at(-1) ?? null) : null;
  const status = statusOfMargin(shards);
  return {
    id: "margin",
    title: "Durable margin",
    value: shards,
    ...(shards === null ? {} : { rank: -shards }),
    quantity: "shards",
    missing: "no upload in the last five minutes",
    statistic: "least of a sample of uploads",
    status,
    ...(needsPerson(status) && shards !== null
      ? { problem: `An upload has only ${formatCount(shards)} durable shards more than a read needs.` }
      : {}),
    href: "/vaults",
    metrics: ["stashlight_durable_margin_shards"],
  };
}

const tierWords: Readonly<Record<string, string>> = {
  stash: "a drive of the stash",
  pod: "a drive of a pod",
};

function drivesFigure(series: readonly MetricSeries[]): VaultFigure {
  const newest = series.map(({ labels: { tier = "" }, columns }) => ({
    tier,
    least: columns.kind === "gauge" ? columns.last.at(-1) : undefined,
  }));
  const down = newest.filter(({ least }) => least === 0);
  const [first] = down;
  return {
    id: "drives",
    title: "Drives",
    value: newest.length === 0 ? null : down.length === 0 ? "all running" : "not all running",
    ...(newest.length === 0 ? {} : { rank: down.length }),
    quantity: "count",
    missing: "no drive reported in this time range",
    statistic: "stash and pods",
    status: newest.length === 0 ? "unknown" : down.length === 0 ? "good" : "bad",
    ...(first === undefined
      ? {}
      : {
          problem: `Failed or being opened: ${down.map(({ tier }) => tierWords[tier] ?? "a drive").join(", ")}.`,
        }),
    href: "/vaults",
    metrics: ["stashlight_drive_running"],
  };
}

/** Figures without values, as placeholders while they load. */
export const noFigures: VaultFigures = readFigures([]);
