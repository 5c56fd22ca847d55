/** Summarises how the operations of a load started, from its samples. */
import {
  type BenchmarkSample,
  type BenchmarkStarts,
  lateStartMsMin,
  startDelayMs,
} from "@stashlight/contracts/sample";
import { nearestRank, summariseRun } from "@stashlight/stats";
import { percentileSamplesMin } from "@stashlight/stats/rank";

/** Values of samples that are kept until their starts are summarised. */
export interface CollectedStarts {
  readonly delaysMs: number[];
  readonly pausesMs: number[];
  /** Durations on the wire of successful operations with a due moment; the next field has those of failed ones. */
  readonly serviceOkMs: number[];
  readonly serviceFailedMs: number[];
}

export const collectStarts = (): CollectedStarts => ({
  delaysMs: [],
  pausesMs: [],
  serviceOkMs: [],
  serviceFailedMs: [],
});

export function addStart(starts: CollectedStarts, sample: BenchmarkSample): void {
  const delayMs = startDelayMs(sample);
  if (delayMs !== null) {
    starts.delaysMs.push(delayMs);
    (sample.outcome === "ok" ? starts.serviceOkMs : starts.serviceFailedMs).push(sample.wireMs);
  } else if (sample.achievedPauseMs !== undefined) {
    starts.pausesMs.push(sample.achievedPauseMs);
  }
}

export const joinStarts = (all: readonly CollectedStarts[]): CollectedStarts => ({
  delaysMs: all.flatMap(({ delaysMs }) => delaysMs),
  pausesMs: all.flatMap(({ pausesMs }) => pausesMs),
  serviceOkMs: all.flatMap(({ serviceOkMs }) => serviceOkMs),
  serviceFailedMs: all.flatMap(({ serviceFailedMs }) => serviceFailedMs),
});

/** Null if neither a due moment nor a pause is known. */
export function summariseStarts(starts: CollectedStarts): BenchmarkStarts | null {
  const { delaysMs, pausesMs, serviceOkMs, serviceFailedMs } = starts;
  if (delaysMs.length > 0) {
    const { percentiles, max } = summariseRun({ ok: serviceOkMs, censored: serviceFailedMs });
    return {
      kind: "due",
      ...rank(delaysMs),
      lateCount: delaysMs.filter((delayMs) => delayMs >= lateStartMsMin).length,
      service: { medianMs: percentiles.median.value, p95Ms: percentiles.p95.value, maxMs: max },
    };
  }
  return pausesMs.length === 0 ? null : { kind: "pause", ...rank(pausesMs) };
}

function rank(values: readonly number[]) {
  const sorted = Float64Array.from(values).sort();
  const at = (perMillion: number): number => sorted[nearestRank(sorted.length, perMillion) - 1] ?? 0;
  const hasP99 = sorted.length >= percentileSamplesMin(990_000);
  return { p50Ms: at(500_000), p99Ms: hasP99 ? at(990_000) : null, maxMs: at(1_000_000) };
}
