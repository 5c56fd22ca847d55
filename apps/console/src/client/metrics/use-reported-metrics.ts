"use client";
import type { ChartRange } from "@stashlight/ui/chart";
import { useMemo } from "react";
import { heartbeatSelections, reportedSpans } from "./reported.ts";
import { describeOrigin } from "./to-chart.ts";
import { type MetricSelection, type MetricsState, useMetrics } from "./use-metrics.ts";

export interface ReportedMetricsState extends MetricsState {
  /** Times at which the nodes behind the answers reported. */
  readonly reported: readonly ChartRange[];
  /** End of the newest window of these nodes; null without any. */
  readonly reportedMs: number | null;
}

/** Answers for the page's time range, and the times in which the nodes behind the selections reported. */
export function useReportedMetrics(selections: readonly MetricSelection[]): ReportedMetricsState {
  const count = selections.length;
  const { answers: all, ...state } = useMetrics([...selections, ...heartbeatSelections(selections)]);
  const answers = useMemo(() => all?.slice(0, count), [all, count]);
  const reported = useMemo(() => reportedSpans(all?.slice(count) ?? []), [all, count]);
  const reportedMs = describeOrigin(all?.slice(count) ?? []).newestMs;
  return { ...state, answers, reported, reportedMs };
}
