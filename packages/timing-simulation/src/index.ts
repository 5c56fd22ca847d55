export {
  combineSlowness,
  type DelayCorrelation,
  drawFactors,
  drawRank,
  type Factors,
  normalShareBelow,
  type ShardSet,
} from "./delay-correlation.ts";
export { valueAt } from "./drives.ts";
export type {
  Arrivals,
  ProcessorTime,
  Quantile,
  ScenarioDrive,
  ScenarioFault,
  ScenarioOptions,
  StashStalls,
} from "./options.ts";
export { estimateEventCount } from "./plan.ts";
export { type ScenarioProgress, simulateScenario } from "./simulate.ts";
