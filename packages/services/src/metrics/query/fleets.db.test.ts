/**
 * Compares every answer with the merge of the samples themselves, whether or not fleets have merged parts in advance.
 */

import { metricHeatmapInput, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { ExponentialHistogram } from "@stashlight/telemetry";
import { beforeEach, expect, test } from "vitest";
import { present } from "../../present.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { runRollUp } from "../roll-up/roll-up.ts";
import { FLEET_SERIES_MIN, TAIL_SERIES_MAX } from "./fleets.ts";
import { queryHeatmap } from "./heatmap.ts";
import { queryMetric } from "./query.ts";

const NODES = 12;
const DEVICES = 8;
/** Its samples are whole numbers, so sums are exact in any order. */
const records = "stashlight_commit_batch_records";
const fsync = "stashlight_fsync_seconds";

interface Window {
  readonly node: number;
  readonly atMs: number;
  readonly samples: readonly number[];
}

const { installation, viewer } = useFreshInstallation("viewer");
let startMs: number;
let nodes: TestNode[];
let windows: Window[];

beforeEach(async () => {
  startMs = Math.floor(installation.clock.now().getTime() / HOUR_MS) * HOUR_MS - 9 * HOUR_MS;
  // Every fourth node is simulated, and there are two vaults: four fleets, and two with all nodes.
  nodes = await Promise.all(
    Array.from({ length: NODES }, (_, i) =>
      createTestNode(installation.platform, `s${i}`, i % 4 === 0, i < 10 ? "v" : "w"),
    ),
  );
  windows = [];
  expect(NODES * DEVICES).toBeGreaterThan(FLEET_SERIES_MIN);
});

let state = 7;
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};

/** A window of all devices of a node. */
async function send(node: number, endMs: number): Promise<void> {
  const samples = Array.from({ length: DEVICES }, () =>
    Array.from({ length: 1 + random(12) }, () => 1 + random(3000)),
  );
  await accept(
    installation.platform,
    present(nodes[node]).batch({
      endMs,
      histograms: samples.map((values, i) => [records, { stash: `s${node}`, device: `d${i}` }, values]),
    }),
  );
  windows.push({ node, atMs: endMs - 5000, samples: samples.flat() });
}

async function rollUpAt(nowMs: number): Promise<void> {
  installation.clock.set(new Date(nowMs));
  await runRollUp(installation.platform);
}

async function expectExact(range: { fromMs: number; toMs: number }, chosen: readonly number[]) {
  const nodeIds = chosen.length === NODES ? undefined : chosen.map((i) => nodes[i]?.id);
  const answer = await queryMetric({
    ctx: viewer.ctx,
    input: metricQueryInput.parse({ metric: records, nodeIds, ...range }),
  });
  const { stepMs } = answer;
  const [from, to] = [Math.floor(range.fromMs / stepMs) * stepMs, Math.ceil(range.toMs / stepMs) * stepMs];
  const points = new Map<number, ExponentialHistogram>();
  const wanted = windows.filter(({ node, atMs }) => chosen.includes(node) && atMs > from && atMs <= to);
  for (const { atMs, samples } of wanted) {
    const endMs = Math.ceil(atMs / stepMs) * stepMs;
    const histogram = points.get(endMs) ?? new ExponentialHistogram();
    points.set(endMs, histogram);
    for (const sample of samples) histogram.record(sample);
  }
  const merged = [...points].sort(([a], [b]) => a - b).map(([, histogram]) => histogram);
  // The newest point is left out while a node has not reported it yet.
  const toldCount = answer.series[0]?.endMs.length ?? 0;
  expect(toldCount).toBeGreaterThanOrEqual(merged.length - 1);
  const expected = merged.slice(0, toldCount);
  const quantile = (perMillion: number, countMin: number) =>
    expected.map((each) => (each.count >= countMin ? each.quantile(perMillion) : null));
  expect(answer.series[0]?.columns ?? { n: [] }).toMatchObject({
    n: expected.map(({ count }) => count),
    ...(expected.length > 0 && {
      sum: expected.map(({ sum }) => sum),
      min: expected.map(({ min }) => min),
      max: expected.map(({ max }) => max),
      p50: quantile(500_000, 20),
      p99: quantile(990_000, 1000),
    }),
  });
  const heatmap = await queryHeatmap({
    ctx: viewer.ctx,
    input: metricHeatmapInput.parse({ metric: records, nodeIds, ...range }),
  });
  const count = heatmap.counts.flat().reduce((sum, each) => sum + each, 0);
  const [first, last] = [heatmap.endMs[0] ?? 0, heatmap.endMs.at(-1) ?? 0];
  const inHeatmap = windows.filter(
    ({ node, atMs }) => chosen.includes(node) && atMs > first - heatmap.stepMs && atMs <= last,
  );
  expect(count).toBe(inHeatmap.reduce((sum, { samples }) => sum + samples.length, 0));
  return answer;
}

const all = Array.from({ length: NODES }, (_, i) => i);
const measured = all.filter((i) => i % 4 !== 0);

test("an answer is the merge of its parts: rolled up, not yet rolled up, late, and from offline nodes", async () => {
  // Node 3 is silent from the third hour on, node 5 is five minutes behind, node 7 delivers an hour late.
  for (let minute = 1; minute <= 7 * 60; minute += 15) {
    installation.clock.set(new Date(startMs + minute * MINUTE_MS));
    for (const node of all) {
      // Sent in order for each node; arrival out of order matters only for the roll-up.
      const atMs = startMs + minute * MINUTE_MS - 1000 * random(800);
      if ((node === 3 && minute > 180) || (node === 7 && minute > 300 && minute < 360)) continue;
      await send(node, node === 5 ? atMs - 5 * MINUTE_MS : atMs);
    }
    if (minute % 4 === 0) await rollUpAt(startMs + minute * MINUTE_MS);
    if (minute % 120 === 1 && minute > 120) {
      const toMs = startMs + minute * MINUTE_MS;
      for (const chosen of [all, measured, all.slice(0, 10), all.slice(1), [1, 2]]) {
        await expectExact({ fromMs: startMs, toMs }, chosen);
      }
      await expectExact({ fromMs: toMs - 72 * HOUR_MS, toMs }, all);
      await expectExact({ fromMs: toMs - 720 * HOUR_MS, toMs }, all);
    }
  }
  for (let minute = 300; minute < 360; minute += 7) await send(7, startMs + minute * MINUTE_MS - 3000);
  await rollUpAt(startMs + 9 * HOUR_MS);
  for (const chosen of [all, measured, measured.filter((i) => i !== 3)]) {
    await expectExact({ fromMs: startMs, toMs: startMs + 9 * HOUR_MS }, chosen);
  }
  // Node 3 reported only before this range, so the fleet is complete without it.
  const late = { fromMs: startMs + 5 * HOUR_MS, toMs: startMs + 9 * HOUR_MS };
  await expectExact(
    late,
    measured.filter((i) => i !== 3),
  );
}, 120_000);

test("an answer about a whole rolled-up fleet reads the fleet's own buckets, and none of its nodes'", async () => {
  for (let minute = 1; minute <= 60; minute += 4) {
    for (const node of all) await send(node, startMs + minute * MINUTE_MS);
  }
  const range = { fromMs: startMs - 3 * HOUR_MS, toMs: startMs + 2 * HOUR_MS };
  await rollUpAt(startMs + 2 * HOUR_MS);
  await installation.platform.metrics.query(
    "DELETE FROM metric.hist_1m WHERE node_id IN (SELECT node_id FROM metric.fleet_member)",
  );
  await expectExact(range, all);
  await expectExact(range, measured);
  const nodeIds = nodes.slice(1).map(({ id }) => id);
  const partly = await queryMetric({
    ctx: viewer.ctx,
    input: metricQueryInput.parse({ metric: records, nodeIds, ...range, where: { stash: ["s1", "s2"] } }),
  });
  expect(partly.series).toEqual([]);
});

test("a node that joins a fleet brings its history, and tiers and simulated nodes stay separate", async () => {
  for (const node of all) {
    await accept(
      installation.platform,
      present(nodes[node]).batch({
        endMs: startMs,
        histograms: Array.from({ length: DEVICES }, (_, i) => [
          fsync,
          { tier: i % 2 === 0 ? "stash" : "pod", device: `d${i}` },
          [i % 2 === 0 ? 1 : 2],
        ]),
      }),
    );
  }
  await rollUpAt(startMs + 2 * HOUR_MS);
  await installation.platform.metrics.query("DELETE FROM metric.fleet_member");
  await installation.platform.metrics.query(
    "DELETE FROM metric.hist_10m USING metric.fleet f WHERE f.node_id = hist_10m.node_id",
  );
  for (const node of all) await send(node, startMs + 2 * HOUR_MS);
  await rollUpAt(startMs + 4 * HOUR_MS);
  const { rows } = await installation.platform.metrics.query(
    `SELECT f.is_simulated, s.labels, r.n::int, r.min, r.max FROM metric.fleet f JOIN metric.series s USING (node_id)
       JOIN metric.hist_10m r ON r.node_id = s.node_id AND r.series_id = s.id
      WHERE s.metric = $1 AND f.vault = '' ORDER BY 1, 2`,
    [fsync],
  );
  expect(rows).toEqual([
    { is_simulated: false, labels: { tier: "pod" }, n: 36, min: 2, max: 2 },
    { is_simulated: false, labels: { tier: "stash" }, n: 36, min: 1, max: 1 },
    { is_simulated: true, labels: { tier: "pod" }, n: 12, min: 2, max: 2 },
    { is_simulated: true, labels: { tier: "stash" }, n: 12, min: 1, max: 1 },
  ]);
});

test("with very many series the newest windows are left to the roll-up, unless it is late", async () => {
  const devices = Math.ceil((TAIL_SERIES_MAX + 1) / NODES);
  const sendAll = async (endMs: number) => {
    for (const node of nodes) {
      const histograms = Array.from(
        { length: devices },
        (_, i) => [fsync, { tier: "pod", device: `d${i}` }, [1]] as const,
      );
      await accept(installation.platform, node.batch({ endMs, histograms }));
    }
  };
  const ask = (nowMs: number) => {
    installation.clock.set(new Date(nowMs));
    const range = { fromMs: nowMs - 3 * HOUR_MS, toMs: nowMs };
    return queryMetric({ ctx: viewer.ctx, input: metricQueryInput.parse({ metric: fsync, ...range }) });
  };
  const totalCount = ({ series }: Awaited<ReturnType<typeof ask>>): number => {
    const columns = present(series[0]).columns;
    return columns.kind === "histogram" ? columns.n.reduce((sum, each) => sum + each, 0) : 0;
  };
  await sendAll(startMs - 5000);
  await rollUpAt(startMs + 20_000);
  await sendAll(startMs + 15_000);
  const soon = await ask(startMs + 40_000);
  expect([totalCount(soon), soon.newestMs]).toEqual([NODES * devices, startMs]);
  const late = await ask(startMs + 4 * MINUTE_MS);
  expect([totalCount(late), late.newestMs]).toEqual([2 * NODES * devices, startMs + 15_000]);
});
