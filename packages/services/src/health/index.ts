export { readOutgrown } from "./outgrown/read.ts";
export { readHealth } from "./read.ts";
export { readTelemetryHealth } from "./telemetry.ts";
