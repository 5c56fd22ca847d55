export { type ChangePoint, type ChangePointOptions, findChangePoints } from "./change-points.ts";
export {
  type CompareInput,
  type Comparison,
  compareLegs,
  compareUnpaired,
  type PairedComparison,
  type UnpairedComparison,
} from "./compare.ts";
export { correctCoordinatedOmission, type StartedOperations } from "./coordinated-omission.ts";
export { computeDrift, type Drift, spearman } from "./drift.ts";
export type { StatsErrorReason } from "./error.ts";
export type { Faster } from "./faster.ts";
export { type ContestInput, type ContestPair, type ContestResult, judgeContests } from "./fastest.ts";
export type { Shift } from "./hodges-lehmann.ts";
export { holmAdjusted } from "./holm.ts";
export type { RankSumTest } from "./mann-whitney.ts";
export { type MeanOfRuns, meanInterval } from "./mean-interval.ts";
export { MEDIAN_SAMPLES_MIN, type MedianRanks, medianInterval } from "./median-interval.ts";
export { type Estimate, RUNS_MIN } from "./paired-means.ts";
export type { Pairs, SlotValues } from "./pairing.ts";
export { createRandom, type Random, shuffled, type Uniform } from "./random.ts";
export { nearestRank, percentileSamplesMin, quantileOfSorted, samplesNeeded } from "./rank.ts";
export { compareGroups, type GroupContest } from "./replication/compare-groups.ts";
export { type HostRuns, varianceComponents } from "./replication/variance-components.ts";
export { type RestoreEstimate, restoreEstimate } from "./restore-estimate.ts";
export type { Leg, RunMoments, RunSeries } from "./run-series.ts";
export { type BlockRate, type Cap, findCap } from "./shaping/cap.ts";
export { findShaping, type Shaping, type TokenBucket } from "./shaping/find-shaping.ts";
export type { RateLevel } from "./shaping/levels.ts";
export { estimateRefill, type Refill } from "./shaping/refill.ts";
export { type Interval, median } from "./sorted.ts";
export type { SuccessRates } from "./success.ts";
export {
  type Percentile,
  type PercentileName,
  percentileNames,
  type RunDurations,
  type RunSummary,
  summariseRun,
} from "./summary.ts";
export { nOfM, type ThresholdRule } from "./threshold.ts";
export { ERROR_MAX, type MinimumEffect, type Verdict } from "./verdict.ts";
export type { SignedRankTest } from "./wilcoxon.ts";
