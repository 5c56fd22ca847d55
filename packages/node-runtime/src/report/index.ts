/** The part of an agent that measures and reports, without drives and transport. */
export { createNodeRecorder, metricsOf } from "../metrics/node-metrics.ts";
export { type ReportingOptions, startReporting } from "./start-reporting.ts";
