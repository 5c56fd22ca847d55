import { type MetricPanel, usualPanel } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { expect, test } from "vitest";
import {
  groupName,
  groupPanel,
  highestSeries,
  panelFileName,
  panelLines,
  panelQuantity,
  panelSelection,
  panelSubject,
  panelTitle,
  panelTone,
} from "./panel-chart.ts";
import { gaugeAnswer } from "./testing.ts";
import { chartLines } from "./to-chart.ts";

const fsync: MetricPanel = {
  ...usualPanel("stashlight_fsync_seconds"),
  where: { tier: ["stash"] },
  splitBy: "device",
  statistic: "p99",
};

test("drives with one name on several nodes are separate lines, named with their node", () => {
  expect(panelSelection(fsync)).toEqual({
    metric: "stashlight_fsync_seconds",
    where: { tier: ["stash"] },
    groupBy: ["vault", "node", "device"],
  });
  const labels = { vault: "east", node: "stash-1", device: "s3" };
  expect(groupName(fsync, labels, false)).toBe("stash-1/s3");
  expect(groupName(fsync, labels, true)).toBe("east/stash-1/s3");
  expect(groupName({ ...fsync, splitBy: "modelled" }, {}, false)).toBe("no modelled");
});

test("a gauge's statistic also combines its series", () => {
  const used = usualPanel("stashlight_stash_used_bytes");
  expect(panelSelection({ ...used, statistic: "sum" })).toMatchObject({ across: "sum" });
  expect(panelSelection({ ...used, statistic: "mean" })).toMatchObject({ across: "avg" });
  expect(panelSelection(usualPanel("stashlight_uploads_total"))).not.toHaveProperty("across");
});

test("a rate is per second, in the resulting unit", () => {
  const uploads = usualPanel("stashlight_uploads_total");
  const answer: MetricAnswer = {
    ...gaugeAnswer("stashlight_uploads_total", []),
    kind: "counter",
    series: [{ labels: {}, endMs: [10_000, 20_000], columns: { kind: "counter", increase: [50, 5] } }],
  };
  const [line] = chartLines(answer, panelLines(uploads, false));
  expect(line).toMatchObject({ label: "per second", values: [5, 0.5] });
  expect(panelQuantity(uploads)).toBe("per-second");
  expect(panelQuantity(usualPanel("stashlight_upload_bytes_total"))).toBe("bytes-per-second");
  expect(panelQuantity(usualPanel("stashlight_agent_cpu_seconds_total"))).toBe("ratio");
  expect(panelQuantity(fsync)).toBeUndefined();
});

test("a histogram's mean is over its samples, not over windows", () => {
  const columns: MetricSeries["columns"] = {
    kind: "histogram",
    n: [4, 1],
    sum: [2, 3],
    min: [0, 3],
    max: [1, 3],
    p50: [null, null],
    p90: [null, null],
    p99: [null, null],
    p999: [null, null],
  };
  const answer: MetricAnswer = {
    ...gaugeAnswer("stashlight_fsync_seconds", []),
    kind: "histogram",
    series: [{ labels: {}, endMs: [10_000, 20_000], columns }],
  };
  const lines = chartLines(answer, panelLines({ ...fsync, splitBy: null, statistic: "mean" }, false));
  expect(lines).toMatchObject([{ label: "mean", values: [0.5, 3], n: [4, 1] }]);
});

test("the six highest of many lines have a colour, in the order of names, and the others are grey", () => {
  const panel: MetricPanel = { ...usualPanel("stashlight_agent_resident_bytes"), splitBy: "node" };
  const answer = gaugeAnswer(
    "stashlight_agent_resident_bytes",
    [1, 90, 80, 2, 70, 60, 50, 40].map((bytes, i) => [{ node: `n${i}` }, bytes]),
  );
  const tones = chartLines(answer, panelLines(panel, false)).map(({ label, tone }) => `${label} ${tone}`);
  expect(tones).toEqual([
    ...["n0 unknown", "n1 series-1", "n2 series-2", "n3 unknown"],
    ...["n4 series-3", "n5 series-4", "n6 series-5", "n7 series-6"],
  ]);
});

test("a single group is queried by the labels that distinguish it", () => {
  const labels = { vault: "east", node: "stash-1", device: "s3" };
  expect(groupPanel(fsync, labels)).toEqual({
    metric: "stashlight_fsync_seconds",
    where: { vault: ["east"], node: ["stash-1"], tier: ["stash"], device: ["s3"] },
    splitBy: null,
    statistic: "p99",
  });
  expect(groupPanel({ ...fsync, splitBy: null }, labels)).toEqual({ ...fsync, splitBy: null });
});

test("the highest series are listed first, by their mean over the range", () => {
  const panel: MetricPanel = { ...usualPanel("stashlight_agent_resident_bytes"), splitBy: "node" };
  const { series } = gaugeAnswer("stashlight_agent_resident_bytes", [
    [{ node: "a" }, 5],
    [{ node: "b" }, 9],
    [{ node: "c" }, 7],
  ]);
  expect(highestSeries(panel, series, 2).map(({ labels }) => labels.node)).toEqual(["b", "c"]);
});

test("SSDs are blue and HDDs amber, by the condition, by the split and by the metric", () => {
  expect(panelTone(fsync)).toBe("stash");
  expect(panelTone({ ...fsync, where: { tier: ["pod", "hdd"] } })).toBe("pod");
  expect(panelTone({ ...fsync, where: { tier: ["pod", "ssd"] } })).toBe("series-1");
  expect(panelTone(usualPanel("stashlight_flush_backlog_bytes"))).toBe("pod");
  const byTier = panelLines({ ...fsync, where: {}, splitBy: "tier" }, false);
  const answer = gaugeAnswer("stashlight_fsync_seconds", [
    [{ tier: "pod" }, 1],
    [{ tier: "stash" }, 1],
  ]);
  expect(chartLines(answer, byTier).map(({ tone }) => tone)).toEqual(["pod", "stash"]);
});

test("a panel has a title, a subtitle and a file name", () => {
  expect(panelTitle(fsync)).toBe("Fsync, p99 by device");
  expect(panelTitle(usualPanel("stashlight_uploads_total"))).toBe("Uploads, per second");
  expect(panelSubject({ ...fsync, where: { tier: ["stash"], device: ["a", "b", "c", "d"] } })).toBe(
    "stashlight_fsync_seconds; tier: stash; device: a, b, c and 1 more",
  );
  expect(panelFileName(fsync)).toBe("fsync-p99-by-device");
});
