import type { FiringAlert } from "@stashlight/contracts/alert";
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import type { VaultForecast } from "../../../client/forecasts.ts";
import { gaugeColumns, metricAnswer } from "../../../client/metrics/testing.ts";
import { firingAlert } from "../../../client/testing/firing-alert.ts";
import { conditionSelections, readCondition, worseFirst } from "./vault-condition.ts";

const endMs = Array.from({ length: 10 }, (_, i) => (i + 1) * 10_000);
const series = (vault: string, values: readonly number[], path?: string): MetricSeries => ({
  labels: { vault, ...(path === undefined ? {} : { path }) },
  endMs,
  columns: gaugeColumns(values),
});
const level = (value: number) => endMs.map(() => value);

const answers = (given: Partial<Record<MetricName, MetricSeries[]>>): MetricAnswer[] =>
  conditionSelections.map(({ metric }) => metricAnswer(metric, given[metric] ?? [], { newestMs: 100_000 }));

const measured = answers({
  stashlight_pod_live_bytes: [series("east", level(40)), series("west", level(85))],
  stashlight_vault_taken_bytes: [series("east", level(40)), series("west", level(85))],
  stashlight_vault_capacity_bytes: [series("east", level(100)), series("west", level(100))],
  stashlight_stash_used_bytes: [series("east", level(80)), series("west", level(10))],
  stashlight_stash_live_bytes: [series("east", level(50)), series("west", level(10))],
  stashlight_stash_dead_bytes: [series("east", level(20)), series("west", level(0))],
  stashlight_stash_capacity_bytes: [series("east", level(100)), series("west", level(100))],
  stashlight_upload_seconds: [
    {
      ...series("east", [], "stash"),
      summary: (() => {
        const newest = { fromMs: 0, toMs: 100_000, n: 5_000, max: 1, p50: 0.001, p90: 0.002, p99: 0.008 };
        return { whole: newest, newest };
      })(),
    },
  ],
});

/** Forecasts: east's stash is full within the hour, and west does not grow. */
const forecasts: VaultForecast[] = [
  { vault: "east", store: "pods", forecast: { kind: "none", reason: { kind: "no-growth", spanMs: 1e9 } } },
  {
    vault: "east",
    store: "stash",
    forecast: {
      kind: "filling",
      spanMs: 900_000,
      sampleCount: 16,
      fullInMs: { value: 1_500_000, low: 1_200_000, high: 1_800_000 },
      growthPerDay: { value: 100, low: 90, high: 110 },
    },
  },
  { vault: "west", store: "pods", forecast: { kind: "none", reason: { kind: "no-growth", spanMs: 1e9 } } },
];

const alert = (part: Partial<FiringAlert>): FiringAlert =>
  firingAlert({
    ruleId: "r1",
    ruleName: "Slow",
    group: "g",
    incidentSummary: "Slow",
    vault: "west",
    summary: "Slow.",
    path: "/alerts",
    ...part,
  });

test("a vault shows its fill, its time to full, its upload tail and its firing alerts", () => {
  const firing = [
    alert({}),
    alert({ group: "h" }),
    alert({ ruleId: "r2", severity: "critical" }),
    alert({ ruleId: "r3", inhibitedBy: { ruleId: "r2", ruleName: "Down", reason: "Node is down." } }),
    alert({ ruleId: "r4", status: "pending" }),
    alert({ ruleId: "r5", vault: "north" }),
  ];
  const east = readCondition("east", measured, forecasts, firing);
  expect(east).toMatchObject({
    fill: { value: 0.4, status: "good" },
    stashFill: { value: 0.5, status: "warning" },
    timeToFull: { of: "stash", status: "bad", forecast: { kind: "filling" } },
    upload: { seconds: 0.008, n: 5_000 },
    problems: { count: 0, worst: "good" },
  });
  // The alerts of one rule have one cause; inhibited and pending alerts are not counted.
  expect(readCondition("west", measured, forecasts, firing)).toMatchObject({
    fill: { value: 0.85, status: "warning" },
    timeToFull: { forecast: { reason: { kind: "no-growth" } } },
    upload: null,
    problems: { count: 2, worst: "bad" },
  });
});

test("a row names the alert that makes its fill worse than the value", () => {
  const full = alert({
    vault: "east",
    severity: "critical",
    watched: { metric: "stashlight_vault_taken_bytes", isForecast: false, where: {} },
    incidentEnd: "ends in 2 min",
  });
  expect(readCondition("east", measured, forecasts, [full]).fill).toEqual({
    value: 0.4,
    status: "bad",
    why: "alert ends in 2 min",
  });
});

test("a row is dated by its newest window, as tiles are, and not by the later end of that window's point", () => {
  const reported = measured.map((answer) => ({ ...answer, newestMs: 93_000 }));
  expect(readCondition("east", reported, forecasts, []).measured.atMs).toBe(93_000);
  expect(readCondition("north", reported, forecasts, []).measured.atMs).toBeNull();
});

test("a vault that reports nothing has neither figures nor problems", () => {
  expect(readCondition("north", measured, forecasts, [])).toMatchObject({
    fill: { value: null, status: "unknown" },
    stashFill: { value: null, status: "unknown" },
    timeToFull: { forecast: { reason: { kind: "no-history" } } },
    problems: { count: 0, worst: "good" },
  });
});

test("vaults are ordered by worst alert, number of alerts, time to full and name", () => {
  const row = (vault: string, firing: readonly FiringAlert[], of = vault) => ({
    vault,
    condition: readCondition(of, measured, forecasts, firing),
  });
  const rows = [
    row("quiet-b", [], "none"),
    row("quiet-a", [], "none"),
    row("filling", [], "east"),
    row("two-warnings", [alert({}), alert({ ruleId: "r2" })], "west"),
    row("one-warning", [alert({})], "west"),
    row("critical", [alert({ severity: "critical" })], "west"),
  ];
  expect(rows.sort(worseFirst).map(({ vault }) => vault)).toEqual([
    ...["critical", "two-warnings", "one-warning", "filling", "quiet-a", "quiet-b"],
  ]);
});
