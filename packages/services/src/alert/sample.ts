/** Reads the values to compare with a condition: current ones from raw windows, past ones from stored points. */
import type { AlertCondition, AlertEvidence, AlertPercentile, AlertQuery } from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import { fillShare, vaultSpace, wearSpace } from "@stashlight/contracts/space";
import { YEAR_SECONDS } from "@stashlight/contracts/time";
import { type Forecast, type HistoryPoint, likelyFullInMs } from "@stashlight/stats/forecast";
import { readHistories } from "../forecast/history.ts";
import { forecastOf, readForecasts } from "../forecast/read-forecasts.ts";
import type { BaseWithMerger } from "../metrics/query/merger.ts";
import type { Plan } from "../metrics/query/plan.ts";
import type { MergedSeries } from "../metrics/query/points.ts";
import { type Group, groupSeries, mergeGroups } from "../metrics/query/query.ts";
import { distinctNodes, newestWindowMs, selectSeries } from "../metrics/query/select.ts";
import { present } from "../present.ts";
import type { Sample } from "./evaluate.ts";

/** Limit on a fleet's devices; a rule with more groups reports that instead of being evaluated. */
const groupCountMax = 5_000;
/** Age up to which a value counts as current. */
const ABSENCE_WINDOW_MS = 60_000;

export interface GroupPoints {
  readonly group: string;
  /** Names of the nodes that report it. */
  readonly nodes: readonly string[];
  /** End of the newest window behind the points, or behind those of the second gauge if that is older. */
  readonly newestMs: number;
  readonly labels: Sample["labels"];
  readonly points: MergedSeries;
  /** Points of the second gauge: the total of a share, or the capacity of a forecast. */
  readonly other: MergedSeries | null;
  /** For forecasts: points before the first of `points`. */
  readonly before?: readonly HistoryPoint[];
}

const groupKey = (groupBy: readonly SeriesLabel[], labels: Group["labels"]): string =>
  JSON.stringify(groupBy.map((label) => labels[label] ?? ""));

const secondMetric = (condition: AlertCondition): MetricName | undefined => {
  if (condition.kind === "time-to-full") return condition.capacityMetric;
  return condition.kind === "threshold" ? condition.shareOf : undefined;
};

/** Reads the points of all groups of a rule by one plan. */
export async function readGroupPoints(
  platform: BaseWithMerger,
  query: AlertQuery,
  condition: AlertCondition,
  plan: Plan,
): Promise<GroupPoints[]> {
  const otherMetric = secondMetric(condition);
  const [own, other, before] = await Promise.all([
    pointsByGroup(platform, query, plan),
    otherMetric === undefined ? null : pointsByGroup(platform, { ...query, metric: otherMetric }, plan),
    condition.kind === "time-to-full" ? historyByGroup(platform, query, plan.startMs) : null,
  ]);
  return [...own].map(([group, { labels, nodes, newestMs, points }]) => ({
    group,
    nodes,
    newestMs: Math.min(newestMs, other?.get(group)?.newestMs ?? newestMs),
    labels: Object.fromEntries(Object.entries(labels)),
    points,
    other: other?.get(group)?.points ?? null,
    before: before?.get(group) ?? [],
  }));
}

async function historyByGroup(platform: BaseWithMerger, query: AlertQuery, untilMs: number) {
  const histories = await readHistories(platform, { ...query, leavesOutSimulated: true }, untilMs);
  return new Map(histories.map(({ labels, points }) => [groupKey(query.groupBy, labels), points]));
}

async function pointsByGroup(platform: BaseWithMerger, query: AlertQuery, plan: Plan) {
  const question = { ...query, fromMs: plan.startMs, toMs: plan.endMs, nodeIds: undefined };
  const series = await selectSeries(platform.metrics, question);
  // Simulated nodes must not page a person.
  const real = series.filter(({ node }) => !node.isSimulated);
  const groups = groupSeries(real, query.groupBy);
  if (groups.length > groupCountMax) {
    throw new Error(tooManyGroups(groups.length));
  }
  const merged = await mergeGroups(platform, query, groups, plan);
  return new Map(
    groups.map(({ labels, series: members }, i) => {
      const points = present(merged[i]);
      const nodes = distinctNodes(members).map(({ name }) => name);
      const newestMs = newestWindowMs(members, plan.endMs, points);
      return [groupKey(query.groupBy, labels), { labels, nodes, newestMs, points }] as const;
    }),
  );
}

type WindowCondition = Exclude<AlertCondition, { kind: "time-to-full" | "durability" | "peers" }>;
/** Conditions on reported measurements; durability-sample.ts and peers-sample.ts read the values of models. */
export type ReportedCondition = WindowCondition | FullCondition;
type FullCondition = Extract<AlertCondition, { kind: "time-to-full" }>;

const conditionWindowMs = (condition: WindowCondition): number =>
  condition.kind === "absence" ? ABSENCE_WINDOW_MS : condition.windowSeconds * 1000;

/** Plans one point over the whole window, so that its percentiles cover all values; for absence several points. */
function planWindow(condition: WindowCondition, nowMs: number): Plan {
  const pointCount = condition.kind === "absence" ? 15 : 1;
  const windowMs = conditionWindowMs(condition);
  const stepMs = windowMs / pointCount;
  return { resolution: "raw", stepMs, startMs: nowMs - windowMs, endMs: nowMs, readToMs: nowMs, pointCount };
}

/**
 * Returns the values of a rule at a moment. Leaves out groups without a value, except the only group of an ungrouped
 * rule.
 */
export async function readSamples(
  platform: BaseWithMerger,
  { query, condition }: { query: AlertQuery; condition: ReportedCondition },
  nowMs: number,
): Promise<Sample[]> {
  const samples =
    condition.kind === "time-to-full"
      ? await readFullSamples(platform, query, condition, nowMs)
      : await readWindowSamples(platform, query, condition, nowMs);
  if (query.groupBy.length > 0 || samples.length > 0) return samples;
  return [{ group: groupKey([], {}), labels: {}, value: null, atMs: nowMs }];
}

async function readWindowSamples(
  platform: BaseWithMerger,
  query: AlertQuery,
  condition: WindowCondition,
  nowMs: number,
): Promise<Sample[]> {
  const plan = planWindow(condition, nowMs);
  const groups = await readGroupPoints(platform, query, condition, plan);
  return groups.flatMap(({ group, labels, nodes, newestMs, points, other }): Sample[] => {
    const value = valueAt({ query, condition }, { points, other }, points.endMs.length - 1, plan.stepMs);
    if (value === null) return [];
    const evidence = evidenceAt(condition, points, points.endMs.length - 1);
    const endMs = points.endMs.at(-1) ?? nowMs;
    const atMs = condition.kind === "absence" ? endMs : Math.min(endMs, newestMs);
    return [{ group, labels, nodes, value, evidence, atMs }];
  });
}

/** Uses the same forecasts as pages, over the time ranges that pages choose. */
async function readFullSamples(
  platform: BaseWithMerger,
  query: AlertQuery,
  { capacityMetric }: FullCondition,
  nowMs: number,
): Promise<Sample[]> {
  const found = await readForecasts(platform, { ...query, capacityMetric, leavesOutSimulated: true }, nowMs);
  if (found.length > groupCountMax) throw new Error(tooManyGroups(found.length));
  return found.flatMap(({ labels, forecast, atMs }): Sample[] => {
    const value = secondsToFull(capacityMetric, forecast);
    const group = groupKey(query.groupBy, labels);
    return value === null ? [] : [{ group, labels: { ...labels }, value, atMs }];
  });
}

const tooManyGroups = (count: number): string =>
  `The rule has ${count} groups; at most ${groupCountMax} are evaluated.`;

/** Returns the value of the point at `index`; null if there is none, or it has too few samples. */
export function valueAt(
  { query, condition }: { readonly query: Pick<AlertQuery, "metric">; readonly condition: AlertCondition },
  { points, other, before = [] }: Pick<GroupPoints, "points" | "other" | "before">,
  index: number,
  stepMs: number,
): number | null {
  const { columns, endMs } = points;
  const atMs = endMs[index];
  if (atMs === undefined) return null;
  if (condition.kind === "absence") return firstColumn(columns)[index] ?? null;
  if (condition.kind === "durability" || condition.kind === "peers") return null;
  if (condition.kind === "time-to-full")
    return storedSecondsToFull(condition, { points, other, before }, index);
  if (condition.kind === "rate") {
    const increase = columns.kind === "counter" ? columns.increase[index] : undefined;
    return increase === undefined ? null : increase / (stepMs / 1000);
  }
  if (condition.kind === "percentile") {
    return percentileAt(columns, condition, index)?.value ?? null;
  }
  if (columns.kind === "counter") return columns.increase[index] ?? null;
  if (columns.kind !== "gauge" || condition.statistic === "increase") return null;
  const value = columns[condition.statistic][index] ?? null;
  if (condition.shareOf === undefined || value === null) return value;
  const whole = gaugeAt(other, atMs);
  if (whole === null || whole <= 0) return null;
  const isFill = query.metric === vaultSpace.taken && condition.shareOf === vaultSpace.capacity;
  return isFill ? fillShare(value, whole) : value / whole;
}

const LOWER = {
  p999: ["p999", "p99", "p90", "p50"],
  p99: ["p99", "p90", "p50"],
  p90: ["p90", "p50"],
  p50: ["p50"],
  max: ["max"],
} as const;

/**
 * If there are too few values for the percentile, uses the highest one for which there are enough. That is no greater
 * than the configured one, so if it exceeds a threshold, the configured one does too. If it does not, the configured
 * one still may.
 */
function percentileAt(
  columns: MergedSeries["columns"],
  { percentile, comparison, sampleCountMin }: Extract<AlertCondition, { kind: "percentile" }>,
  index: number,
): { readonly statistic: AlertPercentile; readonly value: number } | null {
  if (columns.kind !== "histogram" || (columns.n[index] ?? 0) < sampleCountMin) return null;
  const names = comparison === "above" ? LOWER[percentile] : [percentile];
  for (const name of names) {
    const value = columns[name][index];
    if (typeof value === "number") return { statistic: name, value };
  }
  return null;
}

/**
 * Returns the statistic behind the point's value and its number of samples, with a bound for the configured percentile
 * if another was used; null if the value is not a percentile.
 */
export function evidenceAt(
  condition: AlertCondition,
  { columns }: MergedSeries,
  index: number,
): AlertEvidence | null {
  if (condition.kind !== "percentile" || columns.kind !== "histogram") return null;
  const found = percentileAt(columns, condition, index);
  if (found === null) return null;
  const evidence = { statistic: found.statistic, sampleCount: columns.n[index] ?? 0 };
  const atMost = columns.max[index];
  const isLower = found.statistic !== condition.percentile;
  return isLower && atMost !== undefined ? { ...evidence, atMost } : evidence;
}

const firstColumn = (columns: MergedSeries["columns"]): readonly number[] => {
  if (columns.kind === "counter") return columns.increase;
  return columns.kind === "gauge" ? columns.last : columns.n;
};

function gaugeAt(points: MergedSeries | null, atMs: number): number | null {
  if (points?.columns.kind !== "gauge") return null;
  const index = points.endMs.findLastIndex((each) => each <= atMs);
  return points.columns.last[index] ?? null;
}

/** Beyond any planning horizon; stands for "never" if nothing grows. */
const HORIZON_SECONDS = 2 * YEAR_SECONDS;

/** Null if unknown; an emptied store has no forecast either, so its alert ends. */
function secondsToFull(capacityMetric: MetricName, forecast: Forecast): number | null {
  // Wear never decreases, so its estimate needs no margin.
  const isWear = capacityMetric === wearSpace.capacity && forecast.kind === "filling";
  const likelyMs = isWear ? forecast.fullInMs.value : likelyFullInMs(forecast);
  if (likelyMs !== null) return likelyMs / 1000;
  const isUnknown =
    forecast.kind === "none" &&
    (["no-capacity", "no-history", "stale", "outdated"] as const).some(
      (kind) => kind === forecast.reason.kind,
    );
  return isUnknown ? null : HORIZON_SECONDS;
}

/** Returns the forecast that would have been made at that time from the points stored before it. */
function storedSecondsToFull(
  { capacityMetric }: FullCondition,
  { points: { endMs, columns }, other, before = [] }: Pick<GroupPoints, "points" | "other" | "before">,
  index: number,
): number | null {
  const nowMs = present(endMs[index]);
  if (columns.kind !== "gauge") return null;
  const after = endMs.slice(0, index + 1).map((atMs, i) => ({
    atMs,
    value: columns.min[i] ?? Number.NaN,
    peak: columns.max[i] ?? Number.NaN,
  }));
  const points = [...before, ...after];
  const capacity = gaugeAt(other, nowMs);
  return secondsToFull(capacityMetric, forecastOf(capacityMetric, { points, capacity, nowMs }));
}
