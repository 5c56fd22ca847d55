export { drawOptions, type FaultName, faultNames, type RunOptions } from "./options.ts";
export { type RunObserver, type RunResult, run } from "./run.ts";
export { highestRate, uploadCountBetween } from "./scenario/arrivals.ts";
export type {
  Arrivals,
  ProcessorTime,
  Quantile,
  ScenarioDrive,
  ScenarioFault,
  ScenarioOptions,
} from "./scenario/options.ts";
export { estimateEventCount } from "./scenario/plan.ts";
export type * from "./scenario/result.ts";
export { ScenarioCancelled } from "./scenario/segment.ts";
export { type ScenarioProgress, simulateScenario } from "./scenario/simulate.ts";
