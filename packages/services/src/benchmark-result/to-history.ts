/**
 * Converts figures of runs into the points of a chart; years of runs are put into buckets, because no screen has enough
 * columns.
 */

import type { BenchmarkHistory, BenchmarkHistorySeries } from "@stashlight/contracts/benchmark";
import { HOUR_MS } from "@stashlight/contracts/time";
import { median } from "@stashlight/stats";
import { present } from "../present.ts";
import type { EndpointFigures, RunColumns } from "./run-columns.ts";

export interface HistoryInput {
  readonly figures: readonly EndpointFigures[];
  readonly fromMs: number;
  readonly toMs: number;
  readonly pointCountMax: number;
  readonly events: BenchmarkHistory["events"];
}

export function toHistory(input: HistoryInput): BenchmarkHistory {
  const { figures, fromMs, toMs, pointCountMax, events } = input;
  const isBucketed = figures.some(({ runs }) => runs.slotMs.length > pointCountMax);
  const bucketMs = Math.ceil((toMs - fromMs) / pointCountMax);
  return {
    series: figures.map((each) => (isBucketed ? bucketed(each, fromMs, bucketMs) : runByRun(each))),
    stepMs: isBucketed ? bucketMs : usualStepMs(figures),
    isBucketed,
    events,
  };
}

const known = (value: number): number | null => (Number.isNaN(value) ? null : value);

function runByRun({ endpoint, runs }: EndpointFigures): BenchmarkHistorySeries {
  return {
    endpoint,
    runCount: runs.slotMs.length,
    atMs: Array.from(runs.startedMs),
    medianMs: Array.from(runs.medianMs, known),
    lowMs: Array.from(runs.medianLowMs, known),
    highMs: Array.from(runs.medianHighMs, known),
    n: Array.from(runs.n),
    failureCount: Array.from(runs.failureCount),
  };
}

/** A bucket is dated by its end, like a window. */
function bucketed(
  { endpoint, runs }: EndpointFigures,
  fromMs: number,
  bucketMs: number,
): BenchmarkHistorySeries {
  const series: BenchmarkHistorySeries = {
    endpoint,
    runCount: runs.slotMs.length,
    atMs: [],
    medianMs: [],
    lowMs: [],
    highMs: [],
    n: [],
    failureCount: [],
  };
  let start = 0;
  while (start < runs.slotMs.length) {
    const bucket = Math.floor((present(runs.slotMs[start]) - fromMs) / bucketMs);
    const endMs = fromMs + (bucket + 1) * bucketMs;
    let end = start + 1;
    while (end < runs.slotMs.length && present(runs.slotMs[end]) < endMs) end += 1;
    addBucket(series, runs, start, end, endMs);
    start = end;
  }
  return series;
}

function addBucket(
  series: BenchmarkHistorySeries,
  runs: RunColumns,
  start: number,
  end: number,
  endMs: number,
): void {
  const medians = runs.medianMs.subarray(start, end).filter((value) => !Number.isNaN(value));
  const sum = (column: Float64Array): number => column.subarray(start, end).reduce((a, b) => a + b, 0);
  series.atMs.push(endMs);
  series.medianMs.push(medians.length === 0 ? null : median(medians));
  series.lowMs.push(medians.length === 0 ? null : medians.reduce((a, b) => Math.min(a, b)));
  series.highMs.push(medians.length === 0 ? null : medians.reduce((a, b) => Math.max(a, b)));
  series.n.push(sum(runs.n));
  series.failureCount.push(sum(runs.failureCount));
}

/** Returns the median distance between the starts of runs, so that a missed slot is a gap instead of a longer step. */
function usualStepMs(figures: readonly EndpointFigures[]): number {
  const steps: number[] = [];
  for (const { runs } of figures) {
    for (let i = 1; i < runs.slotMs.length; i += 1) {
      steps.push(present(runs.startedMs[i]) - present(runs.startedMs[i - 1]));
    }
  }
  return steps.length === 0 ? HOUR_MS : median(steps);
}
