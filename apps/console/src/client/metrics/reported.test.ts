import { expect, test } from "vitest";
import { heartbeatSelection, heartbeatSelections, reportedSpans } from "./reported.ts";
import { gaugeAnswer } from "./testing.ts";
import type { MetricSelection } from "./use-metrics.ts";

test.each<[string, MetricSelection, string[] | undefined]>([
  ["uploads", { metric: "stashlight_upload_seconds", groupBy: ["path"] }, ["coordinator"]],
  ["purge lag", { metric: "stashlight_purge_lag_seconds" }, ["stash"]],
  ["the flush queue", { metric: "stashlight_flush_queue_seconds" }, ["pod"]],
  ["syncs of HDDs", { metric: "stashlight_fsync_seconds", where: { tier: ["pod", "hdd"] } }, ["pod", "host"]],
  ["syncs of any drive", { metric: "stashlight_fsync_seconds" }, undefined],
])("heartbeats of %s come from the agents that measure it", (_, selection, tier) => {
  expect(heartbeatSelection(selection)?.where?.tier).toEqual(tier);
});

test("a heartbeat covers the nodes and vaults of the chart, and not their drives", () => {
  const where = { tier: ["pod"], device: ["p3"], node: ["pod-1"], vault: ["east"] };
  expect(heartbeatSelection({ metric: "stashlight_fsync_seconds", where, nodeIds: ["a"] })).toEqual({
    metric: "stashlight_agent_info",
    across: "max",
    nodeIds: ["a"],
    where: { tier: ["pod"], node: ["pod-1"], vault: ["east"] },
  });
});

test("a gauge has no heartbeat query, so that its gaps stay visible", () => {
  expect(heartbeatSelection({ metric: "stashlight_durable_margin_shards" })).toBeNull();
});

test("queries with the same heartbeat share one query for it", () => {
  const both = ["stashlight_requests_shed_total", "stashlight_fallbacks_total"] as const;
  expect(heartbeatSelections(both.map((metric) => ({ metric })))).toHaveLength(1);
});

test("adjacent windows are merged into one reported period", () => {
  const at = (...ends: number[]) =>
    gaugeAnswer(
      "stashlight_agent_info",
      ends.map((endMs) => [{}, 1, endMs]),
    );
  expect(reportedSpans([at(10_000, 20_000, 50_000), at(20_000, 30_000)])).toEqual([
    { fromMs: 0, toMs: 30_000 },
    { fromMs: 40_000, toMs: 50_000 },
  ]);
  expect(reportedSpans([])).toEqual([]);
});
