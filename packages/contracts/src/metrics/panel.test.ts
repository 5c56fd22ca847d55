import { expect, test } from "vitest";
import { metricCatalogue } from "./catalogue.ts";
import { changedPanel, panelStatistics, readPanel, usualPanel } from "./panel.ts";

const fsync = { metric: "stashlight_fsync_seconds", where: {}, splitBy: null, statistic: "p99" };

test("the usual chart of every metric in the catalogue can be read back", () => {
  const names = Object.keys(metricCatalogue) as (keyof typeof metricCatalogue)[];
  expect(names.length).toBeGreaterThan(100);
  for (const metric of names) {
    const panel = usualPanel(metric);
    expect(readPanel({ ...panel, where: {} })).toEqual({ panel });
  }
});

test.each([
  [
    "a metric that is not in the catalogue",
    { ...fsync, metric: "stashlight_fsync_ms" },
    /^The catalogue has no metric “stashlight_fsync_ms”; choose one of its \d+\. The nearest are stashlight_fsync_seconds/,
  ],
  ["a name unlike any metric", { ...fsync, metric: "x" }, /Names look like stashlight_fsync_seconds\.$/],
  [
    "a label that the metric lacks",
    { ...fsync, where: { pod: ["p0"] } },
    /^stashlight_fsync_seconds has no label “pod”\. It has vault, node, tier, device and modelled\.$/,
  ],
  ["a split by a label that the metric lacks", { ...fsync, splitBy: "pod" }, /has no label “pod”/],
  [
    "a statistic of another kind",
    { ...fsync, metric: "stashlight_uploads_total" },
    /^stashlight_uploads_total has no statistic “p99”\. It has rate and increase\.$/,
  ],
  [
    "percentiles of several lines",
    { ...fsync, splitBy: "tier", statistic: "percentiles" },
    /^stashlight_fsync_seconds, split by tier, has no statistic “percentiles”\. It has p99, p50/,
  ],
])("%s is refused in a sentence that lists the choices", (_, words, sentence) => {
  expect(readPanel(words)).toMatchObject({ problem: expect.stringMatching(sentence) });
});

test("a refused panel keeps the metric and everything that fits", () => {
  const words = { ...fsync, where: { tier: ["stash"] }, splitBy: "device", statistic: "percentiles" };
  expect(readPanel(words)).toMatchObject({ nearest: { ...words, statistic: "p99" } });
  expect(readPanel({ ...fsync, where: { pod: ["p0"] }, statistic: "p90" })).toMatchObject({
    nearest: { metric: fsync.metric, where: {}, statistic: "p90" },
  });
  expect(readPanel({ ...fsync, metric: "fsync" })).toMatchObject({ nearest: null });
});

test("gauges of bytes have a sum; gauges of seconds and states have none", () => {
  expect(panelStatistics("stashlight_stash_used_bytes", false)).toContain("sum");
  expect(panelStatistics("stashlight_stash_oldest_unpurged_seconds", false)).not.toContain("sum");
  expect(panelStatistics("stashlight_drive_running", false)).toEqual(["mean", "min", "max"]);
});

test("a change resets the parts that do not fit the metric and keeps the rest", () => {
  const panel = changedPanel(usualPanel("stashlight_fsync_seconds"), {
    where: { tier: ["stash"], node: ["stash-1"], device: [] },
    splitBy: "device",
  });
  expect(panel).toEqual({
    metric: "stashlight_fsync_seconds",
    where: { tier: ["stash"], node: ["stash-1"] },
    splitBy: "device",
    statistic: "p99",
  });
  expect(changedPanel(panel, { metric: "stashlight_uploads_total" })).toEqual({
    metric: "stashlight_uploads_total",
    where: { node: ["stash-1"] },
    splitBy: null,
    statistic: "rate",
  });
  expect(changedPanel(panel, { splitBy: null }).statistic).toBe("p99");
});
