"use client";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts";
import { ChartPanel, type ChartThreshold, prepareLines } from "@stashlight/ui/chart";
import { useMemo, useState } from "react";
import { leastNeeded, pointCountForSamples, sayTooFew } from "../../../client/metrics/enough-samples.ts";
import { usePageTime } from "../../../client/metrics/page-time.tsx";
import { type LineSpec, linesOf, previousLines } from "../../../client/metrics/to-chart.ts";
import { type MetricSelection, useMetrics } from "../../../client/metrics/use-metrics.ts";
import { type PanelProps, useChartFrame, usePanel } from "./use-panel.tsx";

export interface LinesSource extends MetricSelection {
  readonly lines: readonly LineSpec[] | ((series: MetricSeries) => readonly LineSpec[]);
}

export interface LinesPanelProps extends PanelProps {
  readonly sources: readonly LinesSource[];
  readonly isLatency?: boolean;
  /** Limits, from the answers where they are measured themselves. */
  readonly thresholds?: (answers: readonly MetricAnswer[]) => readonly ChartThreshold[];
}

/** Lines over the page's time, and the same of the compared period where the page compares. */
export function LinesPanel({ sources, isLatency, thresholds, ...props }: LinesPanelProps) {
  const { comparison } = usePageTime();
  const { asked, widen } = useWideWindows(sources);
  const current = useMetrics(asked);
  const before = useMetrics(asked, comparison?.offsetMs ?? null);
  const tooFew = widen(current.answers);
  const frameOf = useChartFrame();
  const metric = comparison === null ? props.metric : `${props.metric}; faint: ${comparison.words}`;
  const emptyText = props.emptyText ?? tooFew;
  const panel = usePanel({ ...props, metric, emptyText }, current.answers, current);
  const frame = current.answers === undefined ? null : frameOf(current.answers);
  const linesIn = (answers: readonly MetricAnswer[]) =>
    answers.flatMap((answer, index) => linesOf(answer, sources[index]?.lines ?? []));
  // The frame follows from answers and range; sources are data.
  const chart = useMemo(() => {
    if (current.answers === undefined || frame === null) return null;
    const earlier =
      comparison === null || before.answers === undefined
        ? []
        : previousLines(linesIn(before.answers), comparison.offsetMs, comparison.words);
    return prepareLines({
      ...frame,
      lines: [...linesIn(current.answers), ...earlier],
      isLatency,
      thresholds: thresholds?.(current.answers),
    });
  }, [
    current.answers,
    before.answers,
    comparison?.offsetMs,
    frame?.range.fromMs,
    frame?.range.toMs,
    frame?.events,
  ]);
  return <ChartPanel {...panel} chart={chart} />;
}

const specsOf = ({ lines }: LinesSource, answer: MetricAnswer): readonly LineSpec[] =>
  typeof lines === "function" ? answer.series.flatMap((series) => lines(series)) : lines;

/**
 * Asks for wider windows where those of the usual length hold too few samples for any percentile, and stays with them
 * until the page shows another time. `widen` takes the answers, and says why nothing can be drawn of them.
 */
function useWideWindows(sources: readonly LinesSource[]) {
  const { expressions, range } = usePageTime();
  const selections = sources.map(({ lines: _lines, ...selection }) => selection);
  const question = JSON.stringify([selections, expressions]);
  const [wide, setWide] = useState<{ question: string; pointCountMax: number }>();
  const pointCountMax = wide?.question === question ? wide.pointCountMax : null;
  const widen = (answers: readonly MetricAnswer[] | undefined): string | undefined => {
    const specs = (answers ?? []).flatMap((answer, i) => (sources[i] ? specsOf(sources[i], answer) : []));
    const needed = leastNeeded(specs);
    if (answers === undefined || needed === null) return undefined;
    const wanted = pointCountForSamples(answers, needed, range.toMs - range.fromMs);
    if (wanted !== null && wanted < (pointCountMax ?? Number.POSITIVE_INFINITY)) {
      setWide({ question, pointCountMax: wanted });
    }
    return sayTooFew(answers, needed);
  };
  const asked = pointCountMax === null ? sources : sources.map((source) => ({ ...source, pointCountMax }));
  return { asked, widen };
}
