/** Writes rows to the metric tables, column by column. Each function is one statement. */
import { REFUSED_ROWS_PER_NODE_MAX } from "@stashlight/contracts/metrics";
import type pg from "pg";
import { binaryArray } from "./binary-array.ts";
import type { SampleValues } from "./sample-values.ts";

/** Anything that runs a query: the pool, or a connection inside a transaction. */
export type Queryable = Pick<pg.Pool, "query">;

export interface HistogramColumns {
  readonly nodeIds: string[];
  readonly seriesIds: number[];
  /** Ends of windows. */
  readonly tsMs: number[];
  readonly n: number[];
  readonly sum: number[];
  readonly min: number[];
  readonly max: number[];
  readonly p50: number[];
  readonly p99: number[];
  readonly p999: number[];
  /** Buckets encoded by telemetry's `encodeBuckets`. */
  readonly buckets: Uint8Array[];
}

export function emptyHistogramColumns(): HistogramColumns {
  return {
    nodeIds: [],
    seriesIds: [],
    tsMs: [],
    n: [],
    sum: [],
    min: [],
    max: [],
    p50: [],
    p99: [],
    p999: [],
    buckets: [],
  };
}

export async function insertHistograms(
  db: Queryable,
  rows: HistogramColumns,
  spanMs: readonly number[],
): Promise<void> {
  if (rows.nodeIds.length === 0) return;
  await db.query(
    `INSERT INTO metric.hist_raw (node_id, series_id, span_ms, ts, n, sum, min, max, p50, p99, p999, buckets)
     SELECT * FROM unnest($1::uuid[], $2::int4[], $3::int4[], $4::timestamptz[], $5::int8[], $6::float8[],
       $7::float8[], $8::float8[], $9::float4[], $10::float4[], $11::float4[], $12::bytea[])
     ON CONFLICT (node_id, series_id, ts) DO NOTHING`,
    [
      binaryArray.uuid(rows.nodeIds),
      binaryArray.int4(rows.seriesIds),
      binaryArray.int4(spanMs),
      ...histogramValues(rows),
    ],
  );
}

export const histogramValues = (rows: HistogramColumns): Buffer[] => [
  binaryArray.timestamptz(rows.tsMs),
  binaryArray.int8(rows.n),
  binaryArray.float8(rows.sum),
  binaryArray.float8(rows.min),
  binaryArray.float8(rows.max),
  binaryArray.float4(rows.p50),
  binaryArray.float4(rows.p99),
  binaryArray.float4(rows.p999),
  binaryArray.bytea(rows.buckets),
];

/** One row per node and window, with an element per series of the row's layout. */
export interface SampleRow extends SampleValues {
  readonly nodeId: string;
  readonly layoutId: number;
  readonly spanMs: number;
  readonly tsMs: number;
}

export async function insertSamples(db: Queryable, rows: readonly SampleRow[]): Promise<void> {
  if (rows.length === 0) return;
  const values = joined(rows.map((row) => row.values));
  const narrow = joined(rows.map((row) => row.narrow ?? []));
  await db.query(
    `INSERT INTO metric.sample_raw (node_id, ts, layout_id, span_ms, values, narrow)
     SELECT node_id, ts, layout_id, span_ms, ($5::float8[])[first:last],
            CASE WHEN narrow_first <= narrow_last THEN ($8::float4[])[narrow_first:narrow_last] END
       FROM unnest($1::uuid[], $2::timestamptz[], $3::int4[], $4::int4[], $6::int4[], $7::int4[], $9::int4[], $10::int4[])
         AS r (node_id, ts, layout_id, span_ms, first, last, narrow_first, narrow_last)
     ON CONFLICT (node_id, ts, layout_id) DO NOTHING`,
    [
      binaryArray.uuid(rows.map(({ nodeId }) => nodeId)),
      binaryArray.timestamptz(rows.map(({ tsMs }) => tsMs)),
      binaryArray.int4(rows.map(({ layoutId }) => layoutId)),
      binaryArray.int4(rows.map(({ spanMs }) => spanMs)),
      ...[binaryArray.float8(values.all), binaryArray.int4(values.firsts), binaryArray.int4(values.lasts)],
      ...[binaryArray.float4(narrow.all), binaryArray.int4(narrow.firsts), binaryArray.int4(narrow.lasts)],
    ],
  );
}

/** Concatenates lists, with the 1-based start and end of each. */
export function joined(lists: readonly (readonly number[])[]) {
  let end = 0;
  const lasts = lists.map(({ length }) => {
    end += length;
    return end;
  });
  return {
    all: lists.flat(),
    firsts: lists.map(({ length }, i) => (lasts[i] as number) - length + 1),
    lasts,
  };
}

export interface SeenBatch {
  readonly nodeId: string;
  readonly tsMs: number;
  readonly bootId: number;
  readonly sequence: number;
}

const seenKey = ({ nodeId, bootId, sequence }: Omit<SeenBatch, "tsMs">): string =>
  `${nodeId} ${bootId} ${sequence}`;

/** Records batches, and returns those that are new. */
export async function noteBatches<Each extends SeenBatch>(
  db: Queryable,
  batches: readonly Each[],
): Promise<Each[]> {
  if (batches.length === 0) return [];
  const { rows } = await db.query<{ node_id: string; boot_id: string; sequence: string }>(
    `INSERT INTO metric.batch_seen (node_id, ts, boot_id, sequence)
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::int8[], $4::int8[])
     ON CONFLICT DO NOTHING RETURNING node_id, boot_id, sequence`,
    [
      binaryArray.uuid(batches.map(({ nodeId }) => nodeId)),
      binaryArray.timestamptz(batches.map(({ tsMs }) => tsMs)),
      binaryArray.int8(batches.map(({ bootId }) => bootId)),
      binaryArray.int8(batches.map(({ sequence }) => sequence)),
    ],
  );
  const fresh = new Set(
    rows.map((row) =>
      seenKey({ nodeId: row.node_id, bootId: Number(row.boot_id), sequence: Number(row.sequence) }),
    ),
  );
  // A batch that occurs twice in one call is returned once.
  return batches.filter((batch) => fresh.delete(seenKey(batch)));
}

export interface StoredGap {
  readonly nodeId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly reason: string;
}

export async function insertGaps(db: Queryable, gaps: readonly StoredGap[]): Promise<void> {
  if (gaps.length === 0) return;
  await db.query(
    `INSERT INTO metric.gap (node_id, start_ts, end_ts, reason)
     SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[], $4::text[]) ORDER BY 1, 2, 3, 4
     ON CONFLICT DO NOTHING`,
    [
      binaryArray.uuid(gaps.map(({ nodeId }) => nodeId)),
      binaryArray.timestamptz(gaps.map(({ startMs }) => startMs)),
      binaryArray.timestamptz(gaps.map(({ endMs }) => endMs)),
      gaps.map(({ reason }) => reason),
    ],
  );
}

export interface RollupMark {
  readonly nodeId: string;
  /** End of the bucket. */
  readonly tsMs: number;
}

/**
 * Marks buckets to be rebuilt. Updates existing marks too: a roll-up in progress locks the mark of its bucket and will
 * delete it without having seen this transaction's rows, so this waits for it and marks the bucket again.
 */
export async function markDue(db: Queryable, level: number, marks: readonly RollupMark[]): Promise<void> {
  if (marks.length === 0) return;
  await db.query(
    `INSERT INTO metric.rollup_due (node_id, level, ts)
     SELECT DISTINCT node_id, $3::smallint, ts FROM unnest($1::uuid[], $2::timestamptz[]) AS m (node_id, ts)
      ORDER BY node_id, ts
     ON CONFLICT (node_id, level, ts) DO UPDATE SET marks = rollup_due.marks + 1`,
    [
      binaryArray.uuid(marks.map(({ nodeId }) => nodeId)),
      binaryArray.timestamptz(marks.map(({ tsMs }) => tsMs)),
      level,
    ],
  );
}

export interface RefusedItems {
  readonly nodeId: string;
  readonly metric: string;
  readonly reason: string;
  readonly count: number;
}

/** Counts refused names beyond `REFUSED_ROWS_PER_NODE_MAX` together, under the empty name. */
export async function countRefused(
  db: Queryable,
  refused: readonly RefusedItems[],
  nowMs: number,
): Promise<void> {
  if (refused.length === 0) return;
  const named = await withRoomForNames(db, refused);
  await db.query(
    `INSERT INTO metric.refused (node_id, metric, reason, count, last_at)
     SELECT node_id, metric, reason, sum(count), to_timestamp($5::float8 / 1000)
       FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int8[]) AS r (node_id, metric, reason, count)
      GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
     ON CONFLICT (node_id, metric, reason)
       DO UPDATE SET count = refused.count + excluded.count, last_at = excluded.last_at`,
    [
      binaryArray.uuid(named.map(({ nodeId }) => nodeId)),
      named.map(({ metric }) => metric),
      named.map(({ reason }) => reason),
      binaryArray.int8(named.map(({ count }) => count)),
      nowMs,
    ],
  );
}

/** Drops names without a row once the node has its maximum. Two concurrent writers may both add the last one. */
async function withRoomForNames(db: Queryable, refused: readonly RefusedItems[]): Promise<RefusedItems[]> {
  const { rows } = await db.query<{ nodeId: string; names: string[] }>(
    `SELECT node_id AS "nodeId", array_agg(reason || ' ' || metric) AS names FROM metric.refused
      WHERE node_id = ANY ($1::uuid[]) GROUP BY 1`,
    [binaryArray.uuid([...new Set(refused.map(({ nodeId }) => nodeId))])],
  );
  const namesOf = new Map(rows.map(({ nodeId, names }) => [nodeId, new Set(names)]));
  return refused.map((items) => {
    const names = namesOf.get(items.nodeId) ?? new Set();
    namesOf.set(items.nodeId, names);
    const name = `${items.reason} ${items.metric}`;
    if (!names.has(name) && names.size >= REFUSED_ROWS_PER_NODE_MAX) return { ...items, metric: "" };
    names.add(name);
    return items;
  });
}

export interface NodeState {
  readonly nodeId: string;
  readonly newestMs: number;
  /** Usual length of the node's windows. */
  readonly windowMs: number;
  readonly isSimulated: boolean;
}

export async function updateNodeStates(db: Queryable, states: readonly NodeState[]): Promise<void> {
  await db.query(
    `INSERT INTO metric.node_state (node_id, newest, window_ms, is_simulated)
     SELECT node_id, max(ts), max(window_ms), bool_or(is_simulated)
       FROM unnest($1::uuid[], $2::timestamptz[], $3::int4[], $4::bool[]) AS s (node_id, ts, window_ms, is_simulated)
      GROUP BY node_id ORDER BY node_id
     ON CONFLICT (node_id) DO UPDATE SET newest = greatest(node_state.newest, excluded.newest),
       window_ms = greatest(node_state.window_ms, excluded.window_ms),
       is_simulated = node_state.is_simulated OR excluded.is_simulated`,
    [
      binaryArray.uuid(states.map(({ nodeId }) => nodeId)),
      binaryArray.timestamptz(states.map(({ newestMs }) => newestMs)),
      binaryArray.int4(states.map(({ windowMs }) => windowMs)),
      states.map(({ isSimulated }) => isSimulated),
    ],
  );
}
