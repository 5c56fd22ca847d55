/** Sparkline beside a figure over the page's range, with a text alternative. */
import type { MetricSeries, MetricTrend, TrendColumn } from "@stashlight/contracts/metrics/query";
import { formatSpan } from "@stashlight/ui";
import { chooseUnit, formatIn, formatWith, type Quantity } from "@stashlight/ui/chart";
import type { SparklineTone } from "@stashlight/ui/data";

export interface FigureTrend {
  /** Series drawn: "p99", "live bytes". */
  readonly what: string;
  readonly quantity: Quantity;
  readonly tone: SparklineTone;
  readonly kind: "line" | "bars";
  readonly stepMs: number;
  readonly endMs: readonly number[];
  readonly values: readonly (number | null)[];
}

type Drawn = Pick<FigureTrend, "quantity" | "tone">;

const tails: Readonly<Partial<Record<TrendColumn, string>>> = {
  p99: "p99",
  p90: "p90",
  p50: "p50",
  max: "slowest",
};

/** Draws the histogram statistic that the answer chose for all points. Points with too few samples are gaps. */
export function trendOfTail(series: MetricSeries | undefined, drawn: Drawn): { trend?: FigureTrend } {
  const { trend } = series ?? {};
  if (trend === undefined) return {};
  const what = tails[trend.column];
  return what === undefined ? {} : { trend: trendLine(trend, { ...drawn, what }) };
}

/** Divides every value by `perUnit`, for example by a capacity to show shares of it. */
export function trendOfLevel(
  series: MetricSeries | undefined,
  { perUnit = 1, ...drawn }: Drawn & { what: string; perUnit?: number },
): { trend?: FigureTrend } {
  const { trend } = series ?? {};
  if (trend === undefined) return {};
  const values = trend.values.map((value) => (value === null ? null : value / perUnit));
  return { trend: trendLine({ ...trend, values }, drawn) };
}

/**
 * Draws a counter that never moved, and so has no series, as zero in every window of `others`, which prove that its
 * node reported.
 */
export function trendOfIncrease(
  series: MetricSeries | undefined,
  others: MetricSeries | undefined,
  drawn: Drawn & { what: string },
): { trend?: FigureTrend } {
  const trend = series?.trend ?? (others?.trend && asFlatTrend(others.trend));
  return trend === undefined ? {} : { trend: { ...trendLine(trend, drawn), kind: "bars" } };
}

const asFlatTrend = (trend: MetricTrend): MetricTrend => ({
  ...trend,
  values: trend.values.map((value) => value && 0),
});

const trendLine = (
  { stepMs, firstEndMs, values }: MetricTrend,
  drawn: Drawn & Pick<FigureTrend, "what">,
): FigureTrend => ({
  ...drawn,
  kind: "line",
  stepMs,
  endMs: values.map((_, i) => firstEndMs + i * stepMs),
  values,
});

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
