/** Reads the members' gauges and counters for buckets of fleets, and replaces these buckets. */
import type pg from "pg";
import { binaryArray } from "./binary-array.ts";
import { copySampleBuckets, type SampleBucket } from "./copy-buckets.ts";
import type { RollupResolution } from "./retention.ts";
import type { Queryable, RollupMark } from "./write-rows.ts";

const FIELDS = { gauge: ["counts", "sums", "mins", "maxs", "lasts"], counter: ["values"] } as const;

/** Row of a member: element i of each field is the value of the layout's i-th series of that kind. */
export interface FleetSamplePart {
  /** One of the requested marks. */
  readonly mark: RollupMark;
  readonly nodeId: string;
  readonly layoutId: number;
  readonly fields: readonly Float64Array[];
}

const markParameters = (marks: readonly RollupMark[]): Buffer[] => [
  binaryArray.uuid(marks.map(({ nodeId }) => nodeId)),
  binaryArray.timestamptz(marks.map(({ tsMs }) => tsMs)),
];

/** The outer bounds are literals, so that the planner skips other partitions. */
function bounds(marks: readonly RollupMark[]): string {
  const bound = (ms: number): string => `'${new Date(ms).toISOString()}'::timestamptz`;
  const least = marks.reduce((least, { tsMs }) => Math.min(least, tsMs), Number.POSITIVE_INFINITY);
  const most = marks.reduce((most, { tsMs }) => Math.max(most, tsMs), 0);
  return `r.ts >= ${bound(least)} AND r.ts <= ${bound(most)}`;
}

export async function readFleetSamples(
  db: Queryable,
  kind: "gauge" | "counter",
  resolution: RollupResolution,
  marks: readonly RollupMark[],
): Promise<FleetSamplePart[]> {
  const packed = FIELDS[kind].map((field) => `array_send(r.${field})`).join(" || ");
  // Grouping a single row keeps each bucket an index lookup.
  const { rows } = await db.query<{ place: string; nodeId: string; layoutId: number; packed: Buffer }>(
    `SELECT w.place, m.node_id AS "nodeId", r.layout_id AS "layoutId", r.packed
       FROM unnest($1::uuid[], $2::timestamptz[]) WITH ORDINALITY AS w (fleet_id, ts, place)
       JOIN metric.fleet_member AS m ON m.fleet_id = w.fleet_id
      CROSS JOIN LATERAL (
        SELECT r.layout_id, string_agg(${packed}, '') AS packed FROM metric.${kind}_${resolution} AS r
         WHERE r.node_id = m.node_id AND r.ts = w.ts AND ${bounds(marks)} GROUP BY r.node_id, r.layout_id) AS r`,
    markParameters(marks),
  );
  return rows.map(({ place, nodeId, layoutId, packed }) => ({
    mark: marks[Number(place) - 1] as RollupMark,
    nodeId,
    layoutId,
    fields: readArrays(packed),
  }));
}

const ARRAY_HEAD_BYTES = 20;
const EMPTY_HEAD_BYTES = 12;

/** Arrays of int4 and float8 in Postgres' binary form, concatenated. */
function readArrays(bytes: Buffer): Float64Array[] {
  const arrays: Float64Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const isEmpty = bytes.readInt32BE(at) === 0;
    const values = new Float64Array(isEmpty ? 0 : bytes.readInt32BE(at + 12));
    at += isEmpty ? EMPTY_HEAD_BYTES : ARRAY_HEAD_BYTES;
    for (let i = 0; i < values.length; i += 1) {
      const elementBytes = bytes.readInt32BE(at);
      values[i] = elementBytes === 8 ? bytes.readDoubleBE(at + 4) : bytes.readInt32BE(at + 4);
      at += 4 + elementBytes;
    }
    arrays.push(values);
  }
  return arrays;
}

export interface LayoutNames {
  readonly layoutId: number;
  readonly gaugeCount: number;
  /** Series in column order: gauges, followed by counters. */
  readonly names: readonly (readonly [metric: string, labels: Readonly<Record<string, string>>])[];
}

export async function readLayoutNames(
  db: Queryable,
  layouts: readonly { readonly nodeId: string; readonly layoutId: number }[],
): Promise<LayoutNames[]> {
  if (layouts.length === 0) return [];
  const { rows } = await db.query<LayoutNames>(
    `SELECT l.id AS "layoutId", l.gauge_count AS "gaugeCount",
            jsonb_agg(jsonb_build_array(s.metric, s.labels) ORDER BY p.place) AS names
       FROM unnest($1::uuid[], $2::int4[]) AS w (node_id, id)
       JOIN metric.sample_layout AS l ON l.node_id = w.node_id AND l.id = w.id
      CROSS JOIN LATERAL unnest(l.series_ids) WITH ORDINALITY AS p (series_id, place)
       JOIN metric.series AS s ON s.node_id = l.node_id AND s.id = p.series_id
      GROUP BY l.node_id, l.id`,
    [
      binaryArray.uuid(layouts.map(({ nodeId }) => nodeId)),
      binaryArray.int4(layouts.map(({ layoutId }) => layoutId)),
    ],
  );
  return rows;
}

/** Replaces the rows of these marks, including those of another layout, so that each mark has at most one row. */
export async function replaceFleetSamples(
  connection: pg.PoolClient,
  resolution: RollupResolution,
  marks: readonly RollupMark[],
  rows: readonly SampleBucket[],
): Promise<void> {
  for (const kind of ["gauge", "counter"] as const) {
    await connection.query(
      `DELETE FROM metric.${kind}_${resolution} AS r USING unnest($1::uuid[], $2::timestamptz[]) AS w (node_id, ts)
        WHERE r.node_id = w.node_id AND r.ts = w.ts AND ${bounds(marks)}`,
      markParameters(marks),
    );
  }
  await copySampleBuckets(connection, resolution, rows);
}
