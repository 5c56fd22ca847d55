export type { AckPercentile, AckTail } from "./answer/ack-tail.ts";
export { formatStop, type LayoutAvailability, type UploadAvailability } from "./answer/availability.ts";
export type { PlanCost } from "./answer/cost.ts";
export type { CrossCheck } from "./answer/cross-checks.ts";
export type { DirectUploads } from "./answer/direct.ts";
export * from "./answer/durability/live/index.ts";
export {
  describeEvidence,
  estimateModelRate,
  estimatePublishedRate,
  type ModelEvidence,
  modelInputs,
  type PublishedCounts,
  rateInWords,
} from "./answer/durability/model-rate.ts";
export {
  describePodQuarantine,
  describeStashQuarantine,
  type StashSupply,
} from "./answer/durability/quarantine.ts";
export { describeRebuildRate } from "./answer/durability/running-vault.ts";
export type { SchemeDurability } from "./answer/durability/schemes.ts";
export {
  causeShareInWords,
  changeInWords,
  ninesInWords,
  ninesWithInterval,
} from "./answer/durability/sentence.ts";
export type {
  CauseOfLoss,
  Durability,
  DurabilityAnswer,
  Nines,
  NinesChange,
} from "./answer/durability/types.ts";
export { explainPlan, type StashAnswer } from "./answer/explain.ts";
export { describeOutgrown, type GrowthPoint } from "./answer/growth.ts";
export type { NetworkVerdict, PortUse } from "./answer/network.ts";
export type { DriveRisk, NotSurvived } from "./answer/not-survived.ts";
export type { Pool } from "./answer/pool.ts";
export type { PoolOption } from "./answer/pools.ts";
export type { Sensitivity, Variation } from "./answer/sensitivity.ts";
export { describeSmallLoad } from "./answer/small-load.ts";
export type { Stability } from "./answer/stability.ts";
export type { PoolVerdict } from "./answer/verdict.ts";
export {
  counted,
  formatChance,
  formatDrawnShare,
  formatDrives,
  formatFigure,
  formatOutage,
  formatPlanBytes,
  formatPlanSeconds,
  formatShare,
  formatTimes,
  formatUsd,
} from "./format-figures.ts";
export type { Bar } from "./monte-carlo/bars.ts";
export {
  AROUND_SHARE_DEFAULT,
  AROUND_SHARE_MAX,
  type CheckedRanges,
  checkRanges,
  type RangeShape,
  rangeAround,
  rangeShapes,
  type UncertainRange,
} from "./monte-carlo/ranges.ts";
export * from "./monte-carlo/run.ts";
export { littlesLaw } from "./queue/littles-law.ts";
export { md1WaitSeconds } from "./queue/md1.ts";
export { defaultPlanInput } from "./sizing/defaults.ts";
export { type PlanField, planFields } from "./sizing/fields.ts";
export { type CheckedInput, checkStashPlanInput, type InputProblem } from "./sizing/input.ts";
export type { DriveInput, ObjectClass, PoolInput, StashPlanInput } from "./sizing/plan-types.ts";
export {
  type ConstraintName,
  constraintNames,
  planStash,
  type StashLoad,
  type StashPlan,
} from "./sizing/required-drives.ts";
export { type Bounds, type PlanGroup, planGroups } from "./sizing/table.ts";
export { type PlanVariable, planVariables } from "./sizing/variables.ts";
