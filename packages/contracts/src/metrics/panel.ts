/**
 * One chart of the metric store as users describe it: a metric, its series, a label to split by and a statistic. The
 * explorer's address and dashboards store panels. A stored panel may outlive metrics in the catalogue, so it is stored
 * as words and checked against the catalogue whenever it is shown.
 */
import { isAddable } from "./bounds.ts";
import { isMetricName, type MetricName, metricCatalogue } from "./catalogue.ts";
import type { MetricDefinition } from "./definition.ts";
import type { SeriesLabel } from "./query/query.ts";

const statisticsOfKind = {
  histogram: ["percentiles", "p50", "p90", "p99", "p999", "max", "mean", "distribution"],
  gauge: ["mean", "sum", "min", "max"],
  counter: ["rate", "increase"],
} as const;

export type PanelStatistic = (typeof statisticsOfKind)[keyof typeof statisticsOfKind][number];

/** Statistics whose bands fill a chart of a single group. */
const ofOneGroup: ReadonlySet<PanelStatistic> = new Set(["percentiles", "distribution"]);

export interface MetricPanel {
  readonly metric: MetricName;
  /** Only series whose label has one of these values. */
  readonly where: Readonly<Partial<Record<SeriesLabel, readonly string[]>>>;
  /** One line per value of this label; null merges all series. */
  readonly splitBy: SeriesLabel | null;
  readonly statistic: PanelStatistic;
}

/** A panel as text, not yet checked against the catalogue. */
export interface StoredPanel {
  readonly metric: string;
  readonly where: Readonly<Record<string, readonly string[]>>;
  readonly splitBy: string | null;
  readonly statistic: string;
}

const metricDefinition = (metric: MetricName): MetricDefinition => metricCatalogue[metric];

/** Returns the labels that distinguish series of a metric. */
export function panelLabels(metric: MetricName): readonly SeriesLabel[] {
  const { labels, isOfDrive } = metricDefinition(metric);
  return ["vault", "node", ...labels, ...(isOfDrive ? (["modelled"] as const) : [])];
}

/** Statistics of a metric, the usual one first. */
export function panelStatistics(metric: MetricName, isSplit: boolean): readonly PanelStatistic[] {
  const definition = metricDefinition(metric);
  const all: readonly PanelStatistic[] = statisticsOfKind[definition.kind];
  const possible = all.filter((statistic) => statistic !== "sum" || isAddable(definition));
  if (!isSplit) return possible;
  const ofSeveral = possible.filter((statistic) => !ofOneGroup.has(statistic));
  return ofSeveral.includes("p99") ? ["p99", ...ofSeveral.filter((each) => each !== "p99")] : ofSeveral;
}

/** The usual chart of a metric. */
export const usualPanel = (metric: MetricName): MetricPanel => ({
  metric,
  where: {},
  splitBy: null,
  statistic: panelStatistics(metric, false)[0] ?? "mean",
});

/** Returns the panel with changed parts; conditions and a statistic that no longer fit return to the usual ones. */
export function changedPanel(panel: MetricPanel, change: Partial<MetricPanel>): MetricPanel {
  const { metric, where, splitBy, statistic } = { ...panel, ...change };
  const labels = panelLabels(metric);
  const kept = splitBy !== null && labels.includes(splitBy) ? splitBy : null;
  const statistics = panelStatistics(metric, kept !== null);
  const [usual = "mean"] = statistics;
  return {
    metric,
    where: Object.fromEntries(
      labels.flatMap((label) => (where[label]?.length ? [[label, where[label]]] : [])),
    ),
    splitBy: kept,
    statistic: statistics.includes(statistic) ? statistic : usual,
  };
}

export type ReadPanel =
  | { readonly panel: MetricPanel }
  | {
      readonly problem: string;
      /** The parts of the panel that fit the catalogue; null if the catalogue lacks the metric. */
      readonly nearest: MetricPanel | null;
    };

/** Reads a stored panel, or returns one sentence that names the first word missing from the catalogue. */
export function readPanel({ metric, where, splitBy, statistic }: StoredPanel): ReadPanel {
  if (!isMetricName(metric)) return { problem: formatUnknownMetric(metric), nearest: null };
  const labels = panelLabels(metric);
  const isLabel = (label: string): label is SeriesLabel => labels.some((known) => known === label);
  const usual = usualPanel(metric);
  const nearest = changedPanel(usual, {
    where,
    splitBy: splitBy !== null && isLabel(splitBy) ? splitBy : null,
    statistic: panelStatistics(metric, false).find((each) => each === statistic) ?? usual.statistic,
  });
  const unknown = [...Object.keys(where), ...(splitBy === null ? [] : [splitBy])].find(
    (each) => !isLabel(each),
  );
  if (unknown !== undefined) {
    return { problem: `${metric} has no label “${unknown}”. It has ${inWords(labels)}.`, nearest };
  }
  const split = splitBy !== null && isLabel(splitBy) ? splitBy : null;
  const statistics = panelStatistics(metric, split !== null);
  const known = statistics.find((each) => each === statistic);
  if (known === undefined) {
    const what = split === null ? metric : `${metric}, split by ${split},`;
    return { problem: `${what} has no statistic “${statistic}”. It has ${inWords(statistics)}.`, nearest };
  }
  return { panel: { metric, where, splitBy: split, statistic: known } };
}

const inWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

const SUGGESTION_COUNT_MAX = 3;

function formatUnknownMetric(name: string): string {
  const names = Object.keys(metricCatalogue);
  const asked = new Set(name.toLowerCase().split(/[^a-z0-9]+/));
  const sharedCount = (known: string): number =>
    known.split("_").filter((part) => part !== "stashlight" && asked.has(part)).length;
  const near = names
    .map((known) => ({ known, count: sharedCount(known) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, SUGGESTION_COUNT_MAX)
    .map(({ known }) => known);
  const advice =
    near.length === 0 ? "Names look like stashlight_fsync_seconds." : `The nearest are ${inWords(near)}.`;
  return `The catalogue has no metric “${name}”; choose one of its ${names.length}. ${advice}`;
}
