/** Compares predicted with measured uploads, with the uncertainty that the measurement's sample count leaves. */
import type { MeasuredInterval, MeasuredUploads } from "@stashlight/contracts/planner";
import { errorPercent } from "./result-charts.ts";

/** Error goal for predictions of p50 and p99. */
export const ERROR_PERCENT_GOAL = 15;

export interface PredictedPercentile {
  readonly name: "p50" | "p99";
  readonly predictedMs: number;
  readonly measuredMs: number | null;
  readonly interval: MeasuredInterval | null;
  readonly errorPercent: number | null;
  /** Error against either end of the measurement's interval, lower end first. */
  readonly errorRangePercent: readonly [number, number] | null;
}

export function comparePrediction(
  predicted: { readonly p50Ms: number; readonly p99Ms: number },
  measured: MeasuredUploads,
): PredictedPercentile[] {
  const row = (
    name: PredictedPercentile["name"],
    predictedMs: number,
    measuredMs: number | null,
    interval: MeasuredInterval | null,
  ): PredictedPercentile => ({
    name,
    predictedMs,
    measuredMs,
    interval,
    errorPercent: measuredMs === null ? null : errorPercent(predictedMs, measuredMs),
    errorRangePercent:
      interval === null || interval.lowMs === 0
        ? null
        : [errorPercent(predictedMs, interval.highMs), errorPercent(predictedMs, interval.lowMs)],
  });
  return [
    row("p50", predicted.p50Ms, measured.p50Ms, measured.p50Interval),
    row("p99", predicted.p99Ms, measured.p99Ms, measured.p99Interval),
  ];
}

export type Verdict = "within" | "open" | "outside";

/** `open`: an error exceeds the goal, but the measurement is too uncertain to confirm it. */
export function verdictOn(rows: readonly PredictedPercentile[]): Verdict {
  const verdicts = rows.flatMap(({ errorPercent: error, errorRangePercent: range }): Verdict[] => {
    if (error === null) return [];
    if (Math.abs(error) <= ERROR_PERCENT_GOAL) return ["within"];
    const isOpen = range !== null && range[0] <= ERROR_PERCENT_GOAL && range[1] >= -ERROR_PERCENT_GOAL;
    return [isOpen ? "open" : "outside"];
  });
  if (verdicts.includes("outside")) return "outside";
  return verdicts.includes("open") ? "open" : "within";
}
