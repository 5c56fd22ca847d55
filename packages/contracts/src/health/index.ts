export {
  type CoordinatorSpace,
  coordinatorSpaceSchema,
  fillOfCoordinators,
  parseCoordinatorSpace,
} from "./coordinator-space.ts";
export {
  type HealthCheck,
  type HealthState,
  headlineFigures,
  processStaleSeconds,
  type SystemHealth,
} from "./health.ts";
export type { Outgrown, OutgrownFigure, StoreProfile } from "./outgrown.ts";
export {
  type PartState,
  type PartsState,
  parseParts,
  partsFileName,
  workerPartName,
} from "./supervised-parts.ts";
