"use client";
import type { MetricSeries } from "@stashlight/contracts";
import { ChartPanel, prepareBars } from "@stashlight/ui/chart";
import { useMemo } from "react";
import { type LayerSpec, layersOf } from "../../../client/metrics/to-chart.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { type PanelProps, useChartFrame, usePanel } from "./use-panel.tsx";

export interface BarsSource extends MetricSelection {
  readonly layer: (series: MetricSeries, index: number) => LayerSpec;
}

/** How much counters grew in each window, stacked. */
export function BarsPanel({ sources, ...props }: PanelProps & { readonly sources: readonly BarsSource[] }) {
  const { answers, ...state } = useMetrics(sources);
  const frameOf = useChartFrame();
  const panel = usePanel(props, answers, state);
  const frame = answers === undefined ? null : frameOf(answers);
  // The frame follows from answers and range; sources are data.
  const chart = useMemo(() => {
    if (answers === undefined || frame === null) return null;
    const layers = answers.flatMap((answer, index) => {
      const source = sources[index];
      return source === undefined ? [] : layersOf(answer, source.layer);
    });
    return prepareBars({ ...frame, layers });
  }, [answers, frame?.range.fromMs, frame?.range.toMs, frame?.events]);
  return <ChartPanel {...panel} chart={chart} />;
}
