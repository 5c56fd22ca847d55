"use client";
import type { MetricPanel } from "@stashlight/contracts/metrics";
import type { MetricSeries } from "@stashlight/contracts/metrics/query";
import { ChartPanel, prepareBars } from "@stashlight/ui/chart";
import { Time } from "@stashlight/ui/data";
import { useMemo } from "react";
import { formatOmittedSeries } from "../../../client/metrics/enough-samples.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { panelOfBars } from "../../../client/metrics/panel-of-sources.ts";
import { togetherInWords } from "../../../client/metrics/scope.ts";
import { chartLayers, type LayerSpec, previousTotal } from "../../../client/metrics/to-chart.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useReportedMetrics } from "../../../client/metrics/use-reported-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { zeroEndMs } from "./empty-reason.ts";
import { type PanelProps, useChartFrame, usePanel } from "./use-panel.tsx";

export interface BarsSource extends MetricSelection {
  readonly layer: (series: MetricSeries, index: number) => LayerSpec;
}

interface BarsPanelProps extends PanelProps {
  readonly sources: readonly BarsSource[];
  /**
   * The chart as a metric panel for Explorer and dashboards, if it cannot be derived from
   * `sources`.
   */
  readonly panel?: MetricPanel;
  /** Beginning of a sentence about a range in which nodes reported and counted nothing: a known zero, no gap. */
  readonly zeroText?: string;
}

/** Stacks the growth of counters, window by window. */
export function BarsPanel({ sources, zeroText, ...props }: BarsPanelProps) {
  const { comparison } = usePageTime();
  const { answers, reported, reportedMs, ...state } = useReportedMetrics(sources);
  const before = useMetrics(sources, comparison?.offsetMs ?? null).answers;
  const frameOf = useChartFrame();
  const together = togetherInWords(sources, useScope());
  const what = `${props.metric}${together}`;
  const metric = comparison === null ? what : `${what}; line: all of ${comparison.words}`;
  const panel = usePanel(
    {
      ...props,
      metric,
      hidden: formatOmittedSeries(answers ?? []),
      panel: props.panel ?? panelOfBars(sources),
    },
    answers,
    { ...state, reported, reportedMs },
  );
  const frame = answers === undefined ? null : frameOf(answers, reported);
  // The frame depends only on the answers and the range, and the sources do not change.
  const chart = useMemo(() => {
    if (answers === undefined || frame === null) return null;
    const layers = answers.flatMap((answer, index) => {
      const source = sources[index];
      return source === undefined ? [] : chartLayers(answer, source.layer);
    });
    const previous =
      comparison === null || before === undefined
        ? null
        : previousTotal(before, comparison.offsetMs, comparison.words);
    const zeroLabel = zeroText === undefined ? undefined : "none";
    return prepareBars({ ...frame, layers, previous, zeroLabel });
  }, [
    answers,
    reported,
    before,
    comparison?.offsetMs,
    frame?.range.fromMs,
    frame?.range.toMs,
    frame?.events,
  ]);
  const zeroMs = zeroEndMs(chart?.zeroUntilMs, reportedMs);
  const none =
    zeroMs === null || zeroText === undefined ? null : (
      <>
        {zeroText} in this time range, up to <Time value={zeroMs} show="age" />.
      </>
    );
  return <ChartPanel {...panel} chart={chart} {...(none === null ? {} : { empty: none })} />;
}
