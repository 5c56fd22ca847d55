/** Windows wide enough that percentiles have the samples they need. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { formatCount } from "@stashlight/ui";
import type { LineInput } from "@stashlight/ui/chart";
import { type LineSpec, samplesNeededBy } from "./to-chart.ts";

/** From the usual number of points on, each is a few times wider than the one before. */
const POINT_COUNTS = [100, 40, 20] as const;
/** Windows are not equally full; this much more than needed on average fills most of them. */
const MARGIN = 1.5;

interface Fullness {
  readonly nPerMs: number;
  readonly fullestN: number;
  /** The share of windows with enough samples among those with any. */
  readonly enoughShare: number;
}

function fullestSeries(answers: readonly MetricAnswer[], needed: number): Fullness | null {
  let fullest: Fullness | null = null;
  for (const { series, stepMs } of answers) {
    for (const { columns } of series) {
      if (columns.kind !== "histogram" || columns.n.length === 0) continue;
      const { n } = columns;
      const nPerMs = n.reduce((sum, each) => sum + each, 0) / (n.length * stepMs);
      if (fullest !== null && nPerMs <= fullest.nPerMs) continue;
      const enoughShare = n.filter((each) => each >= needed).length / n.length;
      fullest = { nPerMs, fullestN: n.reduce((most, each) => Math.max(most, each), 0), enoughShare };
    }
  }
  return fullest;
}

/** What the least demanding of these lines needs; null when none is a percentile. */
export function leastNeeded(lines: readonly LineSpec[]): number | null {
  const needs = lines.flatMap(({ column }) => samplesNeededBy(column) ?? []);
  return needs.length === 0 ? null : Math.min(...needs);
}

/** How many points the range should have, where at the answers' own most windows hold too few samples; else null. */
export function pointCountForSamples(
  answers: readonly MetricAnswer[],
  needed: number,
  rangeMs: number,
): number | null {
  const fullest = fullestSeries(answers, needed);
  if (fullest === null || fullest.enoughShare >= 0.5) return null;
  const fits = (count: number) => (fullest.nPerMs * rangeMs) / count >= needed * MARGIN;
  return POINT_COUNTS.find(fits) ?? POINT_COUNTS[2];
}

/** The percentiles of one line; of more lines the first are named. */
const HIDDEN_NAMES_MAX = 4;

/** Names the lines for which no window has enough samples, and how many they need; undefined when all are drawn. */
export function formatHiddenLines(lines: readonly LineInput[]): string | undefined {
  const hidden = lines.filter(
    ({ values, n, sampleCountMin }) =>
      sampleCountMin !== undefined &&
      n !== undefined &&
      n.length > 0 &&
      values.every((value) => value === null),
  );
  const [first] = hidden;
  if (first === undefined) return undefined;
  const needed = Math.min(...hidden.map(({ sampleCountMin = 0 }) => sampleCountMin));
  const names = hidden.slice(0, HIDDEN_NAMES_MAX).map(({ label }) => label);
  const rest = hidden.length > names.length ? ` and ${hidden.length - names.length} more` : "";
  return `no ${names.join(", ")}${rest}: needs ${formatCount(needed)} samples a window`;
}

/** Says how many groups were left out because a chart has no room for them; undefined when none was. */
export function formatOmittedSeries(answers: readonly MetricAnswer[]): string | undefined {
  const omitted = answers.reduce((sum, { omittedSeriesCount }) => sum + omittedSeriesCount, 0);
  return omitted === 0 ? undefined : `${formatCount(omitted)} more not drawn: filter to see them`;
}

/** Said where there are samples, and nothing can be drawn of them. */
export function formatTooFewSamples(answers: readonly MetricAnswer[], needed: number): string | undefined {
  const fullest = fullestSeries(answers, needed);
  if (fullest === null || fullest.fullestN >= needed) return undefined;
  const held = fullest.fullestN === 1 ? "1 sample" : `${fullest.fullestN} samples`;
  return `Too few samples for a percentile: the fullest window holds ${held}, and ${needed} are needed. Choose a longer range.`;
}
