"use client";
import type { MetricPanel } from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import { ChartPanel, type ChartThreshold, prepareLines, type Quantity } from "@stashlight/ui/chart";
import { useMemo } from "react";
import { formatHiddenLines, formatOmittedSeries } from "../../../client/metrics/enough-samples.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { panelOfLines } from "../../../client/metrics/panel-of-sources.ts";
import { togetherInWords } from "../../../client/metrics/scope.ts";
import { chartLines, previousLines } from "../../../client/metrics/to-chart.ts";
import { useMetrics } from "../../../client/metrics/use-metrics.ts";
import { useReportedMetrics } from "../../../client/metrics/use-reported-metrics.ts";
import { useScope } from "../../../client/metrics/use-scope.ts";
import { type LinesSource, useWideWindows } from "../../../client/metrics/use-wide-windows.ts";
import { type PanelProps, useChartFrame, usePanel } from "./use-panel.tsx";

export interface LinesPanelProps extends PanelProps {
  readonly sources: readonly LinesSource[];
  /**
   * The chart as a metric panel for Explorer and dashboards, if it cannot be derived from
   * `sources`.
   */
  readonly panel?: MetricPanel;
  readonly isLatency?: boolean;
  /** Quantity of the lines if it differs from the metric's, as for a counter's rate. */
  readonly quantity?: Quantity | undefined;
  /** Limits, read from the answers if they are measured. */
  readonly thresholds?: (answers: readonly MetricAnswer[]) => readonly ChartThreshold[];
  /** Total that contains the values; readings also show the share. Null if unknown. */
  readonly whole?: (answers: readonly MetricAnswer[]) => number | null;
}

/** Lines over the page's time range, and over the compared period if there is one. */
export function LinesPanel({ sources, isLatency, quantity, thresholds, whole, ...props }: LinesPanelProps) {
  const { comparison } = usePageTime();
  const { asked, widen } = useWideWindows(sources);
  const current = useReportedMetrics(asked);
  const before = useMetrics(asked, comparison?.offsetMs ?? null);
  widen(current.answers);
  const frameOf = useChartFrame();
  const together = togetherInWords(sources, useScope());
  const what = `${props.metric}${together}`;
  const metric = comparison === null ? what : `${what}; faint: ${comparison.words}`;
  const frame = current.answers === undefined ? null : frameOf(current.answers, current.reported);
  const linesIn = (answers: readonly MetricAnswer[]) =>
    answers.flatMap((answer, index) => chartLines(answer, sources[index]?.lines ?? []));
  const hidden =
    current.answers === undefined
      ? undefined
      : [formatHiddenLines(linesIn(current.answers)), formatOmittedSeries(current.answers)]
          .filter((words) => words !== undefined)
          .join(" · ");
  const panel = usePanel(
    { ...props, metric, hidden, panel: props.panel ?? panelOfLines(sources) },
    current.answers,
    current,
  );
  // The frame depends only on the answers and the range, and the sources do not change.
  const chart = useMemo(() => {
    if (current.answers === undefined || frame === null) return null;
    const earlier =
      comparison === null || before.answers === undefined
        ? []
        : previousLines(linesIn(before.answers), comparison.offsetMs, comparison.words);
    return prepareLines({
      ...frame,
      ...(quantity === undefined ? {} : { quantity }),
      lines: [...linesIn(current.answers), ...earlier],
      isLatency,
      thresholds: thresholds?.(current.answers),
      whole: whole?.(current.answers),
    });
  }, [
    current.answers,
    current.reported,
    before.answers,
    comparison?.offsetMs,
    frame?.range.fromMs,
    frame?.range.toMs,
    frame?.events,
  ]);
  return <ChartPanel {...panel} chart={chart} />;
}
