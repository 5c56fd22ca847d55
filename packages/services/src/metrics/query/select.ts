/** Selects the series of a query, and finds the time up to which they have reported. */
import { type MetricDefinition, metricCatalogue } from "@stashlight/contracts/metrics";
import type { MetricGap, MetricOrigin, MetricQuery, SeriesLabel } from "@stashlight/contracts/metrics/query";
import {
  type FoundNode,
  findGaps,
  findNodes,
  findSeries,
  type MetricClient,
  newestHistogramMs,
} from "@stashlight/db/metrics";
import { present } from "../../present.ts";
import type { Plan } from "./plan.ts";
import type { MergedSeries } from "./points.ts";
import { sharing } from "./sharing.ts";

export interface SelectedSeries {
  readonly nodeId: string;
  readonly seriesId: number;
  readonly node: FoundNode;
  readonly labels: Readonly<Partial<Record<SeriesLabel, string>>>;
}

export type Question = Pick<MetricQuery, "metric" | "nodeIds" | "where" | "fromMs" | "toMs">;

const GAP_COUNT_MAX = 1000;
/** With more series the newest window is taken from their nodes, which differs only for series that rarely report. */
const NEWEST_SERIES_MAX = 200;

const seriesOf = sharing(findSeries, ({ length }) => length);
const gapsOfNodes = sharing(findGaps);
export const nodesById = sharing(findNodes, ({ size }) => size);

export async function selectSeries(
  client: MetricClient,
  question: Pick<Question, "metric" | "nodeIds" | "where">,
): Promise<SelectedSeries[]> {
  const found = await seriesOf(client, question.metric, question.nodeIds);
  const nodes = await nodesById(client, [...new Set(found.map(({ nodeId }) => nodeId))]);
  const conditions = Object.entries(question.where).map(
    ([label, values]) => [label, new Set(values)] as const,
  );
  return found.flatMap(({ nodeId, seriesId, labels }) => {
    const node = present(nodes.get(nodeId));
    const { name, vault } = node;
    const withNode: SelectedSeries["labels"] = {
      ...labels,
      node: name,
      ...(vault === null ? {} : { vault }),
    };
    const byLabel: Readonly<Partial<Record<string, string>>> = withNode;
    const isWanted = conditions.every(([label, values]) => values.has(byLabel[label] ?? ""));
    return isWanted ? [{ nodeId, seriesId, node, labels: withNode }] : [];
  });
}

export const distinctNodes = (series: readonly SelectedSeries[]): FoundNode[] => [
  ...new Map(series.map(({ node }) => [node.nodeId, node])).values(),
];

export async function readOrigin(
  client: MetricClient,
  question: Question,
  series: readonly SelectedSeries[],
  plan: Plan,
): Promise<MetricOrigin> {
  const { kind, unit }: MetricDefinition = metricCatalogue[question.metric];
  const nodes = distinctNodes(series);
  const [newestMs, gaps] = await Promise.all([
    findNewest(client, kind, series, nodes),
    readGaps(client, question, nodes),
  ]);
  const modelled = new Set(series.flatMap(({ labels }) => labels.modelled ?? []));
  return {
    metric: question.metric,
    kind,
    unit,
    resolution: plan.resolution,
    stepMs: plan.stepMs,
    newestMs: newestMs === null ? null : Math.min(newestMs, plan.readToMs),
    sourceSeriesCount: series.length,
    modelled: [...modelled].sort(),
    simulatedSeriesCount: series.filter(({ node }) => node.isSimulated).length,
    gaps,
  };
}

async function findNewest(
  client: MetricClient,
  kind: MetricDefinition["kind"],
  series: readonly SelectedSeries[],
  nodes: readonly FoundNode[],
): Promise<number | null> {
  if (series.length === 0) return null;
  if (kind === "histogram" && series.length <= NEWEST_SERIES_MAX) return newestHistogramMs(client, series);
  return nodes.reduce<number | null>(
    (newest, { newestMs }) => (newestMs === null ? newest : Math.max(newestMs, newest ?? newestMs)),
    null,
  );
}

async function readGaps(
  client: MetricClient,
  { fromMs, toMs, nodeIds }: Question,
  nodes: readonly FoundNode[],
): Promise<MetricGap[]> {
  const names = new Map(nodes.map(({ nodeId, name }) => [nodeId, name]));
  const asked = [...names.keys()].filter((id) => nodeIds === undefined || nodeIds.includes(id));
  const gaps = await gapsOfNodes(client, asked, { fromMs, toMs }, GAP_COUNT_MAX);
  return gaps.map((gap) => ({ ...gap, nodeName: names.get(gap.nodeId) ?? gap.nodeId }));
}

/**
 * Returns the end of the newest window behind a point of raw windows, which itself always ends now. The nodes' newest
 * window may be later, but lack a metric that they report rarely.
 */
export function newestWindowMs(
  series: readonly SelectedSeries[],
  nowMs: number,
  { newestMs }: Pick<MergedSeries, "newestMs">,
): number {
  const ends = series.map(({ node }) => Math.min(node.newestMs ?? nowMs, newestMs + node.windowMs / 2));
  return Math.min(nowMs, Math.max(...ends));
}
