/** The part of an agent that measures and reports, without drives and transport. */
export { nextBootId } from "../drive/boot-id.ts";
export {
  AGENT_VERSION,
  createAgentRecorder,
  createNodeRecorder,
  metricsPage,
} from "../metrics/node-metrics.ts";
export { openDelivery } from "./open-delivery.ts";
export { Reporter } from "./reporter.ts";
export { type ReportingOptions, startReporting } from "./start-reporting.ts";
