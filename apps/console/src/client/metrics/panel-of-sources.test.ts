import { readPanel } from "@stashlight/contracts/metrics";
import { expect, test } from "vitest";
import { panelOfBars, panelOfHeatmap, panelOfLines } from "./panel-of-sources.ts";
import type { LineSpec } from "./to-chart.ts";
import type { LinesSource } from "./use-wide-windows.ts";

const line = (column: LineSpec["column"]): LineSpec => ({ column, label: column, tone: "stash" });
const lag: LinesSource = {
  metric: "stashlight_purge_lag_seconds",
  lines: [line("p50"), line("p90"), line("p99"), line("max")],
};
const oldest = "stashlight_stash_oldest_unpurged_seconds";
const used = "stashlight_stash_used_bytes";

test.each([
  ["percentiles", lag, "percentiles"],
  ["one percentile", { ...lag, lines: [line("p99")] }, "p99"],
  ["the maximum of a gauge", { metric: oldest, across: "max", lines: [line("max")] }, "max"],
  ["a sum of a gauge", { metric: used, lines: [line("avg")] }, "sum"],
  ["a mean of a gauge", { metric: used, across: "avg", lines: [line("avg")] }, "mean"],
] as const)("a metric panel can draw %s", (_, source, statistic) => {
  const panel = panelOfLines([source]);
  expect(panel).toEqual({ metric: source.metric, where: {}, splitBy: null, statistic });
  expect(panel && readPanel({ ...panel, where: {} })).toEqual({ panel });
});

test("charts of selected nodes, several queries or custom lines have no panel", () => {
  expect(panelOfLines([{ ...lag, nodeIds: ["00000000-0000-4000-8000-000000000000"] }])).toBeNull();
  expect(panelOfLines([lag, lag])).toBeNull();
  expect(panelOfLines([{ ...lag, lines: () => [] }])).toBeNull();
  expect(panelOfLines([{ ...lag, groupBy: ["node", "device"] }])).toBeNull();
  expect(panelOfLines([{ metric: used, across: "max", lines: [line("avg")] }])).toBeNull();
  expect(panelOfBars([])).toBeNull();
});

test("bars are increases and a heatmap is a distribution", () => {
  const uploads = { metric: "stashlight_uploads_total", groupBy: ["path"] } as const;
  expect(panelOfBars([{ ...uploads, groupBy: ["path"] }])).toMatchObject({
    splitBy: "path",
    statistic: "increase",
  });
  const where = { tier: ["stash"] };
  expect(panelOfHeatmap({ metric: "stashlight_fsync_seconds", where })).toMatchObject({
    where,
    statistic: "distribution",
  });
});
