export {
  type Alike,
  type Factors,
  factorsOf,
  normalShareBelow,
  rankOf,
  type ShardSet,
  slownessOf,
} from "./alike.ts";
export { highestRate, uploadCountBetween } from "./arrivals.ts";
export { valueAt } from "./drives.ts";
export type {
  Arrivals,
  ProcessorTime,
  Quantile,
  ScenarioDrive,
  ScenarioFault,
  ScenarioOptions,
} from "./options.ts";
export { estimateEventCount } from "./plan.ts";
export type * from "./result.ts";
export { ScenarioCancelled } from "./segment.ts";
export { type ScenarioProgress, simulateScenario } from "./simulate.ts";
