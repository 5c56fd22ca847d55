/** Reads the data behind live inputs: counters by the minute and whole distributions, each with its source. */

import type { MetricName } from "@stashlight/contracts/metrics";
import type {
  MetricAnswer,
  MetricOrigin,
  MetricQuery,
  SeriesLabel,
} from "@stashlight/contracts/metrics/query";
import type { Live, LiveBasis, LiveSource } from "@stashlight/contracts/planner";
import { HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import type { Context } from "../../context.ts";
import type { WithMerger } from "../../metrics/query/merger.ts";
import { groupSeries, mergeWhole, queryMetric } from "../../metrics/query/query.ts";
import { distinctNodes, readOrigin, type SelectedSeries, selectSeries } from "../../metrics/query/select.ts";

/** Longer ranges are stored in points of ten minutes. */
const pointCountMax = 1440;

/** The nodes and the time range of the figures. */
export interface Scope {
  readonly ctx: Context<WithMerger>;
  readonly nodeIds: readonly string[];
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Selection {
  readonly metric: MetricName;
  readonly where?: MetricQuery["where"];
  readonly groupBy?: readonly SeriesLabel[];
  readonly across?: MetricQuery["across"];
  readonly pointCountMax?: number;
}

const scopedQuestion = (scope: Scope, { metric, where = {} }: Selection) => ({
  metric,
  where,
  fromMs: scope.fromMs,
  toMs: scope.toMs,
  nodeIds: [...scope.nodeIds],
});

/** Uses one-minute points if the range is at most a day. */
export function readPoints(scope: Scope, selection: Selection): Promise<MetricAnswer> {
  const minutes = Math.ceil((scope.toMs - scope.fromMs) / MINUTE_MS);
  const input: MetricQuery = {
    ...scopedQuestion(scope, selection),
    groupBy: [...(selection.groupBy ?? [])],
    across: selection.across ?? "sum",
    pointCountMax: selection.pointCountMax ?? Math.min(pointCountMax, Math.max(1, minutes)),
  };
  return queryMetric({ ctx: scope.ctx, input });
}

/** Increases of a counter, point by point; times without measurements have no point. */
export interface Growth {
  readonly total: number;
  readonly increases: readonly number[];
  readonly endMs: readonly number[];
  readonly stepMs: number;
  readonly origin: MetricOrigin;
}

function toGrowth(answer: MetricAnswer): Growth {
  const series = answer.series[0];
  const increases = series?.columns.kind === "counter" ? series.columns.increase : [];
  return {
    total: increases.reduce((sum, each) => sum + each, 0),
    increases,
    endMs: series?.endMs ?? [],
    stepMs: answer.stepMs,
    origin: answer,
  };
}

export const readGrowth = async (scope: Scope, selection: Selection): Promise<Growth> =>
  toGrowth(await readPoints(scope, selection));

/** All values of a time range as one distribution. */
export interface Distribution {
  readonly labels: SelectedSeries["labels"];
  readonly n: number;
  readonly mean: number;
  /** Null with fewer than 1,000 values. */
  readonly p99: number | null;
}

/** Returns a distribution for each set of label values; leaves out those without values. */
export async function readDistributions(
  scope: Scope,
  selection: Selection,
): Promise<{ distributions: Distribution[]; origin: MetricOrigin }> {
  const { platform } = scope.ctx;
  const question = scopedQuestion(scope, selection);
  const series = await selectSeries(platform.metrics, question);
  const groups = groupSeries(series, selection.groupBy ?? []);
  const { plan, merged } = await mergeWhole(platform, selection.metric, groups, {
    fromMs: scope.fromMs,
    toMs: scope.toMs,
    nowMs: platform.now().getTime(),
    pointCountMax,
    windowMs: distinctNodes(series).reduce((most, { windowMs }) => Math.max(most, windowMs), 0),
  });
  const origin = await readOrigin(platform.metrics, question, series, plan);
  const distributions = groups.flatMap(({ labels }, i): Distribution[] => {
    const columns = merged[i]?.columns;
    const n = columns?.kind === "histogram" ? (columns.n[0] ?? 0) : 0;
    if (columns?.kind !== "histogram" || n === 0) return [];
    return [{ labels, n, mean: (columns.sum[0] ?? 0) / n, p99: columns.p99[0] ?? null }];
  });
  return { distributions, origin };
}

/** Returns means of a histogram over parts of the time: hours, or shorter parts of a short time. */
export async function readMeansByPart(
  scope: Scope,
  selection: Selection,
): Promise<{ means: number[]; p99s: number[]; over: string }> {
  const partMs = choosePartMs(scope.toMs - scope.fromMs);
  const count = Math.max(1, Math.ceil((scope.toMs - scope.fromMs) / partMs));
  const answer = await readPoints(scope, { ...selection, pointCountMax: count });
  const columns = answer.series[0]?.columns;
  if (columns?.kind !== "histogram") return { means: [], p99s: [], over: "" };
  return {
    means: columns.n.map((n, i) => (columns.sum[i] ?? 0) / n),
    p99s: columns.p99.filter((value) => value !== null),
    over: wordOfPart(answer.stepMs),
  };
}

/** Returns rates per second over parts of the time, leaving out parts measured for less than half of their length. */
export function ratesByPart({ increases, endMs, stepMs }: Growth): { rates: number[]; over: string } {
  const firstMs = (endMs[0] ?? 0) - stepMs;
  const partMs = Math.max(stepMs, choosePartMs((endMs.at(-1) ?? 0) - firstMs));
  const parts = new Map<number, { sum: number; points: number }>();
  for (const [i, end] of endMs.entries()) {
    const part = Math.floor((end - 1) / partMs);
    const { sum, points } = parts.get(part) ?? { sum: 0, points: 0 };
    parts.set(part, { sum: sum + (increases[i] ?? 0), points: points + 1 });
  }
  const whole = [...parts.values()].filter(({ points }) => points * stepMs >= partMs / 2);
  return {
    rates: whole.map(({ sum, points }) => sum / ((points * stepMs) / 1000)),
    over: wordOfPart(partMs),
  };
}

function choosePartMs(spanMs: number): number {
  if (spanMs >= 6 * HOUR_MS) return HOUR_MS;
  return spanMs >= HOUR_MS ? 10 * MINUTE_MS : MINUTE_MS;
}

function wordOfPart(partMs: number): string {
  if (partMs % HOUR_MS === 0) return partMs === HOUR_MS ? "hours" : `parts of ${partMs / HOUR_MS} h`;
  if (partMs % MINUTE_MS === 0)
    return partMs === MINUTE_MS ? "minutes" : `parts of ${partMs / MINUTE_MS} min`;
  return `parts of ${partMs / 1000} s`;
}

export function valueRange(values: readonly number[], over: string): LiveSource["range"] {
  if (values.length < 2) return null;
  return { low: Math.min(...values), high: Math.max(...values), over };
}

/**
 * Describes the source of a figure that has several origins: the least certain basis, and the oldest of their newest
 * windows.
 */
export function metricSource(
  { ctx }: Scope,
  origins: readonly MetricOrigin[],
  rest: Pick<LiveSource, "source" | "n" | "nUnit" | "range">,
): LiveSource {
  const basis: LiveBasis = origins.some(({ simulatedSeriesCount }) => simulatedSeriesCount > 0)
    ? "simulated"
    : origins.some(({ modelled }) => modelled.length > 0)
      ? "modelled"
      : "measured";
  const newest = origins.flatMap(({ newestMs }) => newestMs ?? []);
  const nowMs = ctx.platform.now().getTime();
  return {
    ...rest,
    basis,
    ageSeconds: newest.length === 0 ? null : Math.max(0, (nowMs - Math.min(...newest)) / 1000),
  };
}

export const known = <Figure>(figure: Figure): Live<Figure> => ({ figure, missing: null });
export const unknown = <Figure>(missing: string): Live<Figure> => ({ figure: null, missing });
