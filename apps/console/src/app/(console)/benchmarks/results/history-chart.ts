import type { BenchmarkChange, BenchmarkHistory } from "@stashlight/contracts/benchmark/result";
import { type ChartEvent, type ChartRange, type PreparedChart, prepareLines } from "@stashlight/ui/chart";
import { lookOf } from "./tones.ts";

interface HistoryChartInput {
  readonly history: BenchmarkHistory;
  readonly changes: readonly BenchmarkChange[];
  readonly range: ChartRange;
  readonly utcOffsetMs: number;
}

const percent = (share: number): string => `${share > 0 ? "+" : "−"}${Math.round(100 * Math.abs(share))} %`;

/** A run whose median failed has no place on the line, and leaves a hole in it. */
export function prepareHistory({ history, changes, range, utcOffsetMs }: HistoryChartInput): PreparedChart {
  const events: ChartEvent[] = [
    ...history.events.map(({ atMs, label, status }) => ({ timeMs: atMs, label, status })),
    ...changes.map(({ atMs, endpointName, changeShare }) => ({
      timeMs: atMs,
      label: `${endpointName}: level changed, ${percent(changeShare)}`,
      status: changeShare > 0 ? ("bad" as const) : ("good" as const),
    })),
  ];
  return prepareLines({
    range,
    stepMs: history.stepMs,
    quantity: "seconds",
    isLatency: true,
    utcOffsetMs,
    events: events.sort((a, b) => a.timeMs - b.timeMs),
    lines: history.series.map(({ endpoint, slotMs, medianMs, lowMs, highMs, n }, place) => ({
      id: endpoint.id,
      label: endpoint.name,
      ...lookOf(endpoint.name, place),
      endMs: slotMs,
      values: medianMs.map(seconds),
      low: lowMs.map((low, i) => (low ?? medianMs[i] ?? 0) / 1000),
      high: highMs.map((high, i) => (high ?? medianMs[i] ?? 0) / 1000),
      n,
    })),
  });
}

const seconds = (ms: number | null): number | null => (ms === null ? null : ms / 1000);
