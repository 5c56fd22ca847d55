/** Size and intake of the metric store, used to forecast how long one Postgres suffices. */
import { DAY_MS } from "@stashlight/contracts/time";
import type { StorageProfile } from "../migrate/storage-profile.ts";
import { isDistributed } from "./partitions.ts";
import type { Resolution } from "./retention.ts";
import { metricTables } from "./table-definitions.ts";
import { hasHypertables } from "./timescale.ts";
import type { Queryable } from "./write-rows.ts";

/**
 * Bytes by resolution, indexes included; "rest" covers names, marks, traces and fleets, which are not partitioned by
 * age.
 */
export type TableSizes = Readonly<Record<Resolution | "rest", number>>;

/** Returns the profile of the existing tables, which may differ from the configured one. */
export async function readStorageProfile(db: Queryable): Promise<StorageProfile> {
  if (await hasHypertables(db)) return "timescale";
  return (await isDistributed(db, "series")) ? "citus" : "plain";
}

const ordinarySizes = (alsoWhere: string): string =>
  `SELECT c.relname AS name, coalesce(pg_total_relation_size(c.oid), 0)::float8 AS bytes FROM pg_catalog.pg_class AS c
    WHERE c.relnamespace = 'metric'::regnamespace AND c.relkind = 'r'${alsoWhere}`;

const sizeStatements: Readonly<Record<StorageProfile, readonly string[]>> = {
  plain: [ordinarySizes("")],
  timescale: [
    ordinarySizes(
      ` AND c.relname NOT IN (SELECT h.hypertable_name FROM timescaledb_information.hypertables AS h
          WHERE h.hypertable_schema = 'metric')`,
    ),
    `SELECT h.hypertable_name AS name,
            coalesce(public.hypertable_size(format('%I.%I', h.hypertable_schema, h.hypertable_name)::regclass), 0)::float8 AS bytes
       FROM timescaledb_information.hypertables AS h WHERE h.hypertable_schema = 'metric'`,
  ],
  citus: [
    `SELECT c.relname AS name, citus_total_relation_size(c.oid)::float8 AS bytes
       FROM pg_catalog.pg_dist_partition AS d JOIN pg_catalog.pg_class AS c ON c.oid = d.logicalrelid
      WHERE c.relnamespace = 'metric'::regnamespace AND c.relkind = 'r'`,
  ],
};

export async function readTableSizes(db: Queryable, profile: StorageProfile): Promise<TableSizes> {
  const sizes = { raw: 0, "1m": 0, "10m": 0, "1h": 0, rest: 0 };
  for (const statement of sizeStatements[profile]) {
    const { rows } = await db.query<{ name: string; bytes: number }>(statement);
    for (const { name, bytes } of rows) sizes[tableResolution(name)] += bytes;
  }
  return sizes;
}

function tableResolution(relation: string): Resolution | "rest" {
  const name = String(relation).replace(/_p\d{8}$/, "");
  return metricTables.find((table) => table.name === name)?.resolution ?? "rest";
}

/**
 * Estimates the rows written per second from the series and usual window of each node that reported since this moment:
 * one row per histogram and one for samples. An upper bound, because windows may omit series.
 */
export async function readRowRate(
  db: Queryable,
  since: Date,
): Promise<{ rowsPerSecond: number; nodeCount: number }> {
  const { rows } = await db.query<{ rowsPerSecond: number; nodeCount: number }>(
    `SELECT coalesce(sum(w.rate), 0)::float8 AS "rowsPerSecond", count(*)::int AS "nodeCount"
       FROM (SELECT s.node_id, (count(r.id) + 1) * 1000.0 / greatest(s.window_ms, 1) AS rate
               FROM metric.node_state AS s
               LEFT JOIN metric.series AS r ON r.node_id = s.node_id AND r.kind = 'histogram' AND r.used_on >= $2
              WHERE s.newest > $1 AND NOT s.is_simulated
              GROUP BY s.node_id, s.window_ms) AS w`,
    // A process marks series as used only once a day.
    [since, new Date(since.getTime() - 2 * DAY_MS)],
  );
  return rows[0] ?? { rowsPerSecond: 0, nodeCount: 0 };
}

/**
 * For each node that reported since this moment: the lag of its newest 1-minute bucket behind its newest window, in ms.
 */
export async function readRollUpLags(db: Queryable, since: Date): Promise<number[]> {
  const { rows: newest } = await db.query<{ nodeId: string; ts: Date }>(
    `SELECT node_id AS "nodeId", newest AS ts FROM metric.node_state WHERE newest > $1`,
    [since],
  );
  const { rows: watermarks } = await db.query<{ nodeId: string; ts: Date }>(
    `SELECT node_id AS "nodeId", ts FROM metric.rollup_watermark WHERE level = 1`,
  );
  const rolledUpMs = new Map(watermarks.map(({ nodeId, ts }) => [nodeId, ts.getTime()]));
  return newest.flatMap(({ nodeId, ts }) => {
    const untilMs = rolledUpMs.get(nodeId);
    return untilMs === undefined ? [] : [Math.max(0, ts.getTime() - untilMs)];
  });
}
