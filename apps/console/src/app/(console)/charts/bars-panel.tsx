"use client";
import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import { ChartPanel, prepareBars } from "@stashlight/ui/chart";
import { useMemo } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { togetherInWords } from "../../../client/metrics/scope.ts";
import { type LayerSpec, layersOf, previousTotal } from "../../../client/metrics/to-chart.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { type PanelProps, useChartFrame, usePanel } from "./use-panel.tsx";

export interface BarsSource extends MetricSelection {
  readonly layer: (series: MetricSeries, index: number) => LayerSpec;
}

/** How much counters grew in each window, stacked. */
export function BarsPanel({ sources, ...props }: PanelProps & { readonly sources: readonly BarsSource[] }) {
  const { comparison } = usePageTime();
  const { answers, ...state } = useMetrics(sources);
  const before = useMetrics(sources, comparison?.offsetMs ?? null).answers;
  const frameOf = useChartFrame();
  const together = togetherInWords(sources, useScope());
  const what = `${props.metric}${together}`;
  const metric = comparison === null ? what : `${what}; line: all of ${comparison.words}`;
  const panel = usePanel({ ...props, metric }, answers, state);
  const frame = answers === undefined ? null : frameOf(answers);
  // The frame follows from answers and range; sources are data.
  const chart = useMemo(() => {
    if (answers === undefined || frame === null) return null;
    const layers = answers.flatMap((answer, index) => {
      const source = sources[index];
      return source === undefined ? [] : layersOf(answer, source.layer);
    });
    const previous =
      comparison === null || before === undefined
        ? null
        : previousTotal(before, comparison.offsetMs, comparison.words);
    return prepareBars({ ...frame, layers, previous });
  }, [answers, before, comparison?.offsetMs, frame?.range.fromMs, frame?.range.toMs, frame?.events]);
  return <ChartPanel {...panel} chart={chart} />;
}
