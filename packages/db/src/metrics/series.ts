/**
 * Ids of series and layouts. They are assigned in separate transactions, which commit before a row uses the id. An id
 * therefore stays valid even if the process's next transaction fails, so it may be cached. Two processes that name the
 * same series at the same time get the same id.
 *
 * Each series and layout carries the day on which it was last used. A process may use a cached id for a day; then it
 * reads the node's series again and marks them as used (`useSeries`, `useLayouts`). The retention job deletes names
 * that have been unused for longer than rows are kept (`forget-nodes.ts`). Both hold a lock meanwhile: if the job was
 * first, the process finds the series gone and recreates it; if the process was first, the job finds the series in use.
 */

import { createHash } from "node:crypto";
import { DAY_MS } from "@stashlight/contracts/time";
import { binaryArray } from "./binary-array.ts";
import type { MetricConnection } from "./client.ts";
import type { Queryable } from "./write-rows.ts";

/** Days since 1970 at this moment, in UTC. */
export const dayNumber = (ms: number): number => Math.floor(ms / DAY_MS);

/** SQL: the date of a day since 1970. */
const dateSql = (parameter: string): string => `date '1970-01-01' + ${parameter}::int4`;

export interface NewSeries {
  readonly nodeId: string;
  readonly metric: string;
  readonly kind: string;
  readonly unit: string;
  readonly labels: Readonly<Record<string, string>>;
  /** The id, if known. */
  readonly id?: number;
}

/** Filters by node as well, because otherwise a call with many names would read the series of all nodes. */
const selectSeries = `
  SELECT s.id FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS w (node_id, metric, labels, place)
    JOIN metric.series s USING (node_id, metric, labels) WHERE s.node_id = ANY ($4::uuid[]) ORDER BY w.place`;

/**
 * A process that creates series or layouts of a node locks the node's share, so that two processes cannot both take the
 * last slot. A process that deletes some locks all shares.
 */
const SHARE_COUNT = 64;
const SHARE_LOCK = "pg_advisory_xact_lock(hashtext('metric.series'), share)";

/**
 * Keeps others from creating series of these nodes until the transaction ends. Locks shares in order, to avoid
 * deadlocks.
 */
export async function lockSeries(connection: MetricConnection, nodeIds: readonly string[]): Promise<void> {
  await connection.query(
    `SELECT ${SHARE_LOCK}
       FROM (SELECT DISTINCT abs(hashtext(id) % ${SHARE_COUNT}) AS share FROM unnest($1::text[]) AS n (id) ORDER BY 1) AS s`,
    [nodeIds],
  );
}

/** Keeps others from creating or deleting any series until the transaction ends. */
export async function lockAllSeries(connection: MetricConnection): Promise<void> {
  await connection.query(`SELECT ${SHARE_LOCK} FROM generate_series(0, ${SHARE_COUNT - 1}) AS share`);
}

export interface StoredSeries {
  readonly nodeId: string;
  readonly id: number;
  readonly metric: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Days since 1970. */
  readonly usedOn: number;
}

/** Reads all series of these nodes, up to the given number per node. */
export async function readSeries(
  db: Queryable,
  nodeIds: readonly string[],
  perNodeMax: number,
): Promise<StoredSeries[]> {
  const { rows } = await db.query<StoredSeries>(
    `SELECT node_id AS "nodeId", id, metric, labels, used_on - date '1970-01-01' AS "usedOn"
       FROM (SELECT *, row_number() OVER (PARTITION BY node_id ORDER BY id) AS place
               FROM metric.series WHERE node_id = ANY ($1::uuid[])) AS s
      WHERE place <= $2`,
    [binaryArray.uuid(nodeIds), perNodeMax],
  );
  return rows;
}

export async function countSeries(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>("SELECT count(*)::int AS count FROM metric.series");
  return rows[0]?.count ?? 0;
}

/** Creates these distinct series or marks them as used on this day; returns their ids in the same order. */
export async function useSeries(db: Queryable, wanted: readonly NewSeries[], day: number): Promise<number[]> {
  if (wanted.length === 0) return [];
  const nodeIds = binaryArray.uuid(wanted.map(({ nodeId }) => nodeId));
  const metrics = wanted.map(({ metric }) => metric);
  const labels = wanted.map((each) => JSON.stringify(each.labels));
  await db.query(
    `INSERT INTO metric.series (node_id, id, metric, kind, unit, labels, used_on)
     SELECT node_id, coalesce(id, nextval('metric.id')::int), metric, kind, unit, labels, ${dateSql("$7")}
       FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[], $6::int4[])
               AS s (node_id, metric, kind, unit, labels, id) ORDER BY node_id, metric, labels) AS s
     ON CONFLICT (node_id, metric, labels) DO UPDATE SET used_on = greatest(series.used_on, excluded.used_on)`,
    [
      ...[nodeIds, metrics, wanted.map(({ kind }) => kind), wanted.map(({ unit }) => unit), labels],
      ...[wanted.map(({ id }) => id ?? null), day],
    ],
  );
  const distinctIds = binaryArray.uuid([...new Set(wanted.map(({ nodeId }) => nodeId))]);
  const { rows } = await db.query<{ id: number }>(selectSeries, [nodeIds, metrics, labels, distinctIds]);
  return rows.map(({ id }) => id);
}

/** Series by position in a row: gauges, followed by counters. */
export interface NewLayout {
  readonly nodeId: string;
  readonly seriesIds: readonly number[];
  readonly gaugeCount: number;
  /** The position in raw rows where narrow ones begin: see `SampleOrder`. */
  readonly narrowAfter: number;
  /** The id, if known. */
  readonly id?: number | undefined;
}

/** The same list of series may form two layouts: one from before narrow values has no narrow series. */
const layoutDigest = (list: string, { narrowAfter }: NewLayout): Buffer =>
  createHash("sha256")
    .update(narrowAfter === 0 ? list : `${list} ${narrowAfter}`)
    .digest();

const layoutColumns = (wanted: readonly NewLayout[]) => {
  const lists = wanted.map((each) => `{${each.seriesIds.join(",")}}`);
  return {
    nodeIds: binaryArray.uuid(wanted.map(({ nodeId }) => nodeId)),
    lists,
    digests: binaryArray.bytea(lists.map((list, i) => layoutDigest(list, wanted[i] as NewLayout))),
  };
};

/** Creates these distinct layouts or marks them as used on this day; returns their ids in the same order. */
export async function useLayouts(
  db: Queryable,
  wanted: readonly NewLayout[],
  day: number,
): Promise<number[]> {
  if (wanted.length === 0) return [];
  const { nodeIds, lists, digests } = layoutColumns(wanted);
  await db.query(
    `INSERT INTO metric.sample_layout (node_id, id, series_ids, digest, gauge_count, narrow_after, used_on)
     SELECT node_id, coalesce(id, nextval('metric.id')::int), series_ids::int[], digest, gauge_count, narrow_after,
            ${dateSql("$7")}
       FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::int4[], $5::int4[], $6::int4[])
               AS l (node_id, series_ids, digest, gauge_count, narrow_after, id) ORDER BY node_id, digest) AS l
     ON CONFLICT (node_id, digest) DO UPDATE SET used_on = greatest(sample_layout.used_on, excluded.used_on)`,
    [
      ...[nodeIds, lists, digests],
      binaryArray.int4(wanted.map(({ gaugeCount }) => gaugeCount)),
      binaryArray.int4(wanted.map(({ narrowAfter }) => narrowAfter)),
      wanted.map(({ id }) => id ?? null),
      day,
    ],
  );
  const ids = await findLayoutIds(db, wanted);
  return ids.map((id) => id as number);
}

/** Returns the id of each existing layout in the same order; undefined for missing ones. */
export async function findLayoutIds(
  db: Queryable,
  wanted: readonly NewLayout[],
): Promise<(number | undefined)[]> {
  if (wanted.length === 0) return [];
  const { nodeIds, digests } = layoutColumns(wanted);
  const { rows } = await db.query<{ id: number; place: string }>(
    `SELECT l.id, w.place FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS w (node_id, digest, place)
       JOIN metric.sample_layout l USING (node_id, digest)`,
    [nodeIds, digests],
  );
  const idOf = new Map(rows.map(({ id, place }) => [Number(place), id]));
  return wanted.map((_, i) => idOf.get(i + 1));
}

/** Counts each node's layouts of more than one series; nodes without any are absent. */
export async function countLayouts(
  db: Queryable,
  nodeIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.query<{ nodeId: string; count: number }>(
    `SELECT node_id AS "nodeId", count(*)::int AS count FROM metric.sample_layout
      WHERE node_id = ANY ($1::uuid[]) AND cardinality(series_ids) > 1 GROUP BY 1`,
    [binaryArray.uuid(nodeIds)],
  );
  return new Map(rows.map(({ nodeId, count }) => [nodeId, count]));
}
