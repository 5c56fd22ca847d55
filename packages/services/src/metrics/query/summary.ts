/** Figures over several points of a histogram. Percentiles are of merged values, never averages of percentiles. */
import type { HistogramSummary, MergedWindows } from "@stashlight/contracts/metrics/query";
import { samplesNeeded } from "@stashlight/stats";
import { ExponentialHistogram } from "@stashlight/telemetry";
import { present } from "../../present.ts";
import { QUANTILES, quantileOrNull } from "./histogram-columns.ts";
import { findLastChange } from "./level-change.ts";
import type { SummaryPoint } from "./points.ts";

/** `points` are in ascending order, and each has a value. */
export function summarisePoints(points: readonly SummaryPoint[], findsChanges = false): HistogramSummary {
  const needed = samplesNeeded(QUANTILES.p99);
  let [first, count] = [points.length, 0];
  while (first > 0 && count < needed) {
    first -= 1;
    count += present(points[first]).histogram.count;
  }
  return {
    whole: merged(points),
    newest: merged(points.slice(first)),
    ...(findsChanges ? { change: findLastChange(points) } : {}),
  };
}

function merged(points: readonly SummaryPoint[]): MergedWindows {
  const sum = new ExponentialHistogram();
  for (const { histogram } of points) sum.merge(histogram);
  return {
    fromMs: present(points[0]).fromMs,
    toMs: present(points.at(-1)).toMs,
    n: sum.count,
    max: present(sum.max),
    p50: quantileOrNull(sum, QUANTILES.p50),
    p90: quantileOrNull(sum, QUANTILES.p90),
    p99: quantileOrNull(sum, QUANTILES.p99),
  };
}
