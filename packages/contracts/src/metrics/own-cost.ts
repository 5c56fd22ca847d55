import type { DescribedMetrics } from "./definition.ts";

/** Cost of the agent itself, including its monitoring. */
export const ownCost = {
  stashlight_agent_info: {
    help: "Always 1; its labels name the running tier and version.",
    labels: ["tier", "version"],
  },
  stashlight_agent_cpu_seconds_total: { help: "Processor time of the agent, in user and system mode." },
  stashlight_agent_resident_bytes: { help: "Resident memory of the agent." },
  stashlight_agent_event_loop_delay_seconds: {
    help: "99th percentile of the event loop's delay since the last reading.",
  },
  stashlight_agent_spool_bytes: { help: "Bytes of batches that wait on disk for delivery." },
  stashlight_agent_batches_dropped_total: {
    help: "Batches that were dropped, each recorded as a gap.",
    labels: ["reason"],
  },
  stashlight_agent_batches_replayed_total: { help: "Batches delivered from the spool." },
  stashlight_agent_traces_dropped_total: {
    help: "Sampled uploads that were dropped instead of being delivered.",
    labels: ["reason"],
  },
  stashlight_agent_refused_values_total: {
    help: "Impossible values that were not recorded: negative, infinite or not a number.",
    labels: ["metric"],
  },
} as const satisfies DescribedMetrics;
