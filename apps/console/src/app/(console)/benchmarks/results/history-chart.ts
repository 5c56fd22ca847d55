import type { BenchmarkChange, BenchmarkHistory } from "@stashlight/contracts/benchmark";
import { changeMarks } from "@stashlight/contracts/thresholds";
import { type ChartEvent, type ChartRange, type PreparedChart, prepareLines } from "@stashlight/ui/chart";
import { endpointLine } from "./tones.ts";

interface HistoryChartInput {
  readonly history: BenchmarkHistory;
  readonly changes: readonly BenchmarkChange[];
  readonly range: ChartRange;
  readonly utcOffsetMs: number;
}

const percent = (share: number): string => `${share > 0 ? "+" : "−"}${Math.round(100 * Math.abs(share))} %`;

/** Margin on either side, as a share of the runs' span. */
const MARGIN = 0.04;

/**
 * Narrows the requested range to the first and last run, so that a week of runs fills a chart of a
 * month. The range selects by planned time and runs are drawn when they started, so it grows to
 * hold runs that started after its end.
 */
function fittedTo(history: BenchmarkHistory, range: ChartRange): ChartRange {
  const slots = history.series.flatMap(({ atMs }) => atMs);
  if (slots.length === 0) return range;
  const [firstMs, lastMs] = slots.reduce(
    ([first, last], ms) => [Math.min(first, ms), Math.max(last, ms)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const marginMs = Math.max(history.stepMs, MARGIN * (lastMs - firstMs));
  return {
    fromMs: Math.min(firstMs, Math.max(range.fromMs, Math.floor(firstMs - marginMs))),
    toMs: Math.max(lastMs, Math.min(range.toMs, Math.ceil(lastMs + marginMs))),
  };
}

/** A run whose median failed leaves a gap in the line. */
export function prepareHistory({ history, changes, range, utcOffsetMs }: HistoryChartInput): PreparedChart {
  const events: ChartEvent[] = [
    ...history.events.map(({ atMs, label, status }) => ({ timeMs: atMs, label, status })),
    ...changes.map(({ atMs, endpointName, changeShare }) => ({
      timeMs: atMs,
      label: `${endpointName}: level changed, ${percent(changeShare)}`,
      status: changeShare > 0 ? ("bad" as const) : ("good" as const),
    })),
  ];
  const shown = fittedTo(history, range);
  return prepareLines({
    range: shown,
    stepMs: history.stepMs,
    quantity: "seconds",
    isLatency: true,
    utcOffsetMs,
    gaps: [{ startMs: shown.fromMs, endMs: shown.toMs, reason: "No run" }],
    events: events
      .filter(({ timeMs }) => timeMs >= shown.fromMs && timeMs <= shown.toMs)
      .sort((a, b) => a.timeMs - b.timeMs),
    lines: history.series.map(({ endpoint, atMs, medianMs, lowMs, highMs, n }, place) => ({
      id: endpoint.id,
      label: endpoint.name,
      ...endpointLine(endpoint, place),
      endMs: atMs,
      values: medianMs.map(seconds),
      low: lowMs.map((low, i) => (low ?? medianMs[i] ?? 0) / 1000),
      high: highMs.map((high, i) => (high ?? medianMs[i] ?? 0) / 1000),
      n,
    })),
  });
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

/** Reports that no change of level was found, or that every endpoint has too few runs for one. */
export function describeNoChange(runCounts: readonly number[]): string {
  const most = Math.max(0, ...runCounts);
  return most < changeMarks.runsMin
    ? `Too few runs to find a change of level: ${most} at most per endpoint; ${changeMarks.runsMin} are needed.`
    : "No change of level in this time range: no lasting shift of at least 5 %.";
}
