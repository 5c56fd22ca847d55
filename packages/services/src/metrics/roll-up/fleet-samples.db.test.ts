/** Gauges and counters of many nodes: pre-merged fleets must give the same answers as their parts. */

import assert from "node:assert/strict";
import { metricQueryInput } from "@stashlight/contracts/metrics/query";
import { HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import { forgetNodes } from "@stashlight/db/metrics";
import { beforeEach, expect, test } from "vitest";
import { present } from "../../present.ts";
import { accept, createTestNode, type TestNode, useFreshInstallation } from "../../testing/index.ts";
import { FLEET_NODES_MIN } from "../query/fleets.ts";
import { queryMetric } from "../query/query.ts";
import { runRollUp } from "./roll-up.ts";

const NODES = 16;
const used = "stashlight_stash_used_bytes";
const written = "stashlight_shards_written_total";
const unpurged = "stashlight_stash_unpurged_shards";
const across = ["sum", "avg", "min", "max"] as const;
const all = Array.from({ length: NODES }, (_, i) => i);

const { installation, viewer } = useFreshInstallation("viewer");
let startMs: number;
let nodes: TestNode[];

beforeEach(async () => {
  // Points of half a day end amid the data at any time of day; an unfinished one shows no increase.
  const middleMs =
    Math.floor((installation.clock.now().getTime() - 5 * HOUR_MS) / (12 * HOUR_MS)) * 12 * HOUR_MS;
  startMs = middleMs - 4 * HOUR_MS;
  // Every fourth node is simulated; there are two vaults, so four fleets and two with all nodes.
  nodes = await Promise.all(
    all.map((i) => createTestNode(installation.platform, `s${i}`, i % 4 === 0, i < 10 ? "v" : "w")),
  );
  expect(NODES).toBeGreaterThanOrEqual(FLEET_NODES_MIN);
});

let state = 11;
const random = (below: number): number => {
  state = (state * 48_271) % 2_147_483_647;
  return state % below;
};

async function send(i: number, endMs: number, value = random(1000)): Promise<void> {
  const node = present(nodes[i]);
  const levels = [value, value + random(9)];
  await accept(
    installation.platform,
    node.batch({
      endMs,
      gauges: levels.flatMap((level, d) => [
        [used, { stash: node.name, device: `d${d}` }, level],
        [unpurged, { stash: node.name, device: `d${d}`, pod: `p${i % 3}` }, level],
      ]),
      counters: [[written, { tier: "stash", device: "d0" }, 1 + random(9)]],
    }),
  );
}

async function rollUpAt(nowMs: number): Promise<void> {
  installation.clock.set(new Date(nowMs));
  await runRollUp(installation.platform);
}

const ask = (input: object) =>
  queryMetric({ ctx: viewer.ctx, input: metricQueryInput.parse({ pointCountMax: 100, ...input }) });

/** Hides the data of fleets, so that their parts answer. */
async function askParts(input: object) {
  const { metrics } = installation.platform;
  await metrics.query(
    "UPDATE metric.series SET metric = 'hidden ' || metric WHERE node_id IN (SELECT node_id FROM metric.fleet)",
  );
  try {
    return await ask(input);
  } finally {
    await metrics.query("UPDATE metric.series SET metric = substr(metric, 8) WHERE metric LIKE 'hidden %'");
  }
}

test("sums, averages, extremes and increases match those of the parts: of all nodes, of some, of groups", async () => {
  for (let minute = 1; minute <= 7 * 60; minute += 6) {
    for (const i of all) {
      // Node 3 is silent from the third hour on; node 7 delivers an hour late.
      if ((i === 3 && minute > 180) || (i === 7 && minute > 240 && minute <= 300)) continue;
      await send(i, startMs + minute * MINUTE_MS);
    }
  }
  await rollUpAt(startMs + 6 * HOUR_MS);
  for (let minute = 241; minute <= 300; minute += 6) await send(7, startMs + minute * MINUTE_MS);
  await rollUpAt(startMs + 8 * HOUR_MS);
  const ranges = [
    { fromMs: startMs, toMs: startMs + 8 * HOUR_MS },
    { fromMs: startMs - 80 * HOUR_MS, toMs: startMs + 8 * HOUR_MS },
    { fromMs: startMs - 720 * HOUR_MS, toMs: startMs + 8 * HOUR_MS },
  ];
  const chosen = [
    undefined,
    all.filter((i) => i % 4 !== 0).map((i) => nodes[i]?.id),
    nodes.slice(1).map(({ id }) => id),
  ];
  for (const range of ranges) {
    for (const nodeIds of chosen) {
      for (const way of across) {
        const question = { metric: used, across: way, nodeIds, ...range };
        expect(rounded(await ask(question)), `${way}`).toEqual(rounded(await askParts(question)));
      }
      for (const question of [
        { metric: written, nodeIds, ...range },
        { metric: unpurged, groupBy: ["pod"], nodeIds, ...range },
      ]) {
        const answer = await ask(question);
        expect(answer.series.length).toBeGreaterThan(0);
        expect(rounded(answer)).toEqual(rounded(await askParts(question)));
      }
    }
  }
}, 180_000);

/** The last digit of sums of fractions depends on their order. */
const rounded = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer, (_, value) => (typeof value === "number" ? Number(value.toPrecision(12)) : value)),
  );

test("an answer about a whole rolled-up fleet reads no row of a node", async () => {
  for (let minute = 1; minute <= 60; minute += 6) {
    for (const i of all) await send(i, startMs + minute * MINUTE_MS, 100);
  }
  await rollUpAt(startMs + 2 * HOUR_MS);
  for (const table of ["gauge_1m", "gauge_10m", "counter_1m", "counter_10m"]) {
    await installation.platform.metrics.query(
      `DELETE FROM metric.${table} WHERE node_id NOT IN (SELECT node_id FROM metric.fleet)`,
    );
  }
  const range = { fromMs: startMs - 3 * HOUR_MS, toMs: startMs + 2 * HOUR_MS };
  const { series, partial } = await ask({ metric: used, ...range });
  expect(series[0]?.columns).toMatchObject({ kind: "gauge" });
  expect(series[0]?.endMs.length).toBeGreaterThan(5);
  expect(partial).toBeUndefined();
  const counted = await ask({ metric: written, ...range });
  expect(counted.series[0]?.endMs.length).toBeGreaterThan(5);
});

test("a sum never shows unreported values as a fall, and marks where it lacks series", async () => {
  const nowMs = startMs + 2 * HOUR_MS;
  for (let second = 600; second >= 0; second -= 10) {
    for (const i of all) {
      const isBehind = i === 2 && second < 30;
      const isAway = i === 5 && second > 200 && second < 400;
      if (!isBehind && !isAway) await send(i, nowMs - second * 1000, 1000);
    }
  }
  installation.clock.set(new Date(nowMs));
  for (const isRolledUp of [false, true]) {
    if (isRolledUp) await rollUpAt(nowMs);
    const { series, partial } = await ask({ metric: used, fromMs: nowMs - 600_000, toMs: nowMs });
    const { columns, endMs } = present(series[0]);
    assert(columns.kind === "gauge");
    expect(columns.last.at(-1)).toBeGreaterThanOrEqual(NODES * 2 * 1000);
    expect(endMs.at(-1)).toBeLessThanOrEqual(nowMs - 30_000 + 10_000);
    expect(partial).toMatchObject({ seriesCountMin: 2 * (NODES - 1), seriesCount: 2 * NODES });
  }
});

test("forgotten nodes are no longer in any fleet", async () => {
  for (const i of all) await send(i, startMs + 5 * MINUTE_MS, 100);
  await rollUpAt(startMs + 2 * HOUR_MS);
  const { metrics } = installation.platform;
  const counts = async () => {
    const { rows } = await metrics.query(
      `SELECT (SELECT count(*)::int FROM metric.fleet) AS fleets,
              (SELECT count(*)::int FROM metric.fleet_member) AS members,
              (SELECT count(*)::int FROM metric.gauge_1h r WHERE node_id NOT IN (SELECT id FROM public.node)) AS rows`,
    );
    return rows[0];
  };
  expect(await counts()).toEqual({ fleets: 6, members: NODES + 4, rows: 6 });
  await forgetNodes(
    metrics,
    all.filter((i) => i % 4 === 0).map((i) => present(nodes[i]?.id)),
  );
  // The rows of the measured nodes are unchanged.
  expect(await counts()).toEqual({ fleets: 3, members: NODES * 0.75 + 2, rows: 3 });
  await forgetNodes(metrics, [present(nodes[1]?.id)]);
  const range = { fromMs: startMs - 3 * HOUR_MS, toMs: startMs + 4 * HOUR_MS };
  const left = all.filter((i) => i % 4 !== 0 && i !== 1);
  expect((await ask({ metric: used, ...range, across: "min" })).series[0]?.columns).toMatchObject({
    min: [100],
  });
  for (const i of left) await send(i, startMs + 2 * HOUR_MS + 5 * MINUTE_MS, 200);
  await rollUpAt(startMs + 4 * HOUR_MS);
  expect(await counts()).toEqual({ fleets: 3, members: left.length + 2, rows: 6 });
  expect(await ask({ metric: used, ...range })).toEqual(await askParts({ metric: used, ...range }));
  const { rows } = await metrics.query(
    `SELECT count(*)::int AS count FROM metric.series
      WHERE node_id NOT IN (SELECT node_id FROM metric.node_state) AND node_id NOT IN (SELECT node_id FROM metric.fleet)`,
  );
  expect(rows).toEqual([{ count: 0 }]);
});
