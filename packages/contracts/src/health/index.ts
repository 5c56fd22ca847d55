export * from "./coordinator-space.ts";
export {
  type HealthCheck,
  type HealthState,
  headlineFigures,
  processStaleSeconds,
  type SystemHealth,
} from "./health.ts";
export type { Outgrown, OutgrownFigure, StoreProfile } from "./outgrown.ts";
export * from "./supervised-parts.ts";
