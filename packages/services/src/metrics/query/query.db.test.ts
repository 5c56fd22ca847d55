import assert from "node:assert/strict";
import { type MetricAnswer, metricHeatmapInput, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, expect, test } from "vitest";
import { present } from "../../present.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { queryHeatmap } from "./heatmap.ts";
import { queryMetric } from "./query.ts";

const { installation, viewer } = useFreshInstallation("viewer");
let nowMs: number;
let one: TestNode;
let two: TestNode;

beforeEach(async () => {
  nowMs = Math.floor(installation.clock.now().getTime() / HOUR_MS) * HOUR_MS + HOUR_MS / 2;
  installation.clock.set(new Date(nowMs));
  one = await createTestNode(installation.platform, "stash-1");
  two = await createTestNode(installation.platform, "stash-2", true);
});

const last = (rangeMs: number) => ({ fromMs: nowMs - rangeMs, toMs: nowMs });
const query = (input: object): Promise<MetricAnswer> =>
  queryMetric({ ctx: viewer.ctx, input: metricQueryInput.parse(input) });
const heatmap = (input: object) => queryHeatmap({ ctx: viewer.ctx, input: metricHeatmapInput.parse(input) });

const fsync = "stashlight_fsync_seconds";
const used = "stashlight_stash_used_bytes";
const written = "stashlight_shards_written_total";
const drive = (device: string) => ({ tier: "stash", device });

test("histograms of several devices and nodes become one series per group, with the quantiles that have enough samples", async () => {
  const fast = Array.from({ length: 60 }, (_, i) => 0.001 + i * 1e-6);
  await accept(
    installation.platform,
    one.batch({
      endMs: nowMs,
      histograms: [
        [fsync, drive("s1"), fast],
        [fsync, { ...drive("s2"), modelled: "micron" }, [0.5]],
        [fsync, { tier: "pod", device: "p1" }, [9]],
      ],
    }),
    two.batch({ endMs: nowMs - 10_000, histograms: [[fsync, drive("s1"), fast]] }),
    two.batch({ endMs: nowMs, gauges: [[used, { stash: "stash-2", device: "s1" }, 1]] }),
  );
  const whole = await query({ metric: fsync, ...last(HOUR_MS / 2), where: { tier: ["stash"] } });
  expect(whole).toMatchObject({
    resolution: "raw",
    stepMs: 10_000,
    newestMs: nowMs,
    sourceSeriesCount: 3,
    modelled: ["micron"],
    simulatedSeriesCount: 1,
    unit: "seconds",
    omittedSeriesCount: 0,
  });
  expect(whole.series).toHaveLength(1);
  const [series] = whole.series;
  expect(series?.endMs).toEqual([nowMs - 10_000, nowMs]);
  expect(series?.columns).toMatchObject({
    kind: "histogram",
    n: [60, 61],
    max: [0.001059, 0.5],
    p90: [null, null],
  });
  const columns = series?.columns;
  assert(columns?.kind === "histogram");
  expect(columns.p50[0]).toBeCloseTo(0.00103, 4);
  const byDevice = await query({
    metric: fsync,
    ...last(HOUR_MS),
    groupBy: ["node", "device"],
    where: { tier: ["stash"] },
  });
  expect(byDevice.series[0]).not.toHaveProperty("summary");
  const summed = await query({
    metric: fsync,
    ...last(HOUR_MS),
    where: { tier: ["stash"] },
    summarise: true,
  });
  expect(summed.series[0]?.summary).toMatchObject({
    whole: { n: 121, max: 0.5, p99: null },
    newest: { n: 121, p90: expect.closeTo(0.00105, 4) },
  });
  expect(summed.series[0]).toMatchObject({ endMs: [], columns: { n: [], p50: [] } });
  expect(byDevice.series.map(({ labels }) => labels)).toEqual([
    { node: "stash-1", device: "s1" },
    { node: "stash-1", device: "s2" },
    { node: "stash-2", device: "s1" },
  ]);
  const ofTwo = await query({ metric: fsync, ...last(HOUR_MS), nodeIds: [two.id] });
  expect(ofTwo.series.map(({ columns }) => columns)).toMatchObject([{ n: [60] }]);
});

test("gauges are combined as requested, and wait for a node that has not reported yet", async () => {
  const at = (node: TestNode, endMs: number, value: number) =>
    node.batch({ endMs, gauges: [[used, { stash: node.name, device: "s1" }, value]] });
  await accept(
    installation.platform,
    at(one, nowMs - 20_000, 10),
    at(one, nowMs - 10_000, 20),
    at(one, nowMs, 30),
    at(two, nowMs - 20_000, 100),
    at(two, nowMs - 10_000, 200),
  );
  const ask = async (across: string) =>
    (await query({ metric: used, ...last(600_000), across })).series[0]?.columns;
  expect(await ask("sum")).toMatchObject({ kind: "gauge", last: [110, 220], max: [110, 220] });
  expect(await ask("max")).toMatchObject({ last: [100, 200] });
  expect(await ask("min")).toMatchObject({ last: [10, 20] });
  expect(await ask("avg")).toMatchObject({ avg: [55, 110] });
  const newest = await query({ metric: used, ...last(600_000), summarise: true });
  expect(newest.series[0]).toMatchObject({ endMs: [nowMs - 10_000], columns: { last: [220], max: [220] } });
});

test("a sum does not fall while half of its nodes are late, and the answer names them", async () => {
  const at = (node: TestNode, ageMs: number, value: number) =>
    node.batch({ endMs: nowMs - ageMs, gauges: [[used, { stash: node.name, device: "s1" }, value]] });
  for (const ageMs of [320_000, 310_000, 300_000]) {
    await accept(installation.platform, at(one, ageMs, 10), at(two, ageMs, 100));
  }
  await accept(installation.platform, at(one, 10_000, 10), at(one, 0, 10));
  const ask = (across: string) => query({ metric: used, ...last(600_000), across });
  const sum = await ask("sum");
  expect(sum.series[0]?.columns).toMatchObject({ last: [110, 110, 110] });
  expect(sum.late).toEqual({ sinceMs: nowMs - 300_000, lateCount: 1, nodeCount: 2, names: ["stash-2"] });
  // Until then the minimum over the reporting nodes is shown.
  const least = await ask("min");
  expect(least.series[0]?.columns).toMatchObject({ last: [10, 10, 10, 10, 10] });
  expect(least).not.toHaveProperty("late");
});

test("counters are added up, without the unfinished point", async () => {
  const windows = Array.from({ length: 30 }, (_, i) =>
    one.batch({ endMs: nowMs - 5_000 - 10_000 * (29 - i), counters: [[written, drive("s1"), 1]] }),
  );
  await accept(installation.platform, ...windows);
  const { series, stepMs } = await query({ metric: written, ...last(2 * HOUR_MS), pointCountMax: 120 });
  expect(stepMs).toBe(60_000);
  expect(series[0]?.columns).toMatchObject({ kind: "counter", increase: [1, 6, 6, 6, 6] });
  expect(series[0]?.endMs.at(-1)).toBe(nowMs - 60_000);
  const summed = await query({ metric: written, ...last(2 * HOUR_MS), pointCountMax: 120, summarise: true });
  expect(summed.series[0]).toMatchObject({ endMs: [nowMs - 60_000], columns: { increase: [25] } });
  expect(summed.series[0]).not.toHaveProperty("trend");
  const trend = { pointCountMax: 120, summarise: true, trend: { pointCountMax: 60 } };
  const drawn = await query({ metric: written, ...last(2 * HOUR_MS), ...trend });
  expect(drawn.series[0]?.trend?.stepMs).toBe(120_000);
  const told = drawn.series[0]?.trend;
  assert(told?.column === "increase");
  // Two whole minutes each, except the first, in which the node began; an unfinished minute is left out.
  expect(told.values.length).toBeGreaterThanOrEqual(2);
  expect(told.values.slice(1).every((each) => each === 12)).toBe(true);
  // Regardless of the combination chosen for gauges.
  for (const across of ["min", "max", "avg"]) {
    const asked = await query({ metric: written, ...last(2 * HOUR_MS), pointCountMax: 120, across });
    expect(asked.series).toEqual(series);
  }
});

test("groups beyond what a chart can show are counted instead", async () => {
  const gauges = Array.from(
    { length: 65 },
    (_, i) => [used, { stash: "x", device: `s${i}` }, i] as [typeof used, Record<string, string>, number],
  );
  await accept(installation.platform, one.batch({ endMs: nowMs, gauges }));
  const answer = await query({ metric: used, ...last(HOUR_MS), groupBy: ["device"] });
  expect(answer).toMatchObject({ omittedSeriesCount: 5, sourceSeriesCount: 60 });
  expect(answer.series.slice(0, 3).map(({ labels }) => labels.device)).toEqual(["s0", "s1", "s2"]);
});

test("a list of newest points can have more groups than a chart", async () => {
  const gauges = Array.from(
    { length: 65 },
    (_, i) => [used, { stash: "x", device: `s${i}` }, i] as [typeof used, Record<string, string>, number],
  );
  await accept(installation.platform, one.batch({ endMs: nowMs, gauges }));
  const answer = await query({ metric: used, ...last(HOUR_MS), groupBy: ["device"], summarise: true });
  expect(answer).toMatchObject({ omittedSeriesCount: 0, sourceSeriesCount: 65 });
});

test("the newest level of each group is found however long ago it was reported, and groups keep their order", async () => {
  const level = (device: string, value: number) => [used, { stash: "x", device }, value] as const;
  await accept(
    installation.platform,
    one.batch({ endMs: nowMs - 3 * HOUR_MS, gauges: [level("s0", 7), level("s1", 1)] }),
    one.batch({ endMs: nowMs - HOUR_MS, gauges: [level("s0", 8), level("s1", 2)] }),
    one.batch({ endMs: nowMs, gauges: [level("s1", 3), level("s2", 4)] }),
  );
  const answer = await query({ metric: used, ...last(6 * HOUR_MS), groupBy: ["device"], summarise: true });
  expect(
    answer.series.map(({ labels, columns }) => [labels.device, columns.kind === "gauge" && columns.last]),
  ).toEqual([
    ["s0", [8]],
    ["s1", [3]],
    ["s2", [4]],
  ]);
  expect(answer).toMatchObject({ newestMs: nowMs, sourceSeriesCount: 3 });
});

test("each of many groups has a summary, and a trend with fewer points", async () => {
  const histograms = Array.from({ length: 100 }, (_, i) => [fsync, drive(`s${i}`), [0.001]] as const);
  await accept(installation.platform, one.batch({ endMs: nowMs - 60_000, histograms }));
  const question = { metric: fsync, ...last(HOUR_MS), groupBy: ["device"], summarise: true };
  const answer = await query({ ...question, trend: { pointCountMax: 60 } });
  expect(answer).toMatchObject({ omittedSeriesCount: 0, sourceSeriesCount: 100, stepMs: 120_000 });
  expect(answer.series.map(({ summary }) => summary?.whole.n)).toEqual(Array(100).fill(1));
});

test("if a histogram has more groups than a chart can show, those with the longest tail are kept", async () => {
  const histograms = Array.from(
    { length: 65 },
    (_, i) =>
      [fsync, drive(`s${i}`), [i < 10 ? 0.001 : i]] as [typeof fsync, Record<string, string>, number[]],
  );
  await accept(installation.platform, one.batch({ endMs: nowMs, histograms }));
  const answer = await query({ metric: fsync, ...last(HOUR_MS), groupBy: ["device"] });
  expect(answer).toMatchObject({ omittedSeriesCount: 5, sourceSeriesCount: 60 });
  const expected = [0, 1, 2, 3, 4, ...Array.from({ length: 55 }, (_, i) => 10 + i)].map((i) => `s${i}`);
  expect(answer.series.map(({ labels }) => labels.device)).toEqual(expected);
});

test("gaps within the range are reported with the node's name", async () => {
  const gap = (fromMs: number, toMs: number) =>
    ({ startMs: nowMs - fromMs, endMs: nowMs - toMs, reason: "spool_full" }) as const;
  await accept(
    installation.platform,
    one.batch({
      endMs: nowMs,
      histograms: [[fsync, drive("s1"), [1]]],
      gaps: [gap(5000, 4000), gap(4e6, 3e6), gap(9e6, 8e6)],
    }),
  );
  const { gaps } = await query({ metric: fsync, ...last(HOUR_MS) });
  expect(gaps.map(({ startMs, nodeName, reason }) => [nowMs - startMs, nodeName, reason])).toEqual([
    [5000, "stash-1", "spool_full"],
    [4e6, "stash-1", "spool_full"],
  ]);
});

test("a range without measurements has no series, instead of zeros", async () => {
  const answer = await query({ metric: fsync, ...last(HOUR_MS) });
  expect(answer).toMatchObject({ series: [], newestMs: null, sourceSeriesCount: 0, simulatedSeriesCount: 0 });
  expect(await heatmap({ metric: fsync, ...last(HOUR_MS) })).toMatchObject({
    endMs: [],
    bounds: [],
    counts: [],
  });
});

test("a heatmap counts each value of a histogram once, between its bounds, and refuses a gauge", async () => {
  const values = [0, 0.0001, 0.0011, 0.0012, 0.5];
  await accept(
    installation.platform,
    one.batch({ endMs: nowMs, histograms: [[fsync, drive("s1"), values]] }),
  );
  const { endMs, bounds, counts } = await heatmap({ metric: fsync, ...last(HOUR_MS / 2) });
  expect(endMs).toEqual([nowMs]);
  expect(counts[0]).toHaveLength(bounds.length - 1);
  const expected = bounds
    .slice(1)
    .map(
      (upper, row) =>
        values.filter((value) => (row === 0 || value > present(bounds[row])) && value <= upper).length,
    );
  expect(counts[0]).toEqual(expected);
  await expect(heatmap({ metric: used, ...last(HOUR_MS) })).rejects.toMatchObject({ code: "invalid_input" });
});
