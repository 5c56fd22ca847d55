/** What is computed of runs, as plain data in and out, so that a thread of its own can do it. */
import {
  type ChangePoint,
  type Comparison,
  compareLegs,
  compareUnpaired,
  correctCoordinatedOmission,
  createRandom,
  findChangePoints,
  type MinimumEffect,
  median,
  percentileSamplesMin,
  quantileOfSorted,
  type RunMoments,
  type UnpairedComparison,
} from "@stashlight/stats";

export interface CompareJob {
  readonly kind: "compare";
  readonly a: RunMoments;
  readonly b: RunMoments;
  readonly seed: number;
  readonly minimumEffect: MinimumEffect;
}

export interface ChangesJob {
  readonly kind: "changes";
  /** Medians of each endpoint's runs, oldest first. */
  readonly series: readonly Float64Array[];
  readonly seed: number;
}

export interface OmissionJob {
  readonly kind: "omission";
  /** All samples of each endpoint that succeeded, in milliseconds, and the pause between two. */
  readonly series: readonly Float64Array[];
  readonly pauseMs: number;
}

export interface OmissionFigures {
  readonly intervalMs: number;
  readonly correctedCount: number;
  readonly rows: readonly {
    readonly percentile: string;
    readonly rawMs: number | null;
    readonly correctedMs: number | null;
  }[];
}

export interface UnpairedJob {
  readonly kind: "unpaired";
  readonly a: Float64Array;
  readonly b: Float64Array;
}

export type StatisticsJob = CompareJob | ChangesJob | OmissionJob | UnpairedJob;
export type StatisticsResult =
  | { readonly kind: "compare"; readonly comparison: Comparison }
  | { readonly kind: "changes"; readonly changes: readonly (readonly ChangePoint[])[] }
  | { readonly kind: "unpaired"; readonly comparison: UnpairedComparison }
  | { readonly kind: "omission"; readonly figures: readonly OmissionFigures[] };

export function compute(job: StatisticsJob): StatisticsResult {
  switch (job.kind) {
    case "compare":
      return {
        kind: "compare",
        comparison: compareLegs({
          legs: [job.a, job.b],
          pairs: [[0, 1]],
          random: createRandom(job.seed),
          minimumEffect: job.minimumEffect,
        }),
      };
    case "changes":
      return {
        kind: "changes",
        changes: job.series.map((values) => findChangePoints(values, { random: createRandom(job.seed) })),
      };
    case "unpaired":
      return { kind: "unpaired", comparison: compareUnpaired(job.a, job.b) };
    case "omission":
      return { kind: "omission", figures: job.series.map((values) => omissionOf(values, job.pauseMs)) };
  }
}

const percentiles = [
  ["median", 500_000],
  ["p90", 900_000],
  ["p95", 950_000],
  ["p99", 990_000],
  ["p99.9", 999_000],
] as const;

/** A client that does not wait begins an operation as often as one usually ends, and its pause is over. */
function omissionOf(values: Float64Array, pauseMs: number): OmissionFigures {
  const intervalMs = Math.max(0.001, median(values) + pauseMs);
  const raw = values.toSorted();
  const corrected = correctCoordinatedOmission(values, intervalMs).sort();
  const at = (sorted: Float64Array, perMillion: number): number | null =>
    raw.length < percentileSamplesMin(perMillion) ? null : quantileOfSorted(sorted, perMillion);
  return {
    intervalMs,
    correctedCount: corrected.length,
    rows: percentiles.map(([percentile, perMillion]) => ({
      percentile,
      rawMs: at(raw, perMillion),
      correctedMs: at(corrected, perMillion),
    })),
  };
}
