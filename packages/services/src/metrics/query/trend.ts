/**
 * Summarises a range in a few points. They are whole multiples of the plan's points and begin at whole multiples of
 * their own length, so that a moving range has the same points again.
 */
import type { MetricColumns, MetricQuery, MetricTrend } from "@stashlight/contracts/metrics/query";
import { ExponentialHistogram } from "@stashlight/telemetry";
import { present } from "../../present.ts";
import { QUANTILES, quantileOrNull } from "./histogram-columns.ts";
import type { Plan } from "./plan.ts";
import type { MergedSeries, SummaryPoint } from "./points.ts";

export type GaugeColumn = NonNullable<MetricQuery["trend"]>["ofGauge"];

export const chooseTrendStepMs = (
  { stepMs, pointCount }: Pick<Plan, "stepMs" | "pointCount">,
  pointCountMax: number,
): number => stepMs * Math.ceil(pointCount / pointCountMax);

/** `points` are in ascending order; there is at least one. */
export function trendOfHistograms(points: readonly SummaryPoint[], stepMs: number): MetricTrend {
  const sums = inSteps(
    points,
    stepMs,
    ({ toMs }) => toMs,
    (members) => {
      const sum = new ExponentialHistogram();
      for (const { histogram } of members) sum.merge(histogram);
      return sum;
    },
  );
  for (const column of ["p99", "p90", "p50"] as const) {
    const steps = sums.map(([endMs, sum]): Step => [endMs, quantileOrNull(sum, QUANTILES[column])]);
    const knownCount = steps.filter(([, value]) => value !== null).length;
    if (2 * knownCount >= steps.length) return onGrid(column, stepMs, steps);
  }
  return onGrid(
    "max",
    stepMs,
    sums.map(([endMs, { max }]) => [endMs, max]),
  );
}

/** `endMs` is in ascending order; there is at least one. */
export function trendOfSamples(
  { endMs, columns }: Pick<MergedSeries, "endMs" | "columns">,
  stepMs: number,
  ofGauge: GaugeColumn,
): MetricTrend {
  const { column, values, join } = drawn(columns, ofGauge);
  const joined = inSteps(
    [...endMs.keys()],
    stepMs,
    (place) => present(endMs[place]),
    (places) => join(places.map((place) => present(values[place]))),
  );
  return onGrid(column, stepMs, joined);
}

interface Drawn {
  readonly column: MetricTrend["column"];
  readonly values: readonly number[];
  readonly join: (values: readonly number[]) => number;
}

function drawn(columns: MetricColumns, ofGauge: GaugeColumn): Drawn {
  if (columns.kind === "counter") return { column: "increase", values: columns.increase, join: sum };
  if (columns.kind === "histogram") throw new Error("The trend of a histogram is merged from its windows.");
  return { column: ofGauge, values: columns[ofGauge], join: joins[ofGauge] };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const joins: Readonly<Record<GaugeColumn, (values: readonly number[]) => number>> = {
  min: (values) => Math.min(...values),
  max: (values) => Math.max(...values),
  avg: (values) => sum(values) / values.length,
  last: (values) => present(values.at(-1)),
};

/** Combines the items of each step, by the step's end. */
function inSteps<Item, Joined>(
  items: readonly Item[],
  stepMs: number,
  endOf: (item: Item) => number,
  join: (items: readonly Item[]) => Joined,
): [endMs: number, joined: Joined][] {
  const steps = new Map<number, Item[]>();
  for (const item of items) {
    const endMs = Math.ceil(endOf(item) / stepMs) * stepMs;
    const step = steps.get(endMs) ?? [];
    steps.set(endMs, step);
    step.push(item);
  }
  return [...steps].map(([endMs, members]) => [endMs, join(members)]);
}

const DIGITS = 4;

type Step = readonly [endMs: number, value: number | null];

function onGrid(column: MetricTrend["column"], stepMs: number, steps: readonly Step[]): MetricTrend {
  const [[firstEndMs], [lastEndMs]] = [present(steps[0]), present(steps.at(-1))];
  const values: (number | null)[] = Array((lastEndMs - firstEndMs) / stepMs + 1).fill(null);
  for (const [endMs, value] of steps) {
    values[(endMs - firstEndMs) / stepMs] = value === null ? null : Number(value.toPrecision(DIGITS));
  }
  return { column, stepMs, firstEndMs, values };
}

/**
 * Leaves out the points that are only partly in the range, or that still lack windows; null if no point is left. Keeps
 * the increase so far of a counter's newest point, which is left out.
 */
export function clipTrend(trend: MetricTrend, fromMs: number, untilMs: number): MetricTrend | null {
  const { stepMs, firstEndMs, values } = trend;
  const from = Math.max(0, Math.ceil((fromMs + stepMs - firstEndMs) / stepMs));
  const to = Math.min(values.length, Math.floor((untilMs - firstEndMs) / stepMs) + 1);
  if (to <= from) return null;
  const unfinished = sum(values.slice(to).map((value) => value ?? 0));
  return {
    ...trend,
    firstEndMs: firstEndMs + from * stepMs,
    values: values.slice(from, to),
    ...(trend.column === "increase" && unfinished > 0 ? { unfinished } : {}),
  };
}
