/** Turns a metric panel into chart input: its query, lines and text. */
import {
  changedPanel,
  type MetricDefinition,
  type MetricPanel,
  metricCatalogue,
  type PanelStatistic,
  tiersAlike,
} from "@stashlight/contracts/metrics";
import type { MetricSeries, SeriesLabel } from "@stashlight/contracts/metrics/query";
import type { ChartTone, Quantity } from "@stashlight/ui/chart";
import { inVault } from "./scope.ts";
import { seriesTones } from "./series-tones.ts";
import { columnValues, type LineColumn, type LineSpec, type LineSpecs } from "./to-chart.ts";
import type { MetricSelection } from "./use-metrics.ts";

const metricDefinition = ({ metric }: Pick<MetricPanel, "metric">): MetricDefinition =>
  metricCatalogue[metric];

/** Labels whose split also groups by node, because drives and file systems of different machines share names. */
const ofOneNode: ReadonlySet<SeriesLabel> = new Set(["device", "filesystem"]);

function groupByLabels(splitBy: SeriesLabel): SeriesLabel[] {
  if (splitBy === "node") return ["vault", "node"];
  return ofOneNode.has(splitBy) ? ["vault", "node", splitBy] : [splitBy];
}

/** Query of the panel to the metric store. */
export function panelSelection(panel: MetricPanel): MetricSelection {
  const { metric, where, splitBy, statistic } = panel;
  const across = ({ mean: "avg", sum: "sum", min: "min", max: "max" } as const)[statistic as "mean"];
  const conditions = Object.entries(where).map(([label, values]) => [label, [...values]]);
  return {
    metric,
    where: Object.fromEntries(conditions),
    ...(splitBy === null ? {} : { groupBy: groupByLabels(splitBy) }),
    ...(metricDefinition(panel).kind === "gauge" && across !== undefined ? { across } : {}),
  };
}

/** Name of a group: "stash-1/s3", or "east/stash-1" with several vaults in scope. */
export function groupName(
  { splitBy }: MetricPanel,
  labels: MetricSeries["labels"],
  isSeveral: boolean,
): string {
  if (splitBy === null) return "all";
  const { node, vault } = labels;
  const own = labels[splitBy] ?? `no ${splitBy}`;
  if (splitBy === "node") return inVault(own, vault, isSeveral);
  return ofOneNode.has(splitBy) && node !== undefined ? `${inVault(node, vault, isSeveral)}/${own}` : own;
}

/** Panel of one group. */
export function groupPanel(panel: MetricPanel, labels: MetricSeries["labels"]): MetricPanel {
  if (panel.splitBy === null) return panel;
  const own = groupByLabels(panel.splitBy).flatMap((label) => {
    const value = labels[label];
    return value === undefined ? [] : [[label, [value]]];
  });
  return changedPanel(panel, { where: { ...panel.where, ...Object.fromEntries(own) }, splitBy: null });
}

const meanings: Partial<Record<string, ChartTone>> = {
  ...Object.fromEntries(tiersAlike.stash.map((tier) => [tier, "stash"])),
  ...Object.fromEntries(tiersAlike.pod.map((tier) => [tier, "pod"])),
  pods: "pod",
  direct: "direct",
  coordinator: "coordinator",
};

/** Fixed colours on every page: SSDs of the stash are blue, HDDs of pods amber. */
export function panelTone(panel: MetricPanel): ChartTone {
  const { labels } = metricDefinition(panel);
  const tiers = new Set(panel.where.tier?.map((tier) => meanings[tier] ?? "series-1"));
  const [only] = tiers;
  if (only !== undefined) return tiers.size === 1 ? only : "series-1";
  return labels.includes("stash") ? "stash" : labels.includes("pod") ? "pod" : "series-1";
}

/** Fixed colours where the label has a meaning, otherwise a colour for each of the highest series. */
function panelTones(panel: MetricPanel, all: readonly MetricSeries[]): ReadonlyMap<MetricSeries, ChartTone> {
  const { splitBy } = panel;
  if (splitBy === null) return new Map(all.map((series) => [series, panelTone(panel)]));
  if (splitBy === "tier" || splitBy === "path" || splitBy === "set") {
    return new Map(
      all.map((each, i) => [
        each,
        meanings[each.labels[splitBy] ?? ""] ?? seriesTones[i % seriesTones.length] ?? "unknown",
      ]),
    );
  }
  const highest = new Set(highestSeries(panel, all, seriesTones.length));
  // Assigned in order of names, so that colours stay when two lines swap places.
  const coloured = all.filter((series) => highest.has(series));
  return new Map(all.map((series) => [series, seriesTones[coloured.indexOf(series)] ?? "unknown"]));
}

/** Series with the highest mean over the range, highest first. */
export const highestSeries = (
  panel: MetricPanel,
  all: readonly MetricSeries[],
  countMax: number,
): MetricSeries[] =>
  all
    .map((series) => ({ series, level: meanLevel(series, panelColumn(panel)) }))
    .sort((a, b) => b.level - a.level)
    .slice(0, countMax)
    .map(({ series }) => series);

function meanLevel({ columns, endMs }: MetricSeries, column: LineColumn): number {
  const sum = columnValues(columns, column, 1).reduce<number>((total, value) => total + (value ?? 0), 0);
  return sum / Math.max(1, endMs.length);
}

/** Column of one line of the panel. */
function panelColumn(panel: MetricPanel): LineColumn {
  const { statistic } = panel;
  const { kind } = metricDefinition(panel);
  if (statistic === "mean") return kind === "histogram" ? "mean" : "avg";
  if (statistic === "sum") return "avg";
  return statistic === "percentiles" || statistic === "distribution" ? "p99" : statistic;
}

/** Lines of a panel drawn as lines. */
export function panelLines(panel: MetricPanel, isSeveral: boolean): LineSpecs {
  const { splitBy, statistic } = panel;
  const tone = panelTone(panel);
  if (statistic === "percentiles") {
    return [
      { column: "p50", label: "p50", tone, weight: "light" },
      { column: "p90", label: "p90", tone, weight: "medium" },
      { column: "p99", label: "p99", tone },
      { column: "max", label: statisticWords(panel, "max"), tone, weight: "dotted" },
    ];
  }
  const column = panelColumn(panel);
  const isLevel = metricDefinition(panel).kind === "gauge" && (statistic === "mean" || statistic === "sum");
  if (splitBy === null) return [{ column, label: statisticWords(panel), tone, hasBand: isLevel }];
  const tonesByAnswer = new WeakMap<readonly MetricSeries[], ReadonlyMap<MetricSeries, ChartTone>>();
  return (series, all): LineSpec[] => {
    const known = tonesByAnswer.get(all) ?? panelTones(panel, all);
    tonesByAnswer.set(all, known);
    const own = known.get(series) ?? "unknown";
    const isGrey = own === "unknown";
    const label = groupName(panel, series.labels, isSeveral);
    return [{ column, label, tone: own, ...(isGrey ? { weight: "medium" } : {}) }];
  };
}

/** Quantity of the lines if it differs from the metric's. */
export function panelQuantity(panel: MetricPanel): Quantity | undefined {
  if (panel.statistic !== "rate") return undefined;
  const { unit } = metricDefinition(panel);
  // Seconds per second are a share: of one processor, of one drive.
  if (unit === "seconds") return "ratio";
  return unit === "bytes" ? "bytes-per-second" : "per-second";
}

/** "p99", "slowest", "per second". */
export function statisticWords(
  panel: Pick<MetricPanel, "metric" | "statistic">,
  of = panel.statistic,
): string {
  const { kind, unit } = metricDefinition(panel);
  const words: Partial<Record<PanelStatistic, string>> = {
    percentiles: "percentiles",
    p999: "p99.9",
    max: kind === "histogram" && unit === "seconds" ? "slowest" : "maximum",
    min: "minimum",
    rate: "per second",
    increase: "increase",
  };
  return words[of] ?? of;
}

/** "Fsync, p99 by device". */
export function panelTitle(panel: MetricPanel): string {
  const name = panel.metric.replace(/^stashlight_/, "").replace(/_total$/, "");
  const words = name.replace(/_(seconds|bytes|ratio|celsius)$/, "").replaceAll("_", " ");
  const split = panel.splitBy === null ? "" : ` by ${panel.splitBy.replaceAll("_", " ")}`;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}, ${statisticWords(panel)}${split}`;
}

/** Subtitle: the metric's name and its filters. */
export function panelSubject({ metric, where }: MetricPanel): string {
  const conditions = Object.entries(where).map(([label, values]) => {
    const shown =
      values.length > 3
        ? `${values.slice(0, 3).join(", ")} and ${values.length - 3} more`
        : values.join(", ");
    return `${label}: ${shown}`;
  });
  return [metric, ...conditions].join("; ");
}

/** File name without its extension. */
export const panelFileName = (panel: MetricPanel): string =>
  panelTitle(panel)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
