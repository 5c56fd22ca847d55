import type { MetricAnswer, MetricColumns } from "@stashlight/contracts/metrics/query";
import type { NodeDelivery, TelemetryHealth } from "@stashlight/contracts/node";
import { expect, test } from "vitest";
import { gaugeColumns, metricAnswer } from "../../../client/metrics/testing.ts";
import { nodeLag, summarise, withinVaults } from "./lag.ts";
import { agentCosts } from "./own-cost.ts";

const NOW_MS = 10_000_000;

const makeNode = (part: Partial<NodeDelivery>): NodeDelivery => ({
  id: "id",
  name: "pod-1",
  vault: "main",
  role: "pod",
  status: "active",
  isSimulated: false,
  newestAt: new Date(NOW_MS - 12_000),
  windowMs: 10_000,
  lastSeenAt: null,
  silentSeconds: null,
  spoolBytes: 0,
  skewMs: 0,
  refusedCount: 0,
  ...part,
});
const behind = (ms: number) => ({ newestAt: new Date(NOW_MS - ms) });

test.each([
  ["sends on time", behind(12_000), "good", "live"],
  ["lost three windows", behind(40_000), "warning", "late"],
  ["measures every half minute", { ...behind(80_000), windowMs: 30_000 }, "good", "live"],
  ["is away", behind(700_000), "bad", "silent"],
  ["is silent on other pages", { ...behind(40_000), windowMs: 45_000, silentSeconds: 26 }, "bad", "silent"],
  ["has a clock that is behind", { ...behind(612_000), skewMs: -600_000 }, "warning", "wrong clock"],
  [
    "has a clock so far ahead that nothing is stored",
    { newestAt: null, skewMs: 900_000 },
    "warning",
    "wrong clock",
  ],
  ["has a clock that jumped ahead", { ...behind(20_000), skewMs: 900_000 }, "warning", "wrong clock"],
  ["sent nothing yet", { newestAt: null }, "info", "nothing yet"],
  ["is a probe", { role: "probe", newestAt: null }, "unknown", "sends results only"],
  ["waits for approval", { ...behind(0), status: "pending" }, "unknown", "waits for approval"],
  ["is revoked", { ...behind(700_000), status: "revoked" }, "unknown", "revoked"],
] as const)("the delivery status describes a node that %s", (_, part, status, words) => {
  expect(nodeLag(makeNode(part), NOW_MS)).toMatchObject({ status, words });
});

test("the summary reports the worst of the expected nodes, and ignores revoked ones", () => {
  const nodes = [
    makeNode({ spoolBytes: 5, skewMs: -900, isSimulated: true }),
    makeNode({ ...behind(50_000), spoolBytes: 7, skewMs: 20, refusedCount: 3 }),
    makeNode({ role: "probe", newestAt: null }),
    makeNode({ ...behind(9_000_000), status: "revoked", skewMs: 99_999, spoolBytes: 1_000 }),
  ];
  expect(summarise(nodes, NOW_MS)).toEqual({
    activeCount: 2,
    liveCount: 1,
    simulatedCount: 1,
    lagMsMax: 50_000,
    spoolBytes: 12,
    skewMsMax: 900,
    refusedCount: 3,
  });
  expect(summarise([], NOW_MS)).toMatchObject({ activeCount: 0, lagMsMax: null, skewMsMax: null });
});

test("vaults outside the scope are left out, with the missing and refused data of their nodes", () => {
  const told = (nodeName: string) => ({ nodeName, isSimulated: false, reason: "spool_full" });
  const at = new Date(NOW_MS);
  const health: TelemetryHealth = {
    readAt: at,
    nodes: [makeNode({}), makeNode({ name: "pod-2", vault: "other" })],
    gaps: ["pod-1", "pod-2"].map((name) => ({ ...told(name), startAt: at, endAt: at })),
    refused: ["pod-1", "pod-2"].map((name) => ({ ...told(name), metric: "", count: 1, lastAt: at })),
    ingests: [],
  };
  expect(withinVaults(health, undefined)).toBe(health);
  const { nodes, gaps, refused } = withinVaults(health, ["other"]);
  expect([nodes[0]?.name, gaps[0]?.nodeName, refused[0]?.nodeName]).toEqual(["pod-2", "pod-2", "pod-2"]);
  expect([nodes.length, gaps.length, refused.length]).toEqual([1, 1, 1]);
});

const makeAnswer = (ofNodes: Record<string, MetricColumns>): MetricAnswer =>
  metricAnswer(
    "stashlight_agent_resident_bytes",
    Object.entries(ofNodes).map(([node, columns]) => ({
      labels: { node },
      endMs: [10_000, 20_000],
      columns,
    })),
    { unit: "bytes", newestMs: NOW_MS },
  );
const gauge = (...values: number[]) => gaugeColumns(values);

test("a node's cost is its CPU time over the time measured, and its maximum memory", () => {
  const costs = agentCosts({
    cpu: makeAnswer({
      quiet: { kind: "counter", increase: [0.1, 0.1] },
      busy: { kind: "counter", increase: [5, 1] },
    }),
    resident: makeAnswer({ quiet: gauge(80, 70), untold: gauge(1) }),
    eventLoop: undefined,
  });
  expect(costs).toEqual([
    { node: "busy", cores: 0.3, residentBytes: null, eventLoopSeconds: null },
    { node: "quiet", cores: 0.01, residentBytes: 80, eventLoopSeconds: null },
    { node: "untold", cores: null, residentBytes: 1, eventLoopSeconds: null },
  ]);
});
