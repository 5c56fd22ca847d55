"use client";
import { ChartPanel, type ChartTone, prepareHeatmap } from "@stashlight/ui/chart";
import { useMemo } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { panelOfHeatmap } from "../../../client/metrics/panel-of-sources.ts";
import { heartbeatSelections, reportedSpans } from "../../../client/metrics/reported.ts";
import { togetherInWords } from "../../../client/metrics/scope.ts";
import { describeOrigin } from "../../../client/metrics/to-chart.ts";
import { type MetricSelection, useHeatmap, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { type PanelProps, useChartFrame, usePanel } from "./use-panel.tsx";

export interface HeatmapPanelProps extends PanelProps {
  readonly selection: Pick<MetricSelection, "metric" | "where" | "nodeIds">;
  readonly tone: ChartTone;
}

/** Shows how frequent each range of values was over time, which percentiles hide. */
export function HeatmapPanel({ selection, tone, ...props }: HeatmapPanelProps) {
  const { data, error, refetch } = useHeatmap(selection);
  const heartbeats = useMetrics(heartbeatSelections([selection])).answers;
  const reported = useMemo(() => reportedSpans(heartbeats ?? []), [heartbeats]);
  const frameOf = useChartFrame();
  const together = togetherInWords([selection], useScope());
  const origins = data === undefined ? undefined : [data];
  const { comparison } = usePageTime();
  // Compares periods with lines only: a second heatmap would hide the first.
  const what = `${props.metric}${together}`;
  const metric = comparison === null ? what : `${what}; ${comparison.words} is compared as lines only`;
  const panel = usePanel({ ...props, metric, panel: panelOfHeatmap(selection) }, origins, {
    error,
    reported,
    reportedMs: describeOrigin(heartbeats ?? []).newestMs,
    retry: () => void refetch(),
  });
  const frame = origins === undefined ? null : frameOf(origins, reported);
  // The frame depends only on the answer and the range.
  const chart = useMemo(() => {
    if (data === undefined || frame === null) return null;
    const { endMs, bounds, counts } = data;
    return prepareHeatmap({ ...frame, tone, endMs, bounds, counts });
  }, [data, reported, tone, frame?.range.fromMs, frame?.range.toMs, frame?.events]);
  return <ChartPanel {...panel} chart={chart} />;
}
