import type { MetricDefinition } from "./definition.ts";

/** Cost of the agent itself, including its monitoring. */
export const ownCost = {
  stashlight_agent_info: {
    kind: "gauge",
    unit: "info",
    help: "Always 1; its labels name the running tier and version.",
    labels: ["tier", "version"],
  },
  stashlight_agent_cpu_seconds_total: {
    kind: "counter",
    unit: "seconds",
    help: "Processor time of the agent, in user and system mode.",
    labels: [],
  },
  stashlight_agent_resident_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Resident memory of the agent.",
    labels: [],
  },
  stashlight_agent_event_loop_delay_seconds: {
    kind: "gauge",
    unit: "seconds",
    help: "99th percentile of the event loop's delay since the last reading.",
    labels: [],
  },
  stashlight_agent_spool_bytes: {
    kind: "gauge",
    unit: "bytes",
    help: "Bytes of batches that wait on disk for delivery.",
    labels: [],
  },
  stashlight_agent_batches_dropped_total: {
    kind: "counter",
    unit: "count",
    help: "Batches that were given up, each recorded as a gap.",
    labels: ["reason"],
  },
  stashlight_agent_batches_replayed_total: {
    kind: "counter",
    unit: "count",
    help: "Batches delivered from the spool.",
    labels: [],
  },
  stashlight_agent_traces_dropped_total: {
    kind: "counter",
    unit: "count",
    help: "Sampled uploads that were given up instead of being delivered.",
    labels: ["reason"],
  },
  stashlight_agent_refused_values_total: {
    kind: "counter",
    unit: "count",
    help: "Impossible values that were not recorded: negative, infinite or not a number.",
    labels: ["metric"],
  },
} as const satisfies Record<string, MetricDefinition>;
