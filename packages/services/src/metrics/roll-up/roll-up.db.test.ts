/** Compares each resolution with values that the test computes from the samples themselves. */

import { type MetricAnswer, metricQueryInput } from "@stashlight/contracts/metrics/query";
import { DAY_MS, HOUR_MS } from "@stashlight/contracts/time";
import { beforeEach, describe, expect, test } from "vitest";
import { present } from "../../present.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import type { ReceivedBatch } from "../ingest/accept-batches.ts";
import { queryMetric } from "../query/query.ts";
import { runRollUp } from "./roll-up.ts";

const { installation, viewer } = useFreshInstallation("viewer");
let nowMs: number;
let nodes: TestNode[];

/** Its samples are whole numbers, so sums are exact in any order. */
const records = "stashlight_commit_batch_records";
const used = "stashlight_stash_used_bytes";
const written = "stashlight_shards_written_total";

interface Window {
  readonly node: number;
  readonly atMs: number;
  readonly samples: readonly number[];
  readonly level: number;
  readonly increase: number;
}

beforeEach(async () => {
  nowMs = Math.floor(installation.clock.now().getTime() / DAY_MS) * DAY_MS + 13 * HOUR_MS;
  installation.clock.set(new Date(nowMs));
  await installation.platform.metrics.query("SELECT metric.ensure_partitions($1)", [new Date(nowMs)]);
  nodes = await Promise.all([1, 2].map((i) => createTestNode(installation.platform, `stash-${i}`)));
});

let state = 1;
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};

/** A batch of a node, and its content. */
function makeWindow(node: number, endMs: number): { window: Window; received: ReceivedBatch } {
  const samples = Array.from({ length: 1 + random(30) }, () => 1 + random(2000));
  const [level, increase] = [random(1000), random(100)];
  const drive = { stash: `n${node}`, device: "s1" };
  const received = present(nodes[node]).batch({
    endMs,
    histograms: [[records, drive, samples]],
    gauges: [[used, drive, level]],
    counters: [[written, { tier: "stash", device: "s1" }, increase]],
  });
  return { window: { node, atMs: endMs - 5000, samples, level, increase }, received };
}

async function acceptAll(times: readonly (readonly [node: number, endMs: number])[]): Promise<Window[]> {
  const made = times.map(([node, endMs]) => makeWindow(node, endMs));
  await accept(installation.platform, ...made.map(({ received }) => received));
  return made.map(({ window }) => window);
}

const ask = (metric: string, rangeMs: number, rest: object = {}): Promise<MetricAnswer> =>
  queryMetric({
    ctx: viewer.ctx,
    input: metricQueryInput.parse({ metric, fromMs: nowMs - rangeMs, toMs: nowMs, ...rest }),
  });

function byPoint(
  windows: readonly Window[],
  { stepMs }: MetricAnswer,
  rangeMs: number,
): Map<number, Window[]> {
  const startMs = Math.floor((nowMs - rangeMs) / stepMs) * stepMs;
  const inRange = windows.filter(({ atMs }) => atMs > startMs && atMs <= nowMs);
  return Map.groupBy(
    inRange.toSorted((a, b) => a.atMs - b.atMs),
    ({ atMs }) => Math.ceil(atMs / stepMs) * stepMs,
  );
}

async function expectExact(
  windows: readonly Window[],
  [rangeMs, resolution, pointCountMax]: (typeof ranges)[number],
): Promise<void> {
  const histograms = await ask(records, rangeMs, { pointCountMax });
  expect(histograms.resolution).toBe(resolution);
  // The newest point is left out while a node has not reported it yet.
  const all = [...byPoint(windows, histograms, rangeMs)];
  const toldCount = histograms.series[0]?.endMs.length ?? 0;
  expect(toldCount).toBeGreaterThanOrEqual(all.length - 1);
  const points = new Map(all.slice(0, toldCount));
  const samples = [...points.values()].map((each) => each.flatMap((window) => window.samples));
  expect(histograms.series[0]?.endMs).toEqual([...points.keys()]);
  expect(histograms.series[0]?.columns).toMatchObject({
    n: samples.map(({ length }) => length),
    sum: samples.map((values) => values.reduce((sum, value) => sum + value, 0)),
    min: samples.map((values) => Math.min(...values)),
    max: samples.map((values) => Math.max(...values)),
  });
  const columns = histograms.series[0]?.columns;
  for (const [i, values] of samples.entries()) {
    const rank = Math.ceil(values.length / 2);
    const exact = present(values.toSorted((a, b) => a - b)[rank - 1]);
    const p50 = columns?.kind === "histogram" ? columns.p50[i] : undefined;
    if (values.length < 20) expect(p50).toBe(null);
    else expect(Math.abs((p50 ?? 0) - exact) / exact).toBeLessThan(0.0218);
  }

  const gauges = await ask(used, rangeMs, { pointCountMax, nodeIds: [nodes[0]?.id] });
  const levels = [
    ...byPoint(
      windows.filter(({ node }) => node === 0),
      gauges,
      rangeMs,
    ).values(),
  ].map((each) => each.map(({ level }) => level));
  expect(gauges.series[0]?.columns).toEqual({
    kind: "gauge",
    min: levels.map((values) => Math.min(...values)),
    max: levels.map((values) => Math.max(...values)),
    avg: levels.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length),
    last: levels.map((values) => values.at(-1)),
  });

  const counters = await ask(written, rangeMs, { pointCountMax });
  const increases = [...byPoint(windows, counters, rangeMs).values()].map((each) =>
    each.reduce((sum, { increase }) => sum + increase, 0),
  );
  const told = counters.series[0]?.columns ?? { kind: "counter", increase: [] };
  // The unfinished point is left out.
  const count = told.kind === "counter" ? told.increase.length : 0;
  expect(count).toBeGreaterThanOrEqual(increases.length - 1);
  expect(told).toEqual({ kind: "counter", increase: increases.slice(0, count) });
}

const ranges = [
  [HOUR_MS, "raw", 400],
  [3 * HOUR_MS, "1m", 400],
  [DAY_MS, "1m", 400],
  // With fewer points each is made of longer buckets.
  [HOUR_MS, "1m", 20],
  [DAY_MS, "10m", 160],
  [DAY_MS, "1h", 20],
  [3 * DAY_MS, "10m", 400],
  [30 * DAY_MS, "1h", 400],
] as const;

/** Windows of both nodes over the last 30 hours, some of them missing. */
const thirtyHours = (): [number, number][] =>
  [0, 1].flatMap((node) =>
    Array.from({ length: 700 }, (_, i): [number, number] => [
      node,
      nowMs - i * 154_000 - node * 7000 - random(999),
    ]),
  );

describe("every resolution returns the measured values, and", () => {
  test("the answer is the same before a roll-up, after it, and with later data", async () => {
    const early = thirtyHours().filter(([, endMs]) => endMs < nowMs - HOUR_MS / 2);
    let windows = await acceptAll(early);
    for (const range of ranges) await expectExact(windows, range);
    await runRollUp(installation.platform);
    for (const range of ranges) await expectExact(windows, range);
    windows = [
      ...windows,
      ...(await acceptAll([
        [0, nowMs - 900_000],
        [1, nowMs - 905_000],
        [0, nowMs - 60_000],
        [1, nowMs],
      ])),
    ];
    for (const range of ranges) await expectExact(windows, range);
    await runRollUp(installation.platform);
    for (const range of ranges) await expectExact(windows, range);
  });

  test("data that arrives hours late and out of order is included once it is rolled up again", async () => {
    const all = thirtyHours();
    const isLate = ([node, endMs]: [number, number]) => node === 1 && endMs < nowMs - 4 * HOUR_MS;
    const first = await acceptAll(all.filter((each) => !isLate(each)));
    await runRollUp(installation.platform);
    const late = all.filter(isLate).toReversed();
    const second = await acceptAll(late.slice(0, 300));
    const third = await acceptAll(late.slice(300));
    await runRollUp(installation.platform);
    const windows = [...first, ...second, ...third];
    for (const range of ranges.slice(1)) await expectExact(windows, range);
  });
});

test("batches that arrive while their minute is rolled up are not lost", async () => {
  const platforms = [1, 2, 3].map(() => installation.anotherPlatform());
  const windows: Window[] = [];
  const times = Array.from({ length: 240 }, (_, i) => nowMs - 120_000 - ((i * 7) % 240) * 1000);
  const made = times.map((endMs) => makeWindow(0, endMs));
  let isOver = false;
  const rolling = (async () => {
    while (!isOver) await runRollUp(present(platforms[2]));
  })();
  await Promise.all(
    platforms.slice(0, 2).map(async (platform, turn) => {
      for (const { window, received } of made.filter((_, i) => i % 2 === turn)) {
        await accept(platform, received);
        windows.push(window);
      }
    }),
  );
  isOver = true;
  await rolling;
  await runRollUp(installation.platform);
  await expectExact(windows, [3 * HOUR_MS, "1m", 400]);
  await expectExact(windows, [30 * DAY_MS, "1h", 400]);
  const { rows } = await installation.platform.metrics.query(
    "SELECT * FROM metric.rollup_due WHERE level = 1",
  );
  expect(rows).toEqual([]);
});
