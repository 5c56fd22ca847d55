/**
 * Finds the times in which nodes reported. A histogram has no point in a window without a value, and a counter that
 * never moved has no series, so their charts also query the agent's heartbeat, which the same nodes report in every
 * window. Charts of gauges do not, because a gauge may be unknown to a node that reports.
 */
import {
  type MetricDefinition,
  type MetricName,
  metricCatalogue,
  type Tier,
} from "@stashlight/contracts/metrics";
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { ChartRange } from "@stashlight/ui/chart";
import type { MetricSelection } from "./use-metrics.ts";

/** Metrics of coordinators only; they count requests, which may not come. */
const ofCoordinators: ReadonlySet<MetricName> = new Set<MetricName>([
  "stashlight_uploads_total",
  "stashlight_upload_bytes_total",
  "stashlight_upload_seconds",
  "stashlight_upload_edge_seconds",
  "stashlight_upload_quorum_seconds",
  "stashlight_fallbacks_total",
  "stashlight_requests_total",
  "stashlight_requests_shed_total",
  "stashlight_request_seconds",
  "stashlight_admission_wait_seconds",
  "stashlight_quorum_wait_seconds",
  "stashlight_shard_ack_seconds",
  "stashlight_pod_quorum_seconds",
  "stashlight_pod_ack_seconds",
  "stashlight_stash_ack_seconds",
  "stashlight_encode_seconds",
]);

const agentTier: Readonly<Record<Tier, Tier>> = {
  pod: "pod",
  stash: "stash",
  coordinator: "coordinator",
  host: "host",
  hdd: "host",
  ssd: "host",
};

/** Tiers of the agents that report the metric; null if any agent may. */
function reportingTiers({ metric, where }: Pick<MetricSelection, "metric" | "where">): Tier[] | null {
  const { labels }: MetricDefinition = metricCatalogue[metric];
  if (ofCoordinators.has(metric)) return ["coordinator"];
  if (labels.includes("stash")) return ["stash"];
  if (labels.includes("pod")) return ["pod"];
  const tiers = where?.tier?.map((tier) => agentTier[tier as Tier]);
  return tiers === undefined ? null : [...new Set(tiers)];
}

/** Heartbeat query for the nodes behind a selection; null for gauges. */
export function heartbeatSelection(selection: MetricSelection): MetricSelection | null {
  const { metric, where: { node, vault } = {}, nodeIds } = selection;
  if (metricCatalogue[metric].kind === "gauge") return null;
  const tier = reportingTiers(selection);
  return {
    metric: "stashlight_agent_info",
    across: "max",
    where: { ...(tier && { tier }), ...(node && { node }), ...(vault && { vault }) },
    ...(nodeIds === undefined ? {} : { nodeIds }),
  };
}

/** Heartbeats of several selections, without duplicates. */
export const heartbeatSelections = (selections: readonly MetricSelection[]): MetricSelection[] => [
  ...new Map(
    selections
      .flatMap((selection) => heartbeatSelection(selection) ?? [])
      .map((selection) => [JSON.stringify(selection), selection]),
  ).values(),
];

/** Periods that heartbeats cover, with neighbours merged. */
export function reportedSpans(heartbeats: readonly MetricAnswer[]): ChartRange[] {
  const windows = heartbeats
    .flatMap(({ series, stepMs }) =>
      series.flatMap(({ endMs }) => endMs.map((toMs) => ({ fromMs: toMs - stepMs, toMs }))),
    )
    .sort((a, b) => a.fromMs - b.fromMs);
  const spans: { fromMs: number; toMs: number }[] = [];
  for (const { fromMs, toMs } of windows) {
    const last = spans.at(-1);
    if (last !== undefined && fromMs <= last.toMs) last.toMs = Math.max(last.toMs, toMs);
    else spans.push({ fromMs, toMs });
  }
  return spans;
}
