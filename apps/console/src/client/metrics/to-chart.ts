/** Turns an answer of the metric store into input for a chart's preparer. */

import type {
  MetricAnswer,
  MetricColumns,
  MetricOrigin,
  MetricSeries,
  PartialSums,
} from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time";
import { samplesNeeded } from "@stashlight/stats/rank";
import type {
  ChartGap,
  ChartTone,
  LayerInput,
  LineInput,
  LineWeight,
  PreviousTotal,
  Quantity,
} from "@stashlight/ui/chart";
import { drawableLines, slowestLabel } from "./enough-samples.ts";

export type LineColumn =
  | "p50"
  | "p90"
  | "p99"
  | "p999"
  | "max"
  | "min"
  | "avg"
  | "last"
  | "increase"
  /** A counter's increase per second. */
  | "rate"
  /** Mean of a histogram's samples. */
  | "mean";

/** Sample count below which the store returns no value for a window; the chart states it. */
const sampleCountMin: Partial<Record<LineColumn, number>> = {
  p50: samplesNeeded(500_000),
  p90: samplesNeeded(900_000),
  p99: samplesNeeded(990_000),
  p999: samplesNeeded(999_000),
};

/** Samples that a statistic needs; null if any number is enough. */
export const samplesNeededBy = (column: LineColumn): number | null => sampleCountMin[column] ?? null;

/** Samples that the least demanding of these lines needs; null if no line is a percentile. */
export function leastNeeded(lines: readonly LineSpec[]): number | null {
  const needs = lines.flatMap(({ column }) => samplesNeededBy(column) ?? []);
  return needs.length === 0 ? null : Math.min(...needs);
}

export interface LineSpec {
  readonly column: LineColumn;
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight?: LineWeight;
  /** Draws the minimum and maximum of each window as a band around a gauge. */
  readonly hasBand?: boolean;
  /** Draws a band from this lower percentile up to the line. */
  readonly bandFrom?: LineColumn;
}

/** The same lines for every series, or lines that depend on the series. */
export type LineSpecs =
  | readonly LineSpec[]
  | ((series: MetricSeries, all: readonly MetricSeries[]) => readonly LineSpec[]);

export const resolveSpecs = (specs: LineSpecs, series: MetricSeries, all: readonly MetricSeries[]) =>
  typeof specs === "function" ? specs(series, all) : specs;

export function chartLines(answer: MetricAnswer, specs: LineSpecs): LineInput[] {
  return answer.series.flatMap((series) => {
    const own = resolveSpecs(specs, series, answer.series);
    const [first] = own;
    const lines = own.map((spec) => seriesLine(answer, series, spec));
    if (first === undefined || series.columns.kind !== "histogram") return lines;
    const { label, tone } = first;
    return drawableLines(lines, () =>
      seriesLine(answer, series, { column: "max", label: slowestLabel(label), tone, weight: "dotted" }),
    );
  });
}

function seriesLine(
  { metric, stepMs }: MetricAnswer,
  { labels, endMs, columns }: MetricSeries,
  spec: LineSpec,
): LineInput {
  const { column, label, tone, weight, hasBand, bandFrom } = spec;
  return {
    id: [metric, ...Object.values(labels), column].join(" "),
    label,
    tone,
    ...(weight === undefined ? {} : { weight }),
    endMs,
    values: columnValues(columns, column, stepMs),
    ...(columns.kind === "histogram" ? { n: columns.n } : {}),
    ...(sampleCountMin[column] === undefined ? {} : { sampleCountMin: sampleCountMin[column] }),
    ...(hasBand && columns.kind === "gauge" ? { low: columns.min, high: columns.max } : {}),
    ...(bandFrom === undefined
      ? {}
      : { low: columnValues(columns, bandFrom, stepMs), high: columnValues(columns, column, stepMs) }),
  };
}

/** A column that this kind of metric does not have is null in every window. */
export function columnValues(
  columns: MetricColumns,
  column: LineColumn,
  stepMs: number,
): readonly (number | null)[] {
  if (column === "rate") {
    return columns.kind === "counter" ? columns.increase.map((increase) => (increase * 1_000) / stepMs) : [];
  }
  if (column === "mean") {
    return columns.kind === "histogram" ? columns.sum.map((sum, i) => sum / (columns.n[i] ?? 1)) : [];
  }
  const found = (columns as Partial<Record<LineColumn, readonly (number | null)[]>>)[column];
  return found ?? [];
}

/** The lines of the earlier period, moved to the page's time range so that both overlap. */
export function previousLines(lines: readonly LineInput[], offsetMs: number, words: string): LineInput[] {
  return lines.map(({ low: _low, high: _high, ...line }) => ({
    ...line,
    id: `${line.id} previous`,
    label: `${line.label}, ${words}`,
    weight: "previous",
    endMs: line.endMs.map((endMs) => endMs + offsetMs),
  }));
}

/** True if two series have equal labels. */
export const sameSeries = ({ labels: some }: MetricSeries, { labels: others }: MetricSeries): boolean => {
  const names = new Set([...Object.keys(some), ...Object.keys(others)]) as Set<keyof typeof some>;
  return [...names].every((name) => some[name] === others[name]);
};

export interface LayerSpec {
  readonly label: string;
  readonly tone: ChartTone;
  readonly weight?: LineWeight;
}

/** Counters as layers of a stack: the increase of each per window. */
export function chartLayers(
  answer: MetricAnswer,
  specOf: (series: MetricSeries, index: number) => LayerSpec,
): LayerInput[] {
  return answer.series.map((series, index) => ({
    id: [answer.metric, ...Object.values(series.labels)].join(" "),
    ...specOf(series, index),
    endMs: series.endMs,
    values: columnValues(series.columns, "increase", answer.stepMs).map((value) => value ?? 0),
  }));
}

/** All layers of an earlier period combined, moved to the page's time range; null if there are none. */
export function previousTotal(
  answers: readonly MetricAnswer[],
  offsetMs: number,
  words: string,
): PreviousTotal | null {
  const totals = new Map<number, number>();
  for (const { endMs, columns } of answers.flatMap(({ series }) => series)) {
    if (columns.kind !== "counter") continue;
    endMs.forEach((at, i) => {
      const increase = columns.increase[i] ?? 0;
      totals.set(at + offsetMs, (totals.get(at + offsetMs) ?? 0) + increase);
    });
  }
  if (totals.size === 0) return null;
  const sorted = [...totals].sort(([a], [b]) => a - b);
  return {
    label: `all, ${words}`,
    endMs: sorted.map(([at]) => at),
    values: sorted.map(([, total]) => total),
  };
}

export const originQuantity = ({ unit }: MetricOrigin): Quantity => (unit === "info" ? "count" : unit);

export const gapWords: Readonly<Record<string, string>> = {
  spool_full: "its spool was full",
  too_old: "it was offline for too long",
  disk_full: "its disk was full",
  damaged: "its spool was damaged",
  refused: "its batches were refused",
};

/** Lost periods, each with the node that lost it. */
export function chartGaps(origins: readonly MetricOrigin[]): ChartGap[] {
  return origins.flatMap(({ gaps }) =>
    gaps.map(({ startMs, endMs, reason, nodeName }) => ({
      startMs,
      endMs,
      reason: `${nodeName}: ${gapWords[reason] ?? reason}`,
    })),
  );
}

/** Periods in which a sum lacks expected nodes; they are drawn hatched. */
export function lateGaps(origins: readonly MetricOrigin[], untilMs: number): ChartGap[] {
  const [late] = origins
    .flatMap((origin) => origin.late ?? [])
    .sort((a, b) => b.lateCount - a.lateCount || a.sinceMs - b.sinceMs);
  if (late === undefined) return [];
  const { sinceMs, lateCount, nodeCount, names } = late;
  const rest = lateCount > names.length ? " and others" : "";
  const have = lateCount === 1 ? "has" : "have";
  const reason = `${lateCount} of ${nodeCount} nodes ${have} not reported since then: ${names.join(", ")}${rest}`;
  return [{ startMs: sinceMs, endMs: untilMs, reason }];
}

const resolutionWords = {
  raw: "as measured",
  "1m": "1 min windows",
  "10m": "10 min windows",
  "1h": "1 h windows",
};

export interface OriginWords {
  /** "as measured, every 10 s · read from 21 series"; without a series nothing was measured. */
  readonly source: string;
  readonly caveats: readonly string[];
  /**
   * End of the newest window. With several sources, that of the oldest, because the chart is complete up to there only.
   */
  readonly newestMs: number | null;
}

export function describeOrigin(origins: readonly MetricOrigin[]): OriginWords {
  const [first] = origins;
  const newest = origins.flatMap(({ newestMs }) => (newestMs === null ? [] : [newestMs]));
  const models = [...new Set(origins.flatMap(({ modelled }) => modelled))];
  const seriesCount = origins.reduce((sum, { sourceSeriesCount }) => sum + sourceSeriesCount, 0);
  const simulatedCount = origins.reduce((sum, each) => sum + each.simulatedSeriesCount, 0);
  const pace =
    first === undefined ? "" : `${resolutionWords[first.resolution]}, every ${formatSpan(first.stepMs)} · `;
  return {
    source: seriesCount === 0 ? "no series yet" : `${pace}read from ${seriesCount} series`,
    caveats: [
      ...(models.length > 0 ? [`modelled as ${models.slice(0, 2).join(", ")}`] : []),
      ...simulatedWords(simulatedCount, seriesCount),
      ...origins.flatMap(({ partial }) => (partial === undefined ? [] : [partialWords(partial)])).slice(0, 1),
    ],
    newestMs: newest.length === 0 ? null : Math.min(...newest),
  };
}

function simulatedWords(simulatedCount: number, seriesCount: number): string[] {
  if (simulatedCount === 0) return [];
  if (simulatedCount === seriesCount) return ["simulated"];
  return [`${simulatedCount} of ${seriesCount} series simulated`];
}

/** Warns that the share of silent nodes is missing, which makes the sum look too small. */
function partialWords({ pointCount, seriesCountMin, seriesCount }: PartialSums): string {
  const points = pointCount === 1 ? "1 point covers" : `${pointCount} points cover`;
  return `${points} only ${seriesCountMin} of ${seriesCount} series`;
}

/** "10 s", "5 min", "1 h". */
export function formatSpan(stepMs: number): string {
  if (stepMs < 60_000) return `${stepMs / 1_000} s`;
  return stepMs < HOUR_MS ? `${stepMs / 60_000} min` : `${stepMs / HOUR_MS} h`;
}

const STALE_STEPS = 3;
const STALE_MS_MIN = 45_000;

/** True if live data has stopped arriving. */
export function isStale(newestMs: number | null, nowMs: number, stepMs: number): boolean {
  return newestMs !== null && nowMs - newestMs > Math.max(STALE_MS_MIN, STALE_STEPS * stepMs);
}
