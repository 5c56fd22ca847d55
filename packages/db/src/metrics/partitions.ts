/**
 * Maintains partitions: creates those of the days ahead, and removes those in which all rows are past their retention.
 * A partition is first detached without locking its table, so that readers and writers continue, and then dropped. If
 * the process ends between the two, the next run continues there.
 */
import { DAY_MS } from "@stashlight/contracts/time";
import type pg from "pg";
import { longStatementMs } from "../session-limits.ts";
import { type MetricClient, withStatementTimeout } from "./client.ts";
import { BUCKET_MS, PARTITION_DAYS, RETENTION_MS, type Resolution } from "./retention.ts";
import { metricTables } from "./table-definitions.ts";
import { compressChunks, dropChunks, hasHypertables } from "./timescale.ts";
import type { Queryable } from "./write-rows.ts";

const LOCK = "hashtext('metric.keeper')";

interface Partition {
  readonly name: string;
  readonly table: string;
  readonly resolution: Resolution;
  readonly endMs: number;
  readonly state: "attached" | "detaching" | "detached";
}

export interface PartitionChanges {
  readonly madeCount: number;
  readonly droppedNames: readonly string[];
  /** Always 0 except on TimescaleDB's community edition. */
  readonly compressedCount: number;
}

/** Returns null if another process is maintaining partitions. */
export async function maintainPartitions(client: MetricClient, now: Date): Promise<PartitionChanges | null> {
  const connection = await client.connect();
  let isLocked = false;
  try {
    isLocked =
      (await connection.query(`SELECT pg_try_advisory_lock(${LOCK}) AS held`)).rows[0]?.held === true;
    if (!isLocked) return null;
    const madeCount = await ensurePartitions(connection, now);
    const untilMs = await retentionEnds(connection, now);
    if (await hasHypertables(connection)) {
      const droppedNames: string[] = [];
      for (const table of metricTables) {
        droppedNames.push(...(await dropChunks(connection, table, untilMs[table.resolution])));
      }
      return { madeCount, droppedNames, compressedCount: await compressChunks(connection, now) };
    }
    return { madeCount, droppedNames: await dropExpired(connection, untilMs), compressedCount: 0 };
  } finally {
    const isFree =
      !isLocked ||
      (await connection.query(`SELECT pg_advisory_unlock(${LOCK})`).then(
        () => true,
        () => false,
      ));
    connection.release(!isFree);
  }
}

/** Creates the missing partitions of the days ahead and returns their number. */
export async function ensurePartitions(db: Pick<pg.Pool, "query">, now: Date): Promise<number> {
  const { rows } = await db.query<{ made: number }>("SELECT metric.ensure_partitions($1) AS made", [now]);
  return rows[0]?.made ?? 0;
}

async function listPartitions(connection: pg.PoolClient): Promise<Partition[]> {
  const { rows } = await connection.query<{ name: string; pending: boolean | null }>(
    `SELECT c.relname AS name, i.inhdetachpending AS pending FROM pg_class c
       LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
      WHERE c.relnamespace = 'metric'::regnamespace AND c.relkind = 'r' AND c.relname ~ '_p[0-9]{8}$' ORDER BY 1`,
  );
  return rows.flatMap(({ name, pending }) => {
    const [, tableName, date] = /^(.*)_p(\d{8})$/.exec(name) ?? [];
    const table = metricTables.find((each) => each.name === tableName);
    if (table === undefined || date === undefined) return [];
    const beginMs = Date.parse(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T00:00:00Z`);
    const endMs = beginMs + PARTITION_DAYS[table.resolution] * DAY_MS;
    const state = pending === null ? "detached" : pending ? "detaching" : "attached";
    return [{ name, table: table.name, resolution: table.resolution, endMs, state }];
  });
}

async function dropExpired(
  connection: pg.PoolClient,
  untilMs: Readonly<Record<Resolution, number>>,
): Promise<string[]> {
  const expired = (await listPartitions(connection)).filter(
    ({ endMs, resolution }) => endMs <= untilMs[resolution],
  );
  for (const partition of expired) {
    await withStatementTimeout(connection, longStatementMs, () => drop(connection, partition));
  }
  return expired.map(({ name }) => name);
}

/** Moment before which each resolution may be removed; raw windows are kept until they are rolled up. */
async function retentionEnds(
  connection: pg.PoolClient,
  now: Date,
): Promise<Readonly<Record<Resolution, number>>> {
  const dueMs = await oldestDueMs(connection);
  const retentionEndMs = (resolution: Resolution): number => now.getTime() - RETENTION_MS[resolution];
  return {
    raw: Math.min(retentionEndMs("raw"), dueMs === null ? Number.POSITIVE_INFINITY : dueMs - BUCKET_MS["1m"]),
    "1m": retentionEndMs("1m"),
    "10m": retentionEndMs("10m"),
    "1h": retentionEndMs("1h"),
  };
}

async function oldestDueMs(connection: pg.PoolClient): Promise<number | null> {
  const { rows } = await connection.query<{ ts: Date | null }>(
    "SELECT min(ts) AS ts FROM metric.rollup_due WHERE level = 1",
  );
  return rows[0]?.ts?.getTime() ?? null;
}

async function drop(connection: pg.PoolClient, { name, table, state }: Partition): Promise<void> {
  if (state === "attached") {
    // Citus can detach a partition of a distributed table only while locking it.
    const how = (await isDistributed(connection, table)) ? "" : " CONCURRENTLY";
    await connection.query(`ALTER TABLE metric.${table} DETACH PARTITION metric.${name}${how}`);
  }
  if (state === "detaching") {
    await connection.query(`ALTER TABLE metric.${table} DETACH PARTITION metric.${name} FINALIZE`);
  }
  await connection.query(`DROP TABLE metric.${name}`);
}

export async function isDistributed(connection: Queryable, table: string): Promise<boolean> {
  const { rows: citus } = await connection.query(
    "SELECT 1 FROM pg_class WHERE oid = to_regclass('pg_catalog.pg_dist_partition')",
  );
  if (citus.length === 0) return false;
  const { rows } = await connection.query(
    "SELECT 1 FROM pg_catalog.pg_dist_partition WHERE logicalrelid = $1::regclass",
    [`metric.${table}`],
  );
  return rows.length > 0;
}
