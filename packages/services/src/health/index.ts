export { readHealth } from "./health-checks.ts";
export { readOutgrown } from "./outgrown/read-outgrown.ts";
export { readTelemetryHealth } from "./telemetry.ts";
