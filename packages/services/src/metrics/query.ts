import {
  type MetricAnswer,
  type MetricDefinition,
  type MetricQuery,
  metricCatalogue,
  type SeriesLabel,
} from "@stashlight/contracts";
import { findLayouts, highestP99s, readSamples } from "@stashlight/db/metrics";
import { requireRole, type Verb } from "../context.ts";
import type { Platform } from "../platform.ts";
import { type Covered, planHistograms, readCovered } from "./fleets.ts";
import type { MergedSeries, SampleJob } from "./merge.ts";
import { type Plan, type PlanInput, planRange, SAMPLE_ROW_COUNT_MAX } from "./plan.ts";
import { nodesOf, originOf, type SelectedSeries, selectSeries } from "./select.ts";

/** More lines than this tell nothing on one chart. */
const GROUP_COUNT_MAX = 60;
/** A node that is this far behind the newest one is not waited for. */
const LIVE_MS = 60_000;

export interface Group {
  readonly labels: MetricAnswer["series"][number]["labels"];
  readonly series: readonly SelectedSeries[];
}

/** What a metric was in a range, in the resolution that fits it. */
export async function queryMetric({ ctx, input }: Verb<MetricQuery>): Promise<MetricAnswer> {
  requireRole(ctx, "viewer");
  const { platform } = ctx;
  const selected = await selectSeries(platform.metrics, input);
  const groups = groupsOf(selected, input.groupBy);
  const kept = await keptOf(platform, input, groups);
  const series = kept.flatMap((group) => group.series);
  const nodes = nodesOf(series);
  const range = {
    fromMs: input.fromMs,
    toMs: input.toMs,
    nowMs: platform.now().getTime(),
    pointCountMax: input.pointCountMax,
    windowMs: nodes.reduce((most, { windowMs }) => Math.max(most, windowMs), 0),
  };
  const { plan, merging } = await startMerging(platform, input, kept, {
    ...range,
    rowsPerWindow: nodes.length,
  });
  const [origin, merged] = await Promise.all([originOf(platform.metrics, input, series, plan), merging()]);
  return {
    ...origin,
    series: kept.flatMap(({ labels }, i) => {
      const { endMs, columns } = withoutIncomplete(merged[i] as MergedSeries, series);
      return endMs.length === 0 ? [] : [{ labels, endMs, columns }];
    }),
    omittedSeriesCount: groups.length - kept.length,
  };
}

/** Histograms are planned by what fleets have merged ahead. */
async function startMerging(
  platform: Platform,
  input: MetricQuery,
  groups: readonly Group[],
  range: PlanInput,
): Promise<{ plan: Plan; merging: () => Promise<readonly MergedSeries[]> }> {
  const { kind }: MetricDefinition = metricCatalogue[input.metric];
  if (kind !== "histogram") {
    const plan = planRange({ ...range, rowCountMax: SAMPLE_ROW_COUNT_MAX });
    return { plan, merging: () => mergeSamples(platform, kind, groups, plan, input.across) };
  }
  const seriesOf = groups.map(({ series }) => series);
  const { plan, covered } = await planHistograms(platform.metrics, input.metric, seriesOf, range);
  return { plan, merging: () => mergeHistograms(platform, covered, plan) };
}

/** Of more groups than can be shown those whose tail was the longest, or, of samples, the first by name. */
async function keptOf(
  platform: Platform,
  input: MetricQuery,
  groups: readonly Group[],
): Promise<readonly Group[]> {
  const { kind }: MetricDefinition = metricCatalogue[input.metric];
  if (groups.length <= GROUP_COUNT_MAX || kind !== "histogram") return groups.slice(0, GROUP_COUNT_MAX);
  const series = groups.flatMap((group) => group.series);
  const { resolution, startMs, endMs } = planRange({
    fromMs: input.fromMs,
    toMs: input.toMs,
    nowMs: platform.now().getTime(),
    pointCountMax: input.pointCountMax,
    windowMs: 0,
    rowsPerWindow: series.length,
    rowCountMax: SAMPLE_ROW_COUNT_MAX,
  });
  const range = { resolution, fromMs: startMs, toMs: endMs };
  const highest = (await highestP99s(platform.metrics, range, series)).values();
  const ranked = groups.map((group, place) => ({
    group,
    place,
    p99: group.series.reduce((most) => Math.max(most, highest.next().value ?? 0), 0),
  }));
  return ranked
    .sort((a, b) => b.p99 - a.p99 || a.place - b.place)
    .slice(0, GROUP_COUNT_MAX)
    .sort((a, b) => a.place - b.place)
    .map(({ group }) => group);
}

const collator = new Intl.Collator("en", { numeric: true });

export function groupsOf(series: readonly SelectedSeries[], groupBy: readonly SeriesLabel[]): Group[] {
  const groups = new Map<string, SelectedSeries[]>();
  for (const each of series) {
    const key = groupBy.map((label) => each.labels[label] ?? "").join("\0");
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(each);
  }
  return [...groups]
    .sort(([a], [b]) => collator.compare(a, b))
    .map(([, members]) => {
      const { labels } = members[0] as SelectedSeries;
      const kept = groupBy.flatMap((label) => {
        const value = labels[label];
        return value === undefined ? [] : [[label, value] as const];
      });
      return { labels: Object.fromEntries(kept), series: members };
    });
}

/** The points of each group, in the order of the groups. */
export function mergeGroups(
  platform: Platform,
  { metric, across }: Pick<MetricQuery, "metric" | "across">,
  groups: readonly Group[],
  plan: Plan,
): Promise<readonly MergedSeries[]> {
  const { kind }: MetricDefinition = metricCatalogue[metric];
  return kind === "histogram"
    ? mergeHistograms(
        platform,
        groups.map(({ series }) => ({ fleets: [], others: series })),
        plan,
      )
    : mergeSamples(platform, kind, groups, plan, across);
}

async function mergeHistograms(
  { metrics, merger }: Platform,
  covered: readonly Covered[],
  plan: Plan,
): Promise<readonly MergedSeries[]> {
  const groups = await readCovered(metrics, plan, covered);
  return (await merger.merge({ ...plan, kind: "histogram", groups })).series;
}

async function mergeSamples(
  { metrics, merger }: Platform,
  kind: SampleJob["kind"],
  groups: readonly Group[],
  plan: Plan,
  across: MetricQuery["across"],
): Promise<readonly MergedSeries[]> {
  const wanted = new Map(groups.flatMap(({ series }) => series.map((each) => [each.seriesId, each])));
  const nodeIds = [...new Set([...wanted.values()].map(({ nodeId }) => nodeId))];
  const layouts = await findLayouts(metrics, nodeIds, [...wanted.keys()]);
  const sources = layouts.flatMap(({ nodeId, layoutId, seriesIds, gaugeCount }) => {
    const rawOffset = kind === "gauge" ? 0 : gaugeCount;
    const ofKind = seriesIds.slice(rawOffset);
    const places = ofKind.flatMap((id, i) => (wanted.has(id) ? [i + 1] : []));
    const series = places.map((place) => ofKind[place - 1] as number);
    const watermarks = wanted.get(series[0] as number)?.node.watermarks;
    return watermarks === undefined ? [] : [{ nodeId, layoutId, places, rawOffset, series, watermarks }];
  });
  const packed = await readSamples(
    metrics,
    kind,
    { resolution: plan.resolution, fromMs: plan.startMs, toMs: plan.endMs },
    sources,
  );
  const merged = await merger.merge({
    ...plan,
    kind,
    across,
    sources: sources.map(({ series }, i) => ({ packed: packed[i] as string, series })),
    groups: groups.map(({ series }) => series.map(({ seriesId }) => seriesId)),
  });
  return merged.series;
}

/**
 * A counter's point that is not over has only some of its increase, and would show as a fall of the rate; it is left
 * out until every node that still reports has told of it.
 */
function withoutIncomplete(merged: MergedSeries, series: readonly SelectedSeries[]): MergedSeries {
  const { columns, endMs } = merged;
  if (columns.kind !== "counter") return merged;
  const newest = nodesOf(series).map(({ newestMs, windowMs }) => ({ newestMs: newestMs ?? 0, windowMs }));
  const newestMs = Math.max(...newest.map((node) => node.newestMs));
  const completeMs = Math.min(
    ...newest
      .filter((node) => node.newestMs >= newestMs - LIVE_MS)
      .map((node) => node.newestMs + node.windowMs / 2),
  );
  const count = endMs.filter((each) => each < completeMs).length;
  return {
    endMs: endMs.slice(0, count),
    columns: { kind: "counter", increase: columns.increase.slice(0, count) },
  };
}
