/**
 * Decides how to draw samples: in windows wide enough for percentiles or, if no width is enough, as the slowest sample
 * of each window, so that a series with samples never has an empty chart.
 */
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { formatCount } from "@stashlight/ui";
import type { LineInput } from "@stashlight/ui/chart";

/** Point counts to try, from the usual one down. */
export const POINT_COUNTS = [100, 40, 20, 10, 5] as const;
/** Point count for drawing slowest samples, if even the whole range has too few for a percentile. */
const FEW_SAMPLES_POINT_COUNT = 20;
/** Draws a percentile only if this share of the windows with samples has enough of them. */
const ENOUGH_SHARE = 0.5;
/** Fewer windows suffice if they are adjacent, such as the busy hours of a day. */
const RUN_WINDOWS_MIN = 4;

/** Samples of a series per window, and how many its least demanding line needs. */
export interface SampledSeries {
  readonly endMs: readonly number[];
  readonly n: readonly number[];
  readonly needed: number;
}

/** Counts the same samples in windows of another length. */
export function countByWindow(windowMs: number, { endMs, n }: Pick<SampledSeries, "endMs" | "n">): number[] {
  const byWindow = new Map<number, number>();
  endMs.forEach((at, i) => {
    const window = Math.ceil(at / windowMs);
    byWindow.set(window, (byWindow.get(window) ?? 0) + (n[i] ?? 0));
  });
  return [...byWindow.values()];
}

/** True if at least ENOUGH_SHARE of the windows with samples have enough. */
export const isEnough = (n: readonly number[], needed: number): boolean =>
  n.filter((each) => each >= needed).length >= ENOUGH_SHARE * n.length;

/**
 * Largest point count that gives enough samples to every series for which some point count does. Null to keep the
 * current windows.
 */
export function pointCountForSamples(all: readonly SampledSeries[], rangeMs: number): number | null {
  const series = all.filter(({ n }) => n.some((each) => each > 0));
  if (series.every(({ n, needed }) => isEnough(n, needed))) return null;
  const fits = (count: number) => (each: SampledSeries) =>
    isEnough(countByWindow(rangeMs / count, each), each.needed);
  const reachable = series.filter((each) => POINT_COUNTS.some((count) => fits(count)(each)));
  if (reachable.length === 0) return FEW_SAMPLES_POINT_COUNT;
  if (reachable.every(({ n, needed }) => isEnough(n, needed))) return null;
  return POINT_COUNTS.find((count) => reachable.every(fits(count))) ?? POINT_COUNTS[4];
}

/**
 * Keeps the lines of a series for which enough windows have enough samples. If none is left, draws the slowest sample
 * of each window, which is valid for any number of samples.
 */
export function drawableLines(lines: readonly LineInput[], slowest: () => LineInput): LineInput[] {
  const kept = lines.map((line) => (isCrumbs(line) ? withoutValues(line) : line));
  const isDrawn = kept.some(({ values }) => values.some((value) => value !== null));
  const hasSamples = lines.some(({ n = [] }) => n.length > 0);
  return isDrawn || !hasSamples ? kept : [...kept, slowest()];
}

function isCrumbs({ n, sampleCountMin, endMs }: LineInput): boolean {
  if (n === undefined || sampleCountMin === undefined || isEnough(n, sampleCountMin)) return false;
  const enough = endMs.flatMap((_, i) => ((n[i] ?? 0) >= sampleCountMin ? [i] : []));
  const runCount = enough.filter((place, i) => enough[i - 1] !== place - 1).length;
  return enough.length < RUN_WINDOWS_MIN * runCount || runCount === 0;
}

const withoutValues = ({ low: _low, high: _high, ...line }: LineInput): LineInput => ({
  ...line,
  values: line.values.map(() => null),
});

/** "direct p99" is called "direct slowest" where the slowest replaces it. */
export const slowestLabel = (label: string): string => {
  const name = label.replace(/(^|\s)p\d[\d.]*$/, "").trim();
  return name === "" ? "slowest" : `${name} slowest`;
};

/** Sample counts of each series of an answer whose lines need a minimum. */
export function sampledSeries(
  { series }: Pick<MetricAnswer, "series">,
  neededBy: (series: MetricSeries) => number | null,
): SampledSeries[] {
  return series.flatMap((each) => {
    const { columns, endMs } = each;
    const needed = neededBy(each);
    return columns.kind === "histogram" && needed !== null ? [{ endMs, n: columns.n, needed }] : [];
  });
}

/** Limit on named lines: the percentiles of one series fit. */
const HIDDEN_NAMES_MAX = 4;

/** Names the lines that lack samples, and how many each kind of them needs; undefined if all are drawn. */
export function formatHiddenLines(lines: readonly LineInput[]): string | undefined {
  const hidden = lines.filter(
    ({ values, n, sampleCountMin }) =>
      sampleCountMin !== undefined &&
      n !== undefined &&
      n.length > 0 &&
      values.every((value) => value === null),
  );
  if (hidden.length === 0) return undefined;
  const byNeed = Map.groupBy(hidden, ({ sampleCountMin = 0 }) => sampleCountMin);
  const kinds = [...byNeed].sort(([a], [b]) => a - b);
  return kinds
    .map(([needed, alike], i) => {
      const names = alike.slice(0, HIDDEN_NAMES_MAX).map(({ label }) => label);
      const rest = alike.length > names.length ? ` and ${alike.length - names.length} more` : "";
      const unit = i === 0 ? " samples per window" : "";
      return `no ${names.join(", ")}${rest}: needs ${formatCount(needed)}${unit}`;
    })
    .join("; ");
}

/** States how many groups the chart leaves out; undefined for none. */
export function formatOmittedSeries(answers: readonly MetricAnswer[]): string | undefined {
  const omitted = answers.reduce((sum, { omittedSeriesCount }) => sum + omittedSeriesCount, 0);
  return omitted === 0 ? undefined : `${formatCount(omitted)} more not drawn: filter to see them`;
}
