import { isMetricName } from "@stashlight/contracts/metrics";
import {
  BUCKET_MS,
  emptyHistogramColumns,
  FLEET_LEVELS,
  type FleetPart,
  type HistogramColumns,
  inTransaction,
  LEVELS,
  type MetricClient,
  markDue,
  markFleets,
  mostFleetMembers,
  type Queryable,
  type RollupMark,
  type RollupResolution,
  raiseWatermarks,
  readDueHistograms,
  readFleetParts,
  replaceHistograms,
  rollUpSamples,
  takeDue,
  unpackHistograms,
} from "@stashlight/db/metrics";
import { encodeBuckets, HistogramSum } from "@stashlight/telemetry";
import type { Core } from "../../core.ts";
import { present } from "../../present.ts";
import { knownIds } from "../ingest/known-ids.ts";
import { rollUpFleetSamples } from "./fleet-samples.ts";

/** Nearly all data of windows that ended this long ago has arrived; later arrivals are rolled up again. */
const GRACE_MS = 15_000;
/** Limit on buckets per transaction, because writers of late data may have to wait for it. */
const MARK_COUNT = 50;
/** Limit on fleet members whose buckets are merged in one transaction, which take some MB. */
const FLEET_MEMBERS_MAX = 4000;
const FLEETS_MS_MAX = 20_000;
/** Ends a run after this time, well before its lease expires; the next run continues. */
const RUN_MS_MAX = 300_000;

const RESOLUTIONS_UPWARDS = ["1m", "10m", "1h"] as const satisfies readonly RollupResolution[];
const windowNames = { "1m": "1-minute", "10m": "10-minute", "1h": "1-hour" } as const;

/**
 * Builds due buckets of each resolution from the one below, and returns a sentence with their numbers. Works in rounds,
 * so that new measurements do not wait for fleets that catch up with a history.
 */
export async function runRollUp(platform: Core): Promise<string> {
  const untilMs = performance.now() + RUN_MS_MAX;
  const fleetMarkCount = await readFleetMarkCount(platform.metrics);
  const counts = RESOLUTIONS_UPWARDS.map((resolution) => ({ resolution, ofNodes: 0, ofFleets: 0 }));
  for (let isMoreDue = true; isMoreDue && performance.now() < untilMs; ) {
    isMoreDue = false;
    const beforeMs = platform.now().getTime() - GRACE_MS;
    for (const count of counts) {
      const { resolution } = count;
      const nodes = await untilDone(untilMs, () => rollUpSome(platform.metrics, resolution, beforeMs));
      // Runs after the nodes' buckets, so that a fleet's bucket is built once and not again for each node.
      const fleetsUntilMs = Math.min(untilMs, performance.now() + FLEETS_MS_MAX);
      const fleets = await untilDone(fleetsUntilMs, () =>
        rollUpFleets(platform.metrics, resolution, beforeMs, fleetMarkCount),
      );
      count.ofNodes += nodes.count;
      count.ofFleets += fleets.count;
      isMoreDue ||= !fleets.isDone;
    }
  }
  const made = counts.map(
    ({ resolution, ofNodes, ofFleets }) =>
      `${ofNodes} ${windowNames[resolution]} windows of nodes and ${ofFleets} of fleets`,
  );
  return `Rolled up ${made.join(", ")}.`;
}

/** Repeats in portions until no bucket or no time is left; returns the number of buckets, and whether all are done. */
async function untilDone(
  untilMs: number,
  some: () => Promise<number>,
): Promise<{ count: number; isDone: boolean }> {
  let count = 0;
  while (performance.now() < untilMs) {
    const done = await some();
    if (done === 0) return { count, isDone: true };
    count += done;
  }
  return { count, isDone: false };
}

function rollUpSome(client: MetricClient, resolution: RollupResolution, beforeMs: number): Promise<number> {
  return inTransaction(client, async (connection) => {
    const marks = await takeDue(connection, LEVELS[resolution], beforeMs, MARK_COUNT);
    if (marks.length === 0) return 0;
    await replaceHistograms(connection, resolution, await mergeDue(connection, resolution, marks));
    await rollUpSamples(connection, resolution, marks);
    await markAbove(connection, resolution, marks);
    await markFleets(connection, resolution, marks);
    await raiseWatermarks(connection, resolution, marks);
    return marks.length;
  });
}

async function mergeDue(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<HistogramColumns> {
  const rows = emptyHistogramColumns();
  const total = new HistogramSum();
  for (const { mark, seriesId, packed } of await readDueHistograms(db, resolution, marks)) {
    addMerged(rows, total, mark, seriesId, packed);
  }
  return rows;
}

function addMerged(
  rows: HistogramColumns,
  total: HistogramSum,
  mark: RollupMark,
  seriesId: number,
  packed: string,
): void {
  total.clear();
  const bytes = Buffer.from(packed, "hex");
  for (const window of unpackHistograms(bytes)) {
    total.add(window, bytes, window.bucketsStart, window.bucketsEnd);
  }
  const { sum, min, max, buckets } = total.content();
  const histogram = total.histogram();
  rows.nodeIds.push(mark.nodeId);
  rows.seriesIds.push(seriesId);
  rows.tsMs.push(mark.tsMs);
  rows.n.push(histogram.count);
  rows.sum.push(sum);
  rows.min.push(min);
  rows.max.push(max);
  rows.p50.push(present(histogram.quantile(500_000)));
  rows.p99.push(present(histogram.quantile(990_000)));
  rows.p999.push(present(histogram.quantile(999_000)));
  rows.buckets.push(encodeBuckets(buckets));
}

async function readFleetMarkCount(client: MetricClient): Promise<number> {
  const memberCount = await mostFleetMembers(client);
  return Math.max(2, Math.min(MARK_COUNT, Math.floor(FLEET_MEMBERS_MAX / Math.max(1, memberCount))));
}

/** A fleet's bucket is merged from up to thousands of its members' buckets, so only a few are built at a time. */
function rollUpFleets(
  client: MetricClient,
  resolution: RollupResolution,
  beforeMs: number,
  countMax: number,
): Promise<number> {
  const nowMs = beforeMs + GRACE_MS;
  return inTransaction(client, async (connection) => {
    const marks = await takeDue(connection, FLEET_LEVELS[resolution], beforeMs, countMax);
    if (marks.length === 0) return 0;
    const parts = await readFleetParts(connection, resolution, marks);
    await replaceHistograms(connection, resolution, await mergeParts(client, parts, nowMs));
    await rollUpFleetSamples(client, connection, resolution, marks, nowMs);
    await markFleets(connection, resolution, marks);
    await raiseWatermarks(connection, resolution, marks);
    return marks.length;
  });
}

/** Parts whose series are beyond the bounds are dropped; a query then reads the nodes instead of their fleet. */
async function mergeParts(
  client: MetricClient,
  parts: readonly FleetPart[],
  nowMs: number,
): Promise<HistogramColumns> {
  const rows = emptyHistogramColumns();
  const total = new HistogramSum();
  const known = parts.flatMap(({ metric, ...part }) => (isMetricName(metric) ? [{ ...part, metric }] : []));
  const byMark = Map.groupBy(known, ({ mark }) => mark);
  const windows = [...byMark].map(([{ nodeId }, of]) => ({
    nodeId,
    names: of.map(({ metric, labels }) => ({ metric, labels })),
  }));
  const found = await knownIds(client).ofFleets.series(client, windows, nowMs);
  for (const [i, [mark, of]] of [...byMark].entries()) {
    const { fit, ids } = present(found[i]);
    for (const [j, { packed }] of of.entries()) {
      const place = present(fit.places[j]);
      if (place >= 0) addMerged(rows, total, mark, present(ids[place]), packed);
    }
  }
  return rows;
}

async function markAbove(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<void> {
  const above = RESOLUTIONS_UPWARDS[RESOLUTIONS_UPWARDS.indexOf(resolution) + 1];
  if (above === undefined) return;
  const length = BUCKET_MS[above];
  const buckets = marks.map(({ nodeId, tsMs }) => ({ nodeId, tsMs: Math.ceil(tsMs / length) * length }));
  await markDue(db, LEVELS[above], buckets);
}
