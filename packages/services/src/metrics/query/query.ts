import { type MetricDefinition, type MetricName, metricCatalogue } from "@stashlight/contracts/metrics";
import type {
  MetricAnswer,
  MetricQuery,
  PartialSums,
  SeriesLabel,
} from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import { highestP99s } from "@stashlight/db/metrics";
import { requireRole, type Verb } from "../../context.ts";
import { present } from "../../present.ts";
import { areMany, type Covered, planCovered, readCovered } from "./fleets.ts";
import { findLateNodes, reportedUntilMs } from "./live-edge.ts";
import type { BaseWithMerger, WithMerger } from "./merger.ts";
import { type Plan, planRange, SAMPLE_ROW_COUNT_MAX } from "./plan.ts";
import { type MergedSeries, sliceColumns } from "./points.ts";
import { mergeSampleGroups } from "./read-samples.ts";
import { distinctNodes, readOrigin, type SelectedSeries, selectSeries } from "./select.ts";
import { chooseTrendStepMs, clipTrend, type GaugeColumn, trendOfSamples } from "./trend.ts";

/** More lines than this are indistinguishable on one chart. */
const GROUP_COUNT_MAX = 60;
/** A list has a figure per group, for example for the pods of every vault. */
const SUMMARISED_COUNT_MAX = 2_000;
/** A tile has a line per vault and per upload path. */
const TRENDS_MAX = 300;
/** Limit on points from which the summaries and trends of all groups are computed; with many groups each has fewer. */
const SUMMARISED_POINTS_MAX = 4_000;
const SUMMARISED_POINTS_MIN = 20;
/** The newest level is looked for in this part of the range first. */
const NEWEST_WITHIN_MS = 10 * MINUTE_MS;

export interface Group {
  readonly labels: MetricAnswer["series"][number]["labels"];
  readonly series: readonly SelectedSeries[];
}

/** Returns the values of a metric over a range, in the resolution that fits it. */
export async function queryMetric({ ctx, input }: Verb<MetricQuery, WithMerger>): Promise<MetricAnswer> {
  requireRole(ctx, "viewer");
  return answerMetric(ctx.platform, input);
}

/** Answers without a check of permissions. */
export async function answerMetric(platform: WithMerger, input: MetricQuery): Promise<MetricAnswer> {
  const selected = await selectSeries(platform.metrics, input);
  const groups = groupSeries(selected, input.groupBy);
  const kept = await cutToLargest(platform, input, groups);
  const answer = await (isOnlyNewest(input)
    ? readNewest(platform, input, kept)
    : buildAnswer(platform, input, kept));
  return { ...answer, omittedSeriesCount: groups.length - kept.length };
}

type Answer = Omit<MetricAnswer, "omittedSeriesCount">;

/** Levels that are summarised without a trend need only the newest point. */
const isOnlyNewest = ({ metric, summarise, trend }: MetricQuery): boolean =>
  metricCatalogue[metric].kind === "gauge" && summarise === true && trend === undefined;

/**
 * Finds the newest point of each group: most have one in the last minutes, and the whole range is read only for the
 * others.
 */
async function readNewest(
  platform: WithMerger,
  input: MetricQuery,
  groups: readonly Group[],
): Promise<Answer> {
  const fromMs = Math.max(input.fromMs, input.toMs - NEWEST_WITHIN_MS);
  // One-minute points come from merged fleets.
  const isLarge = areMany(groups.map(({ series }) => series));
  const pointCountMax = isLarge ? NEWEST_WITHIN_MS / MINUTE_MS : input.pointCountMax;
  const recent = await buildAnswer(platform, { ...input, fromMs, pointCountMax }, groups);
  const groupKey = ({ labels }: Pick<Group, "labels">): string => JSON.stringify(labels);
  const found = new Map(recent.series.map((each) => [groupKey(each), each]));
  const others = groups.filter((group) => !found.has(groupKey(group)));
  if (others.length === 0 || fromMs === input.fromMs) return recent;
  const earlier = await buildAnswer(platform, input, others);
  for (const each of earlier.series) found.set(groupKey(each), each);
  return { ...recent, series: groups.flatMap((group) => found.get(groupKey(group)) ?? []) };
}

async function buildAnswer(
  platform: WithMerger,
  input: MetricQuery,
  kept: readonly Group[],
): Promise<Answer> {
  const series = kept.flatMap((group) => group.series);
  const nodes = distinctNodes(series);
  const range = {
    fromMs: input.fromMs,
    toMs: input.toMs,
    nowMs: platform.now().getTime(),
    pointCountMax: choosePointCount(input, kept.length),
    windowMs: nodes.reduce((most, { windowMs }) => Math.max(most, windowMs), 0),
  };
  const { kind }: MetricDefinition = metricCatalogue[input.metric];
  const question = { metric: input.metric, kind, across: input.across };
  const seriesOf = kept.map((group) => group.series);
  const { plan, covered } = await planCovered(platform.metrics, question, seriesOf, range);
  const trend = input.trend && { ...input.trend, stepMs: chooseTrendStepMs(plan, input.trend.pointCountMax) };
  const [origin, merged] = await Promise.all([
    readOrigin(platform.metrics, input, series, plan),
    kind === "histogram"
      ? mergeHistograms(platform, covered, plan, { ...input, trendStepMs: trend?.stepMs })
      : mergeSampleGroups(platform, { kind, across: input.across, plan, waits: true }, covered),
  ]);
  const partial = mostPartial(merged);
  const isAdded = kind === "counter" || (kind === "gauge" && input.across === "sum");
  const late = isAdded ? findLateNodes(series, input) : null;
  return {
    ...origin,
    ...(partial === null ? {} : { partial }),
    ...(late === null ? {} : { late }),
    series: kept.flatMap(({ labels, series: ofGroup }, i) => {
      const points = withoutIncomplete(present(merged[i]), ofGroup, plan);
      if (points.endMs.length === 0) return [];
      const { endMs, columns, summary } = input.summarise ? summarised(points) : points;
      const line = trend && computeTrend(points, plan, trend);
      return [{ labels, endMs, columns, ...(summary && { summary }), ...(line && { trend: line }) }];
    }),
  };
}

function choosePointCount(
  { summarise, findsChanges, pointCountMax }: MetricQuery,
  groupCount: number,
): number {
  if (!summarise || findsChanges) return pointCountMax;
  const ofEach = Math.floor(SUMMARISED_POINTS_MAX / Math.max(1, groupCount));
  return Math.min(pointCountMax, Math.max(SUMMARISED_POINTS_MIN, ofEach));
}

/** Limits the number of groups: keeps those with the longest tail or, for samples, the first by name. */
async function cutToLargest(
  platform: WithMerger,
  input: MetricQuery,
  groups: readonly Group[],
): Promise<readonly Group[]> {
  const { kind }: MetricDefinition = metricCatalogue[input.metric];
  if (kind !== "histogram") {
    return groups.slice(0, input.summarise ? SUMMARISED_COUNT_MAX : GROUP_COUNT_MAX);
  }
  const countMax = input.trend === undefined ? GROUP_COUNT_MAX : TRENDS_MAX;
  if (groups.length <= countMax) return groups;
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
    .slice(0, countMax)
    .sort((a, b) => a.place - b.place)
    .map(({ group }) => group);
}

const collator = new Intl.Collator("en", { numeric: true });

export function groupSeries(series: readonly SelectedSeries[], groupBy: readonly SeriesLabel[]): Group[] {
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
      const { labels } = present(members[0]);
      const kept = groupBy.flatMap((label) => {
        const value = labels[label];
        return value === undefined ? [] : [[label, value] as const];
      });
      return { labels: Object.fromEntries(kept), series: members };
    });
}

/** The points of each group, in the order of the groups. */
export function mergeGroups(
  platform: BaseWithMerger,
  { metric, across }: Pick<MetricQuery, "metric" | "across">,
  groups: readonly Group[],
  plan: Plan,
): Promise<readonly MergedSeries[]> {
  const { kind }: MetricDefinition = metricCatalogue[metric];
  const covered = groups.map(({ series }) => ({ fleets: [], others: series }));
  return kind === "histogram"
    ? mergeHistograms(platform, covered, plan)
    : mergeSampleGroups(platform, { kind, across, plan, waits: false }, covered);
}

/** Reads the points of gauges or counters over a range for each group, from merged fleets if there are many. */
export async function readSampleRange(
  platform: BaseWithMerger,
  { metric, across }: Pick<MetricQuery, "metric" | "across">,
  groups: readonly Group[],
  range: Omit<Parameters<typeof planCovered>[3], "windowMs">,
): Promise<{ readonly stepMs: number; readonly merged: readonly MergedSeries[] }> {
  const { kind }: MetricDefinition = metricCatalogue[metric];
  if (kind === "histogram" || groups.length === 0) return { stepMs: 0, merged: [] };
  const windowMs = distinctNodes(groups.flatMap(({ series }) => series)).reduce(
    (most, node) => Math.max(most, node.windowMs),
    0,
  );
  const { plan, covered } = await planCovered(
    platform.metrics,
    { metric, kind, across },
    groups.map(({ series }) => series),
    { ...range, windowMs },
  );
  const merged = await mergeSampleGroups(platform, { kind, across, plan, waits: true }, covered);
  return {
    stepMs: plan.stepMs,
    merged: groups.map(({ series }, i) => withoutIncomplete(present(merged[i]), series, plan)),
  };
}

/**
 * Reads the values of a histogram's groups over a whole range, each as one point: percentiles of all values, not of
 * percentiles.
 */
export async function mergeWhole(
  platform: BaseWithMerger,
  metric: MetricName,
  groups: readonly Group[],
  range: Parameters<typeof planCovered>[3],
): Promise<{ plan: Plan; merged: readonly MergedSeries[] }> {
  const { plan: planned, covered } = await planCovered(
    platform.metrics,
    { metric, kind: "histogram", across: "sum" },
    groups.map(({ series }) => series),
    range,
  );
  const plan = { ...planned, stepMs: planned.endMs - planned.startMs, pointCount: 1 };
  return { plan, merged: await mergeHistograms(platform, covered, plan) };
}

async function mergeHistograms(
  { metrics, merger }: BaseWithMerger,
  covered: readonly Covered[],
  plan: Plan,
  { summarise = false, findsChanges = false, trendStepMs }: SummaryOptions = {},
): Promise<readonly MergedSeries[]> {
  const groups = await readCovered(metrics, plan, covered);
  const summary = { summarise, findsChanges, trendStepMs };
  return (await merger.merge({ ...plan, kind: "histogram", groups, ...summary })).series;
}

type SummaryOptions = Pick<MetricQuery, "summarise" | "findsChanges"> & {
  readonly trendStepMs?: number;
};

/** `points` excludes the newest ones, which not all nodes have reported yet. */
function computeTrend(points: MergedSeries, plan: Plan, asked: { stepMs: number; ofGauge: GaugeColumn }) {
  const untilMs = points.endMs.at(-1) ?? plan.startMs;
  const trend = points.trend ?? trendOfSamples(points, asked.stepMs, asked.ofGauge);
  return clipTrend(trend, plan.startMs, untilMs);
}

/** The partial sum of the series that lacks the greatest share. */
function mostPartial(merged: readonly MergedSeries[]): PartialSums | null {
  const countShare = ({ seriesCountMin, seriesCount }: PartialSums): number => seriesCountMin / seriesCount;
  return merged.reduce<PartialSums | null>(
    (most, { partial = null }) =>
      partial !== null && (most === null || countShare(partial) < countShare(most)) ? partial : most,
    null,
  );
}

/**
 * Leaves out the newest points until every reporting node has sent them and they can be read. A counter's unfinished
 * point has only part of its increase, and would show as a fall of the rate.
 */
function withoutIncomplete(
  merged: MergedSeries,
  series: readonly SelectedSeries[],
  { stepMs, readToMs }: Plan,
): MergedSeries {
  const { columns, endMs } = merged;
  const isCounter = columns.kind === "counter";
  const untilMs = isCounter ? reportedUntilMs(series, 0.5) : reportedUntilMs(series, -0.5) + stepMs;
  const readUntilMs = isCounter ? readToMs : readToMs + stepMs - 1;
  const count = endMs.filter((each) => each < untilMs && each <= readUntilMs).length;
  if (count === endMs.length) return merged;
  return { ...merged, endMs: endMs.slice(0, count), columns: sliceColumns(columns, 0, count) };
}

function summarised({ endMs, columns, ...rest }: MergedSeries): MergedSeries {
  const newest = endMs.slice(-1);
  if (columns.kind === "counter") {
    const total = columns.increase.reduce((sum, each) => sum + each, 0);
    return { ...rest, endMs: newest, columns: { kind: "counter", increase: [total] } };
  }
  if (columns.kind === "gauge")
    return { ...rest, endMs: newest, columns: sliceColumns(columns, endMs.length - 1) };
  return { ...rest, endMs: [], columns: sliceColumns(columns, endMs.length) };
}
