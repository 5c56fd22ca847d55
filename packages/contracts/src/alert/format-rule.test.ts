import { expect, test } from "vitest";
import { formatMetricValue } from "../metrics/format-value.ts";
import { formatBeyond, formatGroups, formatRule } from "./format-rule.ts";
import type { AlertCondition, AlertQuery } from "./rule.ts";

test.each([
  ["seconds", 0.0125, "12.5 ms"],
  ["seconds", 0, "0 s"],
  ["seconds", 5400, "1.5 h"],
  ["bytes", 3.1e9, "3.1 GB"],
  ["share", 0.754, "75.4 %"],
  ["ratio", 1, "100 %"],
  ["shards", 3, "3 shards"],
  ["count", 12_345, "12,300"],
] as const)("the value of %s %d is formatted as %s", (unit, value, said) => {
  expect(formatMetricValue(unit, value)).toBe(said);
});

const window = { windowSeconds: 60 };
test.each<[AlertQuery["metric"], AlertCondition, string]>([
  [
    "stashlight_stash_used_bytes",
    {
      kind: "threshold",
      statistic: "last",
      shareOf: "stashlight_stash_capacity_bytes",
      comparison: "above",
      threshold: 0.75,
      ...window,
    },
    "above 75 % for 5 min",
  ],
  [
    "stashlight_fsync_seconds",
    {
      kind: "percentile",
      percentile: "p999",
      comparison: "above",
      threshold: 0.05,
      sampleCountMin: 1,
      ...window,
    },
    "p99.9 above 50 ms for 5 min",
  ],
  [
    "stashlight_fsync_seconds",
    {
      kind: "percentile",
      percentile: "p99",
      comparison: "above",
      threshold: 0.05,
      sampleCountMin: 20,
      windowSeconds: 300,
    },
    "p99 above 50 ms for 5 min, judged from 20 samples in 5 min",
  ],
  [
    "stashlight_durable_missing_shards",
    { kind: "threshold", statistic: "max", comparison: "above", threshold: 0, ...window },
    "any value above 0 shards for 5 min",
  ],
  [
    "stashlight_durable_margin_shards",
    { kind: "threshold", statistic: "min", comparison: "above", threshold: 2, ...window },
    "every value above 2 shards for 5 min",
  ],
  [
    "stashlight_shard_written_bytes_total",
    { kind: "peers", threshold: 7 },
    "more than 7 slow hours of the last 48 for 5 min",
  ],
  [
    "stashlight_fallbacks_total",
    { kind: "rate", comparison: "above", threshold: 2, ...window },
    "rate above 2 per second for 5 min",
  ],
  ["stashlight_agent_resident_bytes", { kind: "absence", minutes: 2 }, "no value for 2 min for 5 min"],
  [
    "stashlight_stash_used_bytes",
    {
      kind: "time-to-full",
      capacityMetric: "stashlight_stash_capacity_bytes",
      thresholdSeconds: 3600,
    },
    "full in less than 1 h for 5 min",
  ],
])("a rule on %s is described in words", (metric, condition, said) => {
  const query: AlertQuery = { metric, where: {}, groupBy: [], across: "sum" };
  expect(formatRule({ query, condition, forSeconds: 300 })).toBe(said);
});

test.each([
  [["node", "device", "operation"], 21, "21 drives"],
  [["node", "filesystem"], 1, "1 file system"],
  [["node"], 2, "2 nodes"],
  [["vault"], 3, "3 groups"],
] as const)("groups by %j are counted as %d: %s", (labels, count, said) => {
  expect(formatGroups(labels, count)).toBe(said);
});

const slowSyncs = {
  query: { metric: "stashlight_fsync_seconds" as const },
  condition: {
    kind: "percentile" as const,
    percentile: "p99" as const,
    comparison: "above" as const,
    threshold: 0.05,
    sampleCountMin: 20,
    windowSeconds: 300,
  },
};

test.each([
  ["p99", 12_480, "p99 69.6 ms, n 12,480, above 50 ms"],
  ["p90", 640, "p90 69.6 ms, n 640, too few samples for p99, above 50 ms"],
] as const)("a value of %s from %d samples is described with both", (statistic, sampleCount, said) => {
  const evidence = { statistic, sampleCount };
  expect(formatBeyond(slowSyncs, 0.0696, evidence)).toBe(said);
});

const learned = { ...slowSyncs, condition: { ...slowSyncs.condition, usual: { times: 3, atLeast: 0.005 } } };

test.each([
  [
    "where the learned limit is the lower one",
    { usual: 0.0098, limit: 0.0294 },
    "above 3 times its usual 9.8 ms",
  ],
  ["where the threshold is", { usual: 0.04 }, "above 50 ms, its usual value is 40 ms"],
  ["without history", {}, "above 50 ms"],
])("a rule that learns names its limit %s", (_where, evidence, said) => {
  const measured = { statistic: "p99" as const, sampleCount: 1_000, ...evidence };
  expect(formatBeyond(learned, 0.06, measured)).toBe(`p99 60 ms, n 1,000, ${said}`);
  expect(formatRule({ ...learned, forSeconds: 0 })).toMatch(/^p99 above 50 ms or 3 times its usual, judged/);
});

test("the highest value of a window is shown with the window, as it may be over", () => {
  const query: AlertQuery = {
    metric: "stashlight_durable_missing_shards",
    where: {},
    groupBy: [],
    across: "max",
  };
  const condition = {
    kind: "threshold",
    statistic: "max",
    comparison: "above",
    threshold: 0,
    ...window,
  } as const;
  expect(formatBeyond({ query, condition }, 9, null)).toBe("9 shards, above 0 shards within 1 min");
  const everyValue = { ...condition, statistic: "min" } as const;
  expect(formatBeyond({ query, condition: everyValue }, 9, null)).not.toContain("within");
});
