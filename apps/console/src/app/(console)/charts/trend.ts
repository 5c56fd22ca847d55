/** The line beside a figure over the page's range, and the same in words. */
import type { MetricColumns, MetricSeries, MetricTrend } from "@stashlight/contracts/metrics/query";
import { formatSpan } from "@stashlight/ui";
import { chooseUnit, formatIn, formatWith, type Quantity } from "@stashlight/ui/chart";
import type { SparklineTone } from "@stashlight/ui/data";

export interface FigureTrend {
  /** The series that is drawn: "p99", "live bytes". */
  readonly what: string;
  readonly quantity: Quantity;
  readonly tone: SparklineTone;
  readonly kind: "line" | "bars";
  readonly stepMs: number;
  readonly endMs: readonly number[];
  readonly values: readonly (number | null)[];
}

type Drawn = Pick<FigureTrend, "quantity" | "tone">;

const percentiles = ["p99", "p90", "p50"] as const;

/**
 * Draws one statistic of a histogram all over: the highest percentile that at least half of the points have samples for.
 * Points with fewer are gaps.
 */
export function trendOfTail(series: MetricSeries | undefined, drawn: Drawn): { trend?: FigureTrend } {
  const trend = series?.trend;
  if (trend?.columns.kind !== "histogram") return {};
  const { columns } = trend;
  const isCommon = (values: readonly (number | null)[]): boolean =>
    2 * values.filter((value) => value !== null).length >= values.length;
  const column = percentiles.find((name) => isCommon(columns[name]));
  if (column === undefined)
    return { trend: lineOf(trend, { ...drawn, what: "slowest", values: columns.max }) };
  return { trend: lineOf(trend, { ...drawn, what: column, values: columns[column] }) };
}

type GaugeColumn = "min" | "max" | "avg" | "last";

/** `perUnit` divides every value: the capacity that bytes are a share of. */
export function trendOfLevel(
  series: MetricSeries | undefined,
  { column, perUnit = 1, ...drawn }: Drawn & { what: string; column: GaugeColumn; perUnit?: number },
): { trend?: FigureTrend } {
  const trend = series?.trend;
  if (trend?.columns.kind !== "gauge") return {};
  return {
    trend: lineOf(trend, { ...drawn, values: trend.columns[column].map((value) => value / perUnit) }),
  };
}

/** A counter that never moved has no series: it stood still in every window of `others`, which say that somebody told. */
export function trendOfIncrease(
  series: MetricSeries | undefined,
  others: MetricSeries | undefined,
  drawn: Drawn & { what: string },
): { trend?: FigureTrend } {
  const trend = series?.trend;
  if (trend?.columns.kind === "counter") {
    return { trend: { ...lineOf(trend, { ...drawn, values: trend.columns.increase }), kind: "bars" } };
  }
  const still = others?.trend;
  if (still === undefined) return {};
  return { trend: { ...lineOf(still, { ...drawn, values: still.endMs.map(() => 0) }), kind: "bars" } };
}

/** Takes points that were asked for as points. */
export function trendOfPoints(
  { endMs, columns }: Pick<MetricSeries, "endMs" | "columns">,
  stepMs: number,
  drawn: Drawn & { what: string },
): { trend?: FigureTrend } {
  if (columns.kind !== "gauge" || endMs.length === 0) return {};
  return { trend: lineOf({ endMs, columns, stepMs }, { ...drawn, values: columns.avg }) };
}

function lineOf(
  { stepMs, endMs }: Pick<MetricTrend, "stepMs" | "endMs"> & { columns: MetricColumns },
  drawn: Drawn & Pick<FigureTrend, "what" | "values">,
): FigureTrend {
  return { ...drawn, kind: "line", stepMs, endMs };
}

/** "Purge lag, p99 of every 1 min: 4.2 to 9.1 s, last 5 s". */
export function trendInWords(title: string, { what, quantity, stepMs, values, kind }: FigureTrend): string {
  const known = values.filter((value) => value !== null);
  const [least, most, last] = [Math.min(...known), Math.max(...known), known.at(-1)];
  const drawn = `${title}, ${what} of every ${formatSpan(stepMs)}`;
  if (last === undefined) return `${drawn}: too few samples in all of them`;
  if (kind === "bars" && most === 0) return `${drawn}: none`;
  const unit = chooseUnit(quantity, most);
  const low = formatIn(unit, least);
  const spread =
    low === formatIn(unit, most) ? `always ${formatWith(unit, most)}` : `${low} to ${formatWith(unit, most)}`;
  return `${drawn}: ${spread}, last ${formatWith(unit, last)}`;
}
