export {
  type BootstrapInput,
  type BootstrapResult,
  bootstrapMeans,
  type Estimate,
  type LegMean,
  type PairMeans,
  RUNS_MIN,
} from "./bootstrap.ts";
export { type ChangePoint, type ChangePointOptions, findChangePoints } from "./change-points.ts";
export {
  type CompareInput,
  type Comparison,
  compareLegs,
  compareUnpaired,
  type MinimumEffect,
  minimumEffectDefault,
  type PairedComparison,
  type UnpairedComparison,
  type Verdict,
  verdictOf,
} from "./compare.ts";
export { correctCoordinatedOmission } from "./coordinated-omission.ts";
export { DRIFT_RHO, type Drift, driftOf, spearman } from "./drift.ts";
export { StatsError, type StatsErrorReason } from "./error.ts";
export { type Faster, fasterOf } from "./faster.ts";
export { pairedShift, type Shift, unpairedShift } from "./hodges-lehmann.ts";
export { type RankSumTest, rankSumTest } from "./mann-whitney.ts";
export { type MedianRanks, medianInterval, medianRanks } from "./median-interval.ts";
export { type Pairs, pairBySlot, type SlotValues } from "./pairing.ts";
export { createRandom, type Random } from "./random.ts";
export { nearestRank, percentileSamplesMin, samplesNeeded } from "./rank.ts";
export { type Leg, meanVarianceOf, type RunMoments, type RunSeries } from "./run-series.ts";
export { type Interval, median } from "./sorted.ts";
export {
  type Percentile,
  type PercentileName,
  percentileNames,
  type RunDurations,
  type RunSummary,
  summariseRun,
} from "./summary.ts";
export { nOfM, type ThresholdRule } from "./threshold.ts";
export { type SignedRankTest, signedRankTest } from "./wilcoxon.ts";
