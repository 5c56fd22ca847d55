"use client";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { ChartPanel, type LinesInput, prepareMultiples, type Quantity } from "@stashlight/ui/chart";
import { Skeleton } from "@stashlight/ui/feedback";
import { useMemo } from "react";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { chartLines, type LineSpecs, previousLines, sameSeries } from "../../../client/metrics/to-chart.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useReportedMetrics } from "../../../client/metrics/use-reported-metrics.ts";
import { useWideWindows } from "../../../client/metrics/use-wide-windows.ts";
import { useChartFrame, usePanel } from "./use-panel.tsx";

export interface MultiplesPanelProps {
  readonly selection: MetricSelection;
  readonly lines: LineSpecs;
  readonly metric: string;
  readonly exportName: string;
  readonly titleOf: (series: MetricSeries) => string;
  readonly hrefOf?: (series: MetricSeries) => string;
  /** Selects the series to draw; all by default. */
  readonly chosen?: (series: readonly MetricSeries[]) => readonly MetricSeries[];
  readonly isLatency?: boolean;
  /** Quantity of the lines if it differs from the metric's: a counter's rate. */
  readonly quantity?: Quantity | undefined;
}

const HEIGHT_PX = 110;

/** Draws a small chart per series, all on one scale, so that heights compare. */
export function MultiplesPanel({
  selection,
  lines,
  titleOf,
  hrefOf,
  chosen,
  isLatency = true,
  quantity,
  ...props
}: MultiplesPanelProps) {
  const { comparison } = usePageTime();
  const { asked, widen } = useWideWindows([{ ...selection, lines }]);
  const { answers, reported, reportedMs, ...state } = useReportedMetrics(asked);
  const before = useMetrics(asked, comparison?.offsetMs ?? null).answers?.[0];
  widen(answers);
  const frameOf = useChartFrame();
  const metric = comparison === null ? props.metric : `${props.metric}; faint: ${comparison.words}`;
  const panel = usePanel({ ...props, metric, title: "" }, answers, { ...state, reported, reportedMs });
  const [answer] = answers ?? [];
  const frame = answer === undefined ? null : frameOf([answer], reported);
  // The frame depends only on the answers and the range, and the lines do not change.
  const charts = useMemo(() => {
    if (answer === undefined || frame === null) return null;
    const sorted = (chosen?.(answer.series) ?? answer.series).toSorted((a, b) =>
      collator.compare(titleOf(a), titleOf(b)),
    );
    const findEarlier = (series: MetricSeries) => {
      const earlier = before?.series.filter((each) => sameSeries(each, series)) ?? [];
      if (comparison === null || before === undefined) return [];
      return previousLines(
        chartLines({ ...before, series: earlier }, lines),
        comparison.offsetMs,
        comparison.words,
      );
    };
    const inputs = sorted.map(
      (series): LinesInput => ({
        ...frame,
        ...(quantity === undefined ? {} : { quantity }),
        isLatency,
        lines: [...chartLines({ ...answer, series: [series] }, lines), ...findEarlier(series)],
      }),
    );
    return prepareMultiples(inputs).map((chart, index) => ({ chart, series: sorted[index] }));
  }, [answer, reported, before, comparison?.offsetMs, frame?.range.fromMs, frame?.range.toMs, frame?.events]);
  if (panel.error !== undefined) return panel.error;
  if (charts === null) return <Skeleton height={HEIGHT_PX * 2} />;
  return (
    <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3 2xl:grid-cols-5">
      {charts.map(
        ({ chart, series }) =>
          series !== undefined && (
            <ChartPanel
              key={titleOf(series)}
              {...panel}
              source={sourceOfAll(panel.source, answer)}
              title={titleOf(series)}
              exportName={`${props.exportName}-${titleOf(series)}`}
              href={hrefOf?.(series)}
              chart={chart}
              heightPx={HEIGHT_PX}
            />
          ),
      )}
    </div>
  );
}

/**
 * Subtitle of each chart, with its share of the data read: "as measured, every 10 s · read from 21 series in 7 groups".
 */
function sourceOfAll(source: string | undefined, answer: MetricAnswer | undefined): string | undefined {
  const groupCount = (answer?.series.length ?? 0) + (answer?.omittedSeriesCount ?? 0);
  return source === undefined || groupCount < 2 ? source : `${source} in ${groupCount} groups`;
}

const collator = new Intl.Collator("en", { numeric: true });
