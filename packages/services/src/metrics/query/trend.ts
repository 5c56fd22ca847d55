/**
 * A summarised range in a few points. They are whole multiples of the plan's points and begin at whole multiples of their
 * own length, so that a range that moves on has the same points again.
 */
import type { MetricColumns, MetricTrend } from "@stashlight/contracts/metrics/query";
import { ExponentialHistogram } from "@stashlight/telemetry";
import { present } from "../../present.ts";
import { histogramColumns } from "./histogram-columns.ts";
import type { Plan } from "./plan.ts";
import type { MergedSeries, SummaryPoint } from "./points.ts";

export const trendStepMsOf = (
  { stepMs, pointCount }: Pick<Plan, "stepMs" | "pointCount">,
  pointCountMax: number,
): number => stepMs * Math.ceil(pointCount / pointCountMax);

/** The items of each point of the trend, by its end. */
function byPoint<Item>(
  items: readonly Item[],
  stepMs: number,
  endOf: (item: Item, index: number) => number,
): [endMs: number, items: Item[]][] {
  const groups = new Map<number, Item[]>();
  items.forEach((item, index) => {
    const endMs = Math.ceil(endOf(item, index) / stepMs) * stepMs;
    const group = groups.get(endMs) ?? [];
    groups.set(endMs, group);
    group.push(item);
  });
  return [...groups];
}

export function trendOfHistograms(points: readonly SummaryPoint[], stepMs: number): MetricTrend {
  const groups = byPoint(points, stepMs, ({ toMs }) => toMs);
  const sums = groups.map(([, members]) => {
    const sum = new ExponentialHistogram();
    for (const { histogram } of members) sum.merge(histogram);
    return sum;
  });
  return { stepMs, endMs: groups.map(([endMs]) => endMs), columns: histogramColumns(sums) };
}

export function trendOfSamples({ endMs, columns }: MergedSeries, stepMs: number): MetricTrend {
  const groups = byPoint([...endMs.keys()], stepMs, (_, place) => present(endMs[place]));
  const each = (values: readonly number[], join: (members: readonly number[]) => number): number[] =>
    groups.map(([, places]) => join(places.map((place) => present(values[place]))));
  return { stepMs, endMs: groups.map(([end]) => end), columns: joined(columns, each) };
}

type Each = (values: readonly number[], join: (members: readonly number[]) => number) => number[];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

function joined(columns: MetricColumns, each: Each): MetricColumns {
  if (columns.kind === "counter") return { kind: "counter", increase: each(columns.increase, sum) };
  if (columns.kind === "histogram") throw new Error("The trend of a histogram is merged from its windows.");
  return {
    kind: "gauge",
    min: each(columns.min, (values) => Math.min(...values)),
    max: each(columns.max, (values) => Math.max(...values)),
    avg: each(columns.avg, (values) => sum(values) / values.length),
    last: each(columns.last, (values) => present(values.at(-1))),
  };
}

/** Leaves out the points that the range covers only a part of, or that still lack windows; null where no point is left. */
export function wholeOf(trend: MetricTrend, fromMs: number, untilMs: number): MetricTrend | null {
  const isWhole = (endMs: number): boolean => endMs - trend.stepMs >= fromMs && endMs <= untilMs;
  const first = trend.endMs.findIndex(isWhole);
  const count = trend.endMs.filter(isWhole).length;
  if (count === 0) return null;
  const cut = <Value>(values: readonly Value[]): readonly Value[] => values.slice(first, first + count);
  return { ...trend, endMs: cut(trend.endMs), columns: partOf(trend.columns, first, first + count) };
}

/** The places of all columns from one up to another. */
export function partOf(columns: MetricColumns, from: number, to?: number): MetricColumns {
  const cut = <Value>(values: readonly Value[]): readonly Value[] => values.slice(from, to);
  if (columns.kind === "counter") return { kind: "counter", increase: cut(columns.increase) };
  const { min, max } = columns;
  const shared = { min: cut(min), max: cut(max) };
  if (columns.kind === "gauge") {
    return { kind: "gauge", ...shared, avg: cut(columns.avg), last: cut(columns.last) };
  }
  const { n, sum: sums, p50, p90, p99, p999 } = columns;
  const percentiles = { p50: cut(p50), p90: cut(p90), p99: cut(p99), p999: cut(p999) };
  return { kind: "histogram", n: cut(n), sum: cut(sums), ...shared, ...percentiles };
}
