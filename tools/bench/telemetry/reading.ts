/** Duration of a one-day chart: of one node, and of a fleet, with and without merged series. */

import { randomUUID } from "node:crypto";
import { DAY_MS } from "@stashlight/contracts/time";
import {
  BUCKET_MS,
  binaryArray,
  dayNumber,
  markFleets,
  raiseWatermarks,
  useSeries,
} from "@stashlight/db/metrics";
import { acceptBatches } from "@stashlight/services/metrics/ingest";
import { queryMetric } from "@stashlight/services/metrics/query";
import { runRollUp } from "@stashlight/services/metrics/roll-up";
import type { Platform } from "@stashlight/services/platform";
import { ExponentialHistogram, packHistogram } from "@stashlight/telemetry";
import type { Measurement } from "../measurement.ts";
import { median, timed } from "../rounds.ts";
import { createFleet, createRandom, WINDOW_MS } from "./fleet.ts";
import { createViewer } from "./viewer.ts";

const FLEET_NODES = 1000;

type PrintLine = (line: string) => void;

export async function benchReading(platform: Platform, say: PrintLine): Promise<Measurement[]> {
  const nowMs = Date.now();
  const node = createFleet(1);
  const startMs = Math.floor((nowMs - DAY_MS) / WINDOW_MS) * WINDOW_MS;
  const batches = Array.from({ length: DAY_MS / WINDOW_MS }, (_, i) =>
    node.batches(startMs + (i + 1) * WINDOW_MS),
  ).flat();
  for (let i = 0; i < batches.length; i += 200) {
    await acceptBatches({ client: platform.metrics, batches: batches.slice(i, i + 200), nowMs });
  }
  const rolledMs = await timed(() => rollUpAll(platform));
  say(`Rolled up a day of one node and what was written before in ${(rolledMs / 1000).toFixed(1)} s.`);
  const nodeIds = [...node.nodeIds];
  const ask = (input: { metric: "stashlight_fsync_seconds"; nodeIds: string[]; rangeMs: number }) =>
    queryMetric({
      ctx: createViewer(platform),
      input: {
        metric: input.metric,
        nodeIds: input.nodeIds,
        fromMs: nowMs - input.rangeMs,
        toMs: nowMs,
        where: {},
        groupBy: [],
        across: "sum",
        pointCountMax: 400,
      },
    });
  const medianMs = async (question: Parameters<typeof ask>[0]): Promise<number> => {
    const all: number[] = [];
    for (let i = 0; i < 9; i += 1) all.push(await timed(() => ask(question)));
    return median(all);
  };
  const metric = "stashlight_fsync_seconds";
  const day = await medianMs({ metric, nodeIds, rangeMs: DAY_MS });
  const hours = await medianMs({ metric, nodeIds, rangeMs: 7_200_000 });
  const fleetIds = await fillFleet(platform, nowMs);
  const partsMs = await medianMs({ metric, nodeIds: fleetIds.slice(1), rangeMs: DAY_MS });
  const madeMs = await timed(() => rollUpAll(platform));
  say(`Merged a day of ${FLEET_NODES} nodes ahead in ${(madeMs / 1000).toFixed(1)} s.`);
  const fleetMs = await medianMs({ metric, nodeIds: fleetIds, rangeMs: DAY_MS });
  return [
    { name: "24 h of one node, 4 drives", value: day, unit: "ms", against: { name: "60 ms", value: 60 } },
    { name: "2 h of one node, raw", value: hours, unit: "ms", against: { name: "60 ms", value: 60 } },
    {
      name: `24 h of ${FLEET_NODES} nodes, one p99`,
      value: fleetMs,
      unit: "ms",
      against: { name: "250 ms", value: 250 },
    },
    {
      name: "the same of all but one, from its parts",
      value: partsMs,
      unit: "ms",
      against: { name: "merged ahead", value: fleetMs },
    },
  ];
}

/** A fully rolled-up day of a vault: one series per node, by minute and by ten minutes. */
async function fillFleet({ metrics, db }: Platform, nowMs: number): Promise<string[]> {
  const nodeIds = Array.from({ length: FLEET_NODES }, () => randomUUID());
  const vault = { vault: "fleet", role: "stash", status: "active", isSimulated: true };
  await db.node.createMany({ data: nodeIds.map((id, i) => ({ ...vault, id, name: `fleet-${i}` })) });
  await metrics.query(
    `INSERT INTO metric.node_state SELECT node_id, to_timestamp($2), 10000, true FROM unnest($1::uuid[]) AS n (node_id)`,
    [binaryArray.uuid(nodeIds), Math.floor(nowMs / 600_000) * 600],
  );
  const ids = await useSeries(
    metrics,
    nodeIds.map((nodeId) => ({
      nodeId,
      metric: "stashlight_fsync_seconds",
      kind: "histogram",
      unit: "seconds",
      labels: { tier: "stash", device: "s0" },
    })),
    dayNumber(nowMs),
  );
  for (const resolution of ["1m", "10m"] as const) {
    const bucketMs = BUCKET_MS[resolution];
    const endMs = Math.floor(nowMs / 600_000) * 600_000;
    const drawn = drawHistograms((300 * bucketMs) / 600_000);
    await metrics.query(
      `INSERT INTO metric.hist_${resolution} (node_id, series_id, ts, n, sum, min, max, p50, p99, p999, buckets)
       SELECT n.node_id, n.id, t, d.n, d.sum, d.min, d.max, 0, 0, 0, d.buckets
         FROM unnest($1::uuid[], $2::int4[]) AS n (node_id, id)
        CROSS JOIN generate_series(to_timestamp($3) + $5 * interval '1 s', to_timestamp($4), $5 * interval '1 s') AS t
         JOIN unnest($6::int8[], $7::float8[], $8::float8[], $9::float8[], $10::bytea[])
              WITH ORDINALITY AS d (n, sum, min, max, buckets, i)
           ON d.i = 1 + (n.id * 7919 + extract(epoch FROM t)::int8 / $5::int8 * 104729) % ${drawn.length}`,
      [
        binaryArray.uuid(nodeIds),
        binaryArray.int4(ids),
        ...[(endMs - DAY_MS) / 1000, endMs / 1000, bucketMs / 1000],
        binaryArray.int8(drawn.map(({ count }) => count)),
        binaryArray.float8(drawn.map(({ sum }) => sum)),
        binaryArray.float8(drawn.map(({ min }) => min)),
        binaryArray.float8(drawn.map(({ max }) => max)),
        binaryArray.bytea(drawn.map(({ buckets }) => buckets)),
      ],
    );
    const marks = nodeIds.map((nodeId) => ({ nodeId, tsMs: endMs }));
    await raiseWatermarks(metrics, resolution, marks);
    await markFleets(metrics, resolution, marks);
  }
  return nodeIds;
}

function drawHistograms(sampleCount: number) {
  const random = createRandom(3);
  return Array.from({ length: 500 }, () => {
    const histogram = new ExponentialHistogram();
    for (let sample = 0; sample < sampleCount; sample += 1) histogram.record(0.0005 + random() ** 8 * 0.05);
    return packHistogram(histogram.content());
  });
}

/** A run is limited in time, and leaves the rest to the next. */
async function rollUpAll(platform: Platform): Promise<void> {
  let isDone = false;
  while (!isDone) {
    await runRollUp(platform);
    const due = new Date(Date.now() - 3_600_000);
    const { rows } = await platform.metrics.query(
      "SELECT EXISTS (SELECT FROM metric.rollup_due WHERE ts < $1) AS is_due",
      [due],
    );
    isDone = rows[0]?.is_due !== true;
  }
}
