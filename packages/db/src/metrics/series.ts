/**
 * Ids of series and layouts. They are given in statements of their own, which commit at once: an id that a transaction
 * was told stays when that transaction does not, so a process may remember it. Two processes that name the same series
 * at the same time are told the same id.
 */
import { createHash } from "node:crypto";
import { binaryArray } from "./binary-array.ts";
import type { Queryable } from "./write.ts";

export interface NewSeries {
  readonly nodeId: string;
  readonly metric: string;
  readonly kind: string;
  readonly unit: string;
  readonly labels: Readonly<Record<string, string>>;
}

const insertSeries = `
  INSERT INTO metric.series (node_id, id, metric, kind, unit, labels)
  SELECT node_id, nextval('metric.id')::int, metric, kind, unit, labels
    FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::jsonb[])
            AS s (node_id, metric, kind, unit, labels) ORDER BY node_id, metric, labels) AS s
  ON CONFLICT (node_id, metric, labels) DO NOTHING`;

const selectSeries = `
  SELECT s.id FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) WITH ORDINALITY AS w (node_id, metric, labels, place)
    JOIN metric.series s USING (node_id, metric, labels) ORDER BY w.place`;

/** The id of each, in the same order. */
export async function seriesIds(db: Queryable, wanted: readonly NewSeries[]): Promise<number[]> {
  if (wanted.length === 0) return [];
  const nodeIds = binaryArray.uuid(wanted.map(({ nodeId }) => nodeId));
  const metrics = wanted.map(({ metric }) => metric);
  const labels = wanted.map((each) => JSON.stringify(each.labels));
  const kinds = wanted.map(({ kind }) => kind);
  const units = wanted.map(({ unit }) => unit);
  await db.query(insertSeries, [nodeIds, metrics, kinds, units, labels]);
  const { rows } = await db.query<{ id: number }>(selectSeries, [nodeIds, metrics, labels]);
  return rows.map(({ id }) => id);
}

/** The series of a row's places: gauges, and behind them counters. */
export interface NewLayout {
  readonly nodeId: string;
  readonly seriesIds: readonly number[];
  readonly gaugeCount: number;
  /** Of raw rows: see `SampleOrder`. */
  readonly narrowAfter: number;
}

/** One list of series may be two layouts: those from before there were narrow values have them behind none. */
const digestOf = (list: string, { narrowAfter }: NewLayout): Buffer =>
  createHash("sha256")
    .update(narrowAfter === 0 ? list : `${list} ${narrowAfter}`)
    .digest();

/** The id of each, in the same order. */
export async function layoutIds(db: Queryable, wanted: readonly NewLayout[]): Promise<number[]> {
  if (wanted.length === 0) return [];
  const nodeIds = binaryArray.uuid(wanted.map(({ nodeId }) => nodeId));
  const lists = wanted.map((each) => `{${each.seriesIds.join(",")}}`);
  const digests = binaryArray.bytea(lists.map((list, i) => digestOf(list, wanted[i] as NewLayout)));
  await db.query(
    `INSERT INTO metric.sample_layout (node_id, id, series_ids, digest, gauge_count, narrow_after)
     SELECT node_id, nextval('metric.id')::int, series_ids::int[], digest, gauge_count, narrow_after
       FROM (SELECT * FROM unnest($1::uuid[], $2::text[], $3::bytea[], $4::int4[], $5::int4[])
               AS l (node_id, series_ids, digest, gauge_count, narrow_after)
              ORDER BY node_id, digest) AS l
     ON CONFLICT (node_id, digest) DO NOTHING`,
    [
      ...[nodeIds, lists, digests],
      binaryArray.int4(wanted.map(({ gaugeCount }) => gaugeCount)),
      binaryArray.int4(wanted.map(({ narrowAfter }) => narrowAfter)),
    ],
  );
  const { rows } = await db.query<{ id: number }>(
    `SELECT l.id FROM unnest($1::uuid[], $2::bytea[]) WITH ORDINALITY AS w (node_id, digest, place)
       JOIN metric.sample_layout l USING (node_id, digest) ORDER BY w.place`,
    [nodeIds, digests],
  );
  return rows.map(({ id }) => id);
}
