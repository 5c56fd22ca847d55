export { readHealth } from "./read.ts";
export { readTelemetryHealth } from "./telemetry.ts";
