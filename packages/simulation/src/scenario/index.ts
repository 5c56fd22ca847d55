export { highestRate, uploadCountBetween } from "./arrivals.ts";
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
