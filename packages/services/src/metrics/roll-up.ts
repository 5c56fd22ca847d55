import {
  BUCKET_MS,
  emptyHistogramColumns,
  type HistogramColumns,
  inTransaction,
  LEVELS,
  type MetricClient,
  markDue,
  type Queryable,
  type RollupMark,
  type RollupResolution,
  raiseWatermarks,
  readDueHistograms,
  replaceHistograms,
  rollUpSamples,
  takeDue,
  unpackHistograms,
} from "@stashlight/db/metrics";
import { encodeBuckets, HistogramSum } from "@stashlight/telemetry";
import type { Platform } from "../platform.ts";

/** Of what ended this long ago nearly all has arrived; what comes later is rolled up again. */
const GRACE_MS = 15_000;
/** Buckets of one transaction, for which writers of late data may have to wait. */
const MARK_COUNT = 50;
/** A run gives up its turn after this time, well before it would be given up; the next one goes on. */
const RUN_MS_MAX = 300_000;

const RESOLUTIONS_UPWARDS = ["1m", "10m", "1h"] as const satisfies readonly RollupResolution[];

/** Makes the buckets that are due, of each resolution from the one below; says how many. */
export async function runRollUp(platform: Platform): Promise<string> {
  const beforeMs = platform.now().getTime() - GRACE_MS;
  const untilMs = performance.now() + RUN_MS_MAX;
  const counts: string[] = [];
  for (const resolution of RESOLUTIONS_UPWARDS) {
    let count = 0;
    while (performance.now() < untilMs) {
      const done = await rollUpSome(platform.metrics, resolution, beforeMs);
      count += done;
      if (done < MARK_COUNT) break;
    }
    counts.push(`${count} of ${resolution}`);
  }
  return `Made buckets: ${counts.join(", ")}.`;
}

function rollUpSome(client: MetricClient, resolution: RollupResolution, beforeMs: number): Promise<number> {
  return inTransaction(client, async (connection) => {
    const marks = await takeDue(connection, resolution, beforeMs, MARK_COUNT);
    if (marks.length === 0) return 0;
    await replaceHistograms(connection, resolution, await mergeDue(connection, resolution, marks));
    await rollUpSamples(connection, resolution, marks);
    await markAbove(connection, resolution, marks);
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
    rows.p50.push(histogram.quantile(500_000) as number);
    rows.p99.push(histogram.quantile(990_000) as number);
    rows.p999.push(histogram.quantile(999_000) as number);
    rows.buckets.push(encodeBuckets(buckets));
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
