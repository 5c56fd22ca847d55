/**
 * Builds whole buckets from the resolution below and replaces existing ones. Writers of the resolution below mark the
 * buckets to build, in the same transaction.
 */
import { binaryArray } from "./binary-array.ts";
import { LEVELS } from "./read-windows.ts";
import { BUCKET_MS, RESOLUTIONS, type Resolution, type RollupResolution } from "./retention.ts";
import { rawValues } from "./sample-values.ts";
import { type HistogramColumns, histogramValues, type Queryable, type RollupMark } from "./write-rows.ts";

/**
 * Takes marks of buckets that ended by `beforeMs`, oldest first. The transaction locks them: a writer to one of these
 * buckets waits, and marks it again. Marks locked by a writer are left for later.
 */
export async function takeDue(
  db: Queryable,
  level: number,
  beforeMs: number,
  countMax: number,
): Promise<RollupMark[]> {
  const { rows } = await db.query<{ node_id: string; ts: Date }>(
    `DELETE FROM metric.rollup_due AS d USING (
       SELECT node_id, level, ts FROM metric.rollup_due WHERE level = $1 AND ts <= $2
        ORDER BY ts, node_id LIMIT $3 FOR UPDATE SKIP LOCKED) AS p
      WHERE d.node_id = p.node_id AND d.level = p.level AND d.ts = p.ts RETURNING d.node_id, d.ts`,
    [level, new Date(beforeMs), countMax],
  );
  return rows.map(({ node_id, ts }) => ({ nodeId: node_id, tsMs: ts.getTime() }));
}

const finerResolution = (resolution: RollupResolution): Resolution =>
  RESOLUTIONS[RESOLUTIONS.indexOf(resolution) - 1] as Resolution;

const unnestMarks = "unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS m (node_id, ts, place)";

const markParameters = (marks: readonly RollupMark[]): unknown[] => [
  binaryArray.uuid(marks.map(({ nodeId }) => nodeId)),
  binaryArray.timestamptz(marks.map(({ tsMs }) => tsMs)),
];

/**
 * SQL for whether a row of the resolution below is in a mark's bucket; the two outer bounds exclude other partitions.
 */
function isInBucket(resolution: RollupResolution, marks: readonly RollupMark[]): string {
  const length = `interval '${BUCKET_MS[resolution] / 1000} seconds'`;
  const times = marks.map(({ tsMs }) => tsMs);
  const bound = (ms: number): string => `'${new Date(ms).toISOString()}'::timestamptz`;
  const least = bound(times.reduce((a, b) => Math.min(a, b)) - BUCKET_MS[resolution]);
  const most = times.reduce((a, b) => Math.max(a, b));
  if (resolution !== "1m") {
    return `r.ts > ${least} AND r.ts <= ${bound(most)} AND r.ts > m.ts - ${length} AND r.ts <= m.ts`;
  }
  // A window belongs to the bucket that contains its middle, and may end up to half a minute later.
  const middle = "r.ts - r.span_ms * interval '0.5 milliseconds'";
  return `r.ts > ${least} AND r.ts <= ${bound(most + 30_000)}
    AND r.ts > m.ts - ${length} AND r.ts <= m.ts + interval '30 seconds'
    AND ${middle} > m.ts - ${length} AND ${middle} <= m.ts`;
}

export interface DueHistogram {
  /** A mark that was requested. */
  readonly mark: RollupMark;
  readonly seriesId: number;
  /** In the form of `readHistograms`. */
  readonly packed: string;
}

/**
 * Reads the source histograms of these buckets. The condition includes the nodes, because otherwise each call would
 * read the series of all nodes.
 */
export async function readDueHistograms(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<DueHistogram[]> {
  const { rows } = await db.query<{ place: string; seriesId: number; packed: string }>(
    `SELECT m.place, s.id AS "seriesId", encode(d.packed, 'hex') AS packed
       FROM ${unnestMarks} JOIN metric.series AS s ON s.node_id = m.node_id AND s.kind = 'histogram'
      CROSS JOIN LATERAL (
        SELECT string_agg(timestamptz_send(r.ts) || float8send(r.n) || float8send(r.sum) || float8send(r.min)
                 || float8send(r.max) || int4send(length(r.buckets)) || r.buckets, '') AS packed
          FROM metric.hist_${finerResolution(resolution)} AS r
         WHERE r.node_id = s.node_id AND r.series_id = s.id AND ${isInBucket(resolution, marks)}
         GROUP BY r.node_id) AS d
      WHERE s.node_id = ANY ($1::uuid[])`,
    markParameters(marks),
  );
  return rows.map(({ place, ...rest }) => ({ ...rest, mark: marks[Number(place) - 1] as RollupMark }));
}

export async function replaceHistograms(
  db: Queryable,
  resolution: RollupResolution,
  rows: HistogramColumns,
): Promise<void> {
  if (rows.nodeIds.length === 0) return;
  const values = ["n", "sum", "min", "max", "p50", "p99", "p999", "buckets"];
  await db.query(
    `INSERT INTO metric.hist_${resolution} (node_id, series_id, ts, ${values.join(", ")})
     SELECT * FROM unnest($1::uuid[], $2::int4[], $3::timestamptz[], $4::int8[], $5::float8[], $6::float8[],
       $7::float8[], $8::float4[], $9::float4[], $10::float4[], $11::bytea[])
     ON CONFLICT (node_id, series_id, ts) DO UPDATE SET ${setAll(values)}`,
    [binaryArray.uuid(rows.nodeIds), binaryArray.int4(rows.seriesIds), ...histogramValues(rows)],
  );
}

const setAll = (columns: readonly string[]): string =>
  columns.map((column) => `${column} = excluded.${column}`).join(", ");

/** Rolls up samples within the database, because they are sums and extremes. */
export async function rollUpSamples(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<void> {
  const source = finerResolution(resolution);
  const isRaw = source === "raw";
  const values = rawValues("r", "l.narrow_after");
  const rows = (kind: "gauge" | "counter"): string =>
    isRaw
      ? "metric.sample_raw AS r JOIN metric.sample_layout AS l ON l.node_id = r.node_id AND l.id = r.layout_id"
      : `metric.${kind}_${source} AS r`;
  // Reads each bucket through the index, as `read-windows.ts` explains.
  const placesSql = (kind: "gauge" | "counter", merged: string, arrays: string, columns: string): string =>
    `FROM ${unnestMarks} CROSS JOIN LATERAL (
        SELECT r.node_id, r.layout_id, v.p, ${merged} FROM ${rows(kind)}
         CROSS JOIN LATERAL unnest(${arrays}) WITH ORDINALITY AS v (${columns}, p)
         WHERE r.node_id = m.node_id AND ${isInBucket(resolution, marks)}
         GROUP BY r.node_id, r.layout_id, v.p) AS d
      GROUP BY d.node_id, m.ts, d.layout_id`;
  const [counts, sums, mins, maxs, last] = isRaw
    ? ["count(*)", "sum(v.value)", "min(v.value)", "max(v.value)", "v.value"]
    : ["sum(v.count)", "sum(v.sum)", "min(v.min)", "max(v.max)", "v.last"];
  const mergedLevels = `(${counts})::integer AS counts, ${sums} AS sums, ${mins} AS mins, ${maxs} AS maxs,
          (array_agg(${last} ORDER BY r.ts DESC))[1] AS lasts`;
  const gauges = isRaw
    ? placesSql("gauge", mergedLevels, `${values}[1:l.gauge_count]`, "value")
    : placesSql(
        "gauge",
        mergedLevels,
        "r.counts, r.sums, r.mins, r.maxs, r.lasts",
        "count, sum, min, max, last",
      );
  const increases = isRaw ? `${values}[l.gauge_count + 1:]` : "r.values";
  const fields = ["counts", "sums", "mins", "maxs", "lasts"];
  await db.query(
    `INSERT INTO metric.gauge_${resolution} (node_id, ts, layout_id, ${fields.join(", ")})
     SELECT d.node_id, m.ts, d.layout_id, ${fields.map((field) => `array_agg(d.${field} ORDER BY d.p)`).join(", ")}
     ${gauges}
     ON CONFLICT (node_id, ts, layout_id) DO UPDATE SET ${setAll(fields)}`,
    markParameters(marks),
  );
  await db.query(
    `INSERT INTO metric.counter_${resolution} (node_id, ts, layout_id, values)
     SELECT d.node_id, m.ts, d.layout_id, array_agg(d.value ORDER BY d.p)
     ${placesSql("counter", "sum(v.value) AS value", increases, "value")}
     ON CONFLICT (node_id, ts, layout_id) DO UPDATE SET values = excluded.values`,
    markParameters(marks),
  );
}

/** Records how far these nodes are rolled up; a watermark never decreases. */
export async function raiseWatermarks(
  db: Queryable,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<void> {
  await db.query(
    `INSERT INTO metric.rollup_watermark (node_id, level, ts)
     SELECT node_id, $3::smallint, max(ts) FROM ${unnestMarks} GROUP BY node_id ORDER BY node_id
     ON CONFLICT (node_id, level) DO UPDATE SET ts = greatest(rollup_watermark.ts, excluded.ts)`,
    [...markParameters(marks), LEVELS[resolution]],
  );
}
