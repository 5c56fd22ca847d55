import type { AlertCondition, AlertQuery, AlertSpan, EvaluatedGroup } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { alertSpans, evaluatedChart } from "./evaluated-chart.ts";

const range = { fromMs: 0, toMs: 600_000 };
const group = (
  device: string,
  spans: AlertSpan[],
  limits: (number | null)[] = [null, null],
): EvaluatedGroup => ({
  group: JSON.stringify([device]),
  labels: { device },
  endMs: [60_000, 120_000],
  values: [0.01, 0.02],
  n: [640, 700],
  limits,
  spans,
});
const query: AlertQuery = {
  metric: "stashlight_fsync_seconds",
  where: {},
  groupBy: ["device"],
  across: "sum",
};
const p99: AlertCondition = {
  kind: "percentile",
  percentile: "p99",
  comparison: "above",
  threshold: 0.05,
  sampleCountMin: 20,
  windowSeconds: 60,
  usual: { times: 3, atLeast: 0.005 },
};

test("a firing group hides pending ones, and an unfinished span reaches the end of the range", () => {
  const spans = alertSpans(
    [
      group("p1", [
        { status: "pending", startMs: 100_000, endMs: 200_000 },
        { status: "firing", startMs: 200_000, endMs: 300_000 },
      ]),
      group("p2", [
        { status: "pending", startMs: 150_000, endMs: 250_000 },
        { status: "firing", startMs: 250_000, endMs: null },
      ]),
    ],
    range,
    60_000,
  );
  expect(spans).toEqual([
    { status: "warning", label: "pending: device p1", startMs: 100_000, endMs: 150_000 },
    { status: "warning", label: "pending: device p1 and 1 more", startMs: 150_000, endMs: 200_000 },
    { status: "bad", label: "firing: device p1", startMs: 200_000, endMs: 250_000 },
    { status: "bad", label: "firing: device p1 and 1 more", startMs: 250_000, endMs: 300_000 },
    { status: "bad", label: "firing: device p2", startMs: 300_000, endMs: 600_000 },
  ]);
});

test("a span that begins at the newest point is drawn across that point", () => {
  const spans = alertSpans(
    [group("p1", [{ status: "firing", startMs: 600_000, endMs: null }])],
    range,
    60_000,
  );
  expect(spans).toEqual([{ status: "bad", label: "firing: device p1", startMs: 540_000, endMs: 600_000 }]);
});

test("a percentile is drawn with n, its threshold and the learned limit", () => {
  const groups = [group("p1", [], [0.03, 0.03])];
  const chart = evaluatedChart({ query, condition: p99 }, { groups, stepMs: 60_000 }, range);
  expect(chart).toMatchObject({ quantity: "seconds", isLatency: true, spans: [] });
  expect(chart.thresholds).toEqual([{ value: 0.05, label: "p99 above 50 ms", tone: "bad" }]);
  expect(chart.lines.map(({ label, values, n }) => [label, values, n])).toEqual([
    ["device p1", [0.01, 0.02], [640, 700]],
    ["learned limit", [0.03, 0.03], undefined],
  ]);
});

test("learned limits are left out for more than two groups", () => {
  const groups = ["p1", "p2", "p3"].map((device) => group(device, [], [0.03, 0.03]));
  const { lines } = evaluatedChart({ query, condition: p99 }, { groups, stepMs: 60_000 }, range);
  expect(lines.map(({ label }) => label)).toEqual(["device p1", "device p2", "device p3"]);
});

test.each<[string, AlertCondition, string, number]>([
  [
    "a share",
    {
      kind: "threshold",
      statistic: "last",
      shareOf: "stashlight_stash_capacity_bytes",
      comparison: "above",
      threshold: 0.75,
      windowSeconds: 60,
    },
    "ratio",
    0.75,
  ],
  [
    "a rate of bytes",
    { kind: "rate", comparison: "above", threshold: 1e6, windowSeconds: 60 },
    "bytes-per-second",
    1e6,
  ],
  [
    "a time to full",
    {
      kind: "time-to-full",
      capacityMetric: "stashlight_stash_capacity_bytes",
      thresholdSeconds: 3_600,
    },
    "seconds",
    3_600,
  ],
])("a chart of %s has its own axis and threshold", (_name, condition, quantity, threshold) => {
  const rule = { query: { ...query, metric: "stashlight_stash_used_bytes" as const }, condition };
  const chart = evaluatedChart(rule, { groups: [group("s1", [])], stepMs: 60_000 }, range);
  expect(chart.quantity).toBe(quantity);
  expect(chart.thresholds.map(({ value }) => value)).toEqual([threshold]);
});
