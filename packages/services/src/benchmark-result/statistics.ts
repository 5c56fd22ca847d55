/** Statistics of runs, as plain data in and out, so that a separate thread can compute them. */
import {
  type ChangePoint,
  type Comparison,
  type ContestInput,
  type ContestResult,
  compareLegs,
  compareUnpaired,
  correctCoordinatedOmission,
  createRandom,
  findChangePoints,
  judgeContests,
  type MinimumEffect,
  median,
  percentileSamplesMin,
  quantileOfSorted,
  type RestoreEstimate,
  type RunMoments,
  restoreEstimate,
  type StartedOperations,
  type UnpairedComparison,
} from "@stashlight/stats";

export interface CompareJob {
  readonly kind: "compare";
  readonly a: RunMoments;
  readonly b: RunMoments;
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
  /** The runs of each endpoint, in milliseconds. */
  readonly series: readonly (readonly StartedOperations[])[];
}

export interface OmissionFigures {
  /** Median over the runs; null if no connection had two operations. */
  readonly intervalMs: number | null;
  readonly sampleCount: number;
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

export interface FastestJob extends ContestInput {
  readonly kind: "fastest";
}

export interface RestoreJob {
  readonly kind: "restore";
  /** Durations of each endpoint's successful downloads, in milliseconds, and their number of connections. */
  readonly series: readonly { readonly durationsMs: Float64Array; readonly connectionCount: number }[];
  readonly objectBytes: number;
  readonly objectCount: number;
  readonly connectionCount: number;
  readonly seed: number;
}

export type StatisticsJob = CompareJob | ChangesJob | OmissionJob | UnpairedJob | FastestJob | RestoreJob;
export type StatisticsResult =
  | { readonly kind: "compare"; readonly comparison: Comparison }
  | { readonly kind: "changes"; readonly changes: readonly (readonly ChangePoint[])[] }
  | {
      readonly kind: "unpaired";
      readonly comparison: UnpairedComparison;
      readonly a: SideFigures;
      readonly b: SideFigures;
    }
  | { readonly kind: "omission"; readonly figures: readonly OmissionFigures[] }
  | { readonly kind: "fastest"; readonly contests: ContestResult }
  | { readonly kind: "restore"; readonly estimates: readonly (RestoreEstimate | null)[] };

export function compute(job: StatisticsJob): StatisticsResult {
  switch (job.kind) {
    case "compare":
      return {
        kind: "compare",
        comparison: compareLegs({
          legs: [job.a, job.b],
          pairs: [[0, 1]],
          minimumEffect: job.minimumEffect,
        }),
      };
    case "changes":
      return {
        kind: "changes",
        changes: job.series.map((values) => findChangePoints(values, { random: createRandom(job.seed) })),
      };
    case "unpaired":
      return {
        kind: "unpaired",
        comparison: compareUnpaired(job.a, job.b),
        a: sideFigures(job.a),
        b: sideFigures(job.b),
      };
    case "fastest":
      return { kind: "fastest", contests: judgeContests(job) };
    case "restore":
      return { kind: "restore", estimates: job.series.map((each) => estimateRestore(job, each)) };
    case "omission":
      return { kind: "omission", figures: job.series.map(describeOmission) };
  }
}

const shownPercentiles = [500_000, 900_000, 990_000, 999_000] as const;

export interface SideFigures {
  readonly meanMs: number;
  /** Keyed by parts per million; null if there are too few samples. */
  readonly percentilesMs: readonly (readonly [perMillion: number, valueMs: number | null])[];
}

function sideFigures(values: Float64Array): SideFigures {
  const sorted = Float64Array.from(values).sort();
  return {
    meanMs: sorted.reduce((sum, value) => sum + value, 0) / sorted.length,
    percentilesMs: shownPercentiles.map((perMillion) => [
      perMillion,
      sorted.length < percentileSamplesMin(perMillion) ? null : quantileOfSorted(sorted, perMillion),
    ]),
  };
}

/** Null without a successful download. */
function estimateRestore(
  { objectBytes, objectCount, connectionCount, seed }: RestoreJob,
  { durationsMs, connectionCount: measuredConnectionCount }: RestoreJob["series"][number],
): RestoreEstimate | null {
  if (durationsMs.length === 0) return null;
  return restoreEstimate({
    durationsMs,
    measuredConnectionCount,
    objectBytes,
    objectCount,
    connectionCount,
    random: createRandom(seed),
  });
}

const percentiles = [
  ["median", 500_000],
  ["p90", 900_000],
  ["p95", 950_000],
  ["p99", 990_000],
  ["p99.9", 999_000],
] as const;

/** Corrects every run by its own pace, because durations of operations differ between runs. */
function describeOmission(runs: readonly StartedOperations[]): OmissionFigures {
  const each = runs.map(correctCoordinatedOmission);
  const raw = join(runs.map(({ values }) => values));
  const corrected = join(each.map((run) => run.corrected));
  const intervals = each.flatMap(({ interval }) => interval ?? []);
  const at = (sorted: Float64Array, perMillion: number): number | null =>
    raw.length < percentileSamplesMin(perMillion) ? null : quantileOfSorted(sorted, perMillion);
  return {
    intervalMs: intervals.length === 0 ? null : median(Float64Array.from(intervals)),
    sampleCount: raw.length,
    correctedCount: corrected.length,
    rows: percentiles.map(([percentile, perMillion]) => ({
      percentile,
      rawMs: at(raw, perMillion),
      correctedMs: at(corrected, perMillion),
    })),
  };
}

function join(parts: readonly ArrayLike<number>[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined.sort();
}
