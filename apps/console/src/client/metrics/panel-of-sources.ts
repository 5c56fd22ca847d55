/**
 * Finds the metric panel that draws the same as a page's chart, so that Explorer can open it. Only
 * charts with a single query have one.
 */
import type { MetricPanel, PanelStatistic } from "@stashlight/contracts/metrics";
import type { LineColumn } from "./to-chart.ts";
import type { MetricSelection } from "./use-metrics.ts";
import type { LinesSource } from "./use-wide-windows.ts";

/** Converts a query into a panel; null if it selects nodes or splits by more than one label. */
function toPanel(selection: MetricSelection, statistic: PanelStatistic): MetricPanel | null {
  const { metric, where = {}, groupBy = [], nodeIds } = selection;
  if (nodeIds !== undefined || groupBy.length > 1) return null;
  return { metric, where, splitBy: groupBy[0] ?? null, statistic };
}

/** A gauge must also combine its series by the statistic; otherwise a sum of maxima would pass for the maximum. */
const statistics: readonly (readonly [LineColumn, MetricSelection["across"], PanelStatistic])[] = [
  ["p50", undefined, "p50"],
  ["p90", undefined, "p90"],
  ["p99", undefined, "p99"],
  ["p999", undefined, "p999"],
  ["avg", undefined, "sum"],
  ["avg", "sum", "sum"],
  ["avg", "avg", "mean"],
  ["min", "min", "min"],
  ["max", "max", "max"],
];

export function panelOfLines(sources: readonly LinesSource[]): MetricPanel | null {
  const [source, ...others] = sources;
  if (source === undefined || others.length > 0 || typeof source.lines === "function") return null;
  const columns = source.lines.map(({ column }) => column);
  if (columns.includes("p50") && columns.includes("p99")) return toPanel(source, "percentiles");
  const [column] = columns;
  if (column === undefined || columns.length > 1) return null;
  const found = statistics.find(([ofColumn, across]) => ofColumn === column && across === source.across);
  return found === undefined ? null : toPanel(source, found[2]);
}

export function panelOfBars(sources: readonly MetricSelection[]): MetricPanel | null {
  const [source, ...others] = sources;
  return source === undefined || others.length > 0 ? null : toPanel(source, "increase");
}

export const panelOfHeatmap = (selection: MetricSelection): MetricPanel | null =>
  toPanel(selection, "distribution");
