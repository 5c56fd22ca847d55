export {
  type CheckedInput,
  checkStashPlanInput,
  type DriveInput,
  type InputProblem,
  type ObjectClass,
  type PoolInput,
  type StashPlanInput,
} from "./sizing/input.ts";
export {
  type ConstraintName,
  constraintNames,
  planStash,
  type StashLoad,
  type StashPlan,
} from "./sizing/plan.ts";
