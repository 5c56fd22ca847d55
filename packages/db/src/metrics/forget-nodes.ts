/** Deletes all data of simulated nodes, and series and layouts that are no longer used. */
import { DAY_MS } from "@stashlight/contracts/time";
import { binaryArray } from "./binary-array.ts";
import type { MetricConnection } from "./client.ts";
import { PARTITION_DAYS, RETENTION_MS } from "./retention.ts";
import { dayNumber, lockAllSeries } from "./series.ts";
import { metricTables } from "./table-definitions.ts";
import type { Queryable } from "./write-rows.ts";

/** Series are deleted last, because they let a retry find the rest of an interrupted deletion. */
const SMALL_TABLES = [
  ...[
    "rollup_due",
    "rollup_watermark",
    "gap",
    "refused",
    "upload_trace",
    "node_state",
    "sample_layout",
    "series",
  ],
];

/**
 * Each statement commits by itself and can be repeated; nothing of these nodes may be written in parallel. Their fleets
 * are deleted too, because merged data covers all members; remaining members create new fleets with their next report.
 */
export async function forgetNodes(db: Queryable, nodeIds: readonly string[]): Promise<void> {
  await forgetFleets(db, nodeIds);
  await forgetRows(db, nodeIds);
}

async function forgetRows(db: Queryable, nodeIds: readonly string[]): Promise<void> {
  for (const name of [...metricTables.map((table) => table.name), ...SMALL_TABLES]) {
    await repeatAfterDeadlock(() =>
      db.query(`DELETE FROM metric.${name} WHERE node_id = ANY ($1::uuid[])`, [binaryArray.uuid(nodeIds)]),
    );
  }
}

const DEADLOCK_DETECTED = "40P01";
const REPEATED_AT_MOST = 10;

/** A running roll-up may have locked the same rows in another order, in which case Postgres aborts one of the two. */
async function repeatAfterDeadlock(statement: () => Promise<unknown>): Promise<void> {
  for (let repeated = 0; ; repeated += 1) {
    try {
      await statement();
      return;
    } catch (error) {
      const isDeadlock = (error as { readonly code?: unknown }).code === DEADLOCK_DETECTED;
      if (!isDeadlock || repeated === REPEATED_AT_MOST) throw error;
    }
  }
}

async function forgetFleets(db: Queryable, nodeIds: readonly string[]): Promise<void> {
  const { rows } = await db.query<{ id: string }>(
    `WITH RECURSIVE above AS (
       SELECT fleet_id FROM metric.fleet_member WHERE node_id = ANY ($1::uuid[])
       UNION SELECT m.fleet_id FROM metric.fleet_member AS m JOIN above AS a ON m.node_id = a.fleet_id)
     SELECT fleet_id AS id FROM above`,
    [binaryArray.uuid(nodeIds)],
  );
  if (rows.length === 0) return;
  const fleetIds = rows.map(({ id }) => id);
  // Without data, series answer nothing; while they exist, a retry of an interrupted deletion finds them.
  await db.query("DELETE FROM metric.series WHERE node_id = ANY ($1::uuid[])", [binaryArray.uuid(fleetIds)]);
  await forgetRows(db, fleetIds);
  const ids = [binaryArray.uuid(fleetIds)];
  await db.query(
    "DELETE FROM metric.fleet_member WHERE fleet_id = ANY ($1::uuid[]) OR node_id = ANY ($1::uuid[])",
    ids,
  );
  await db.query("DELETE FROM metric.fleet WHERE node_id = ANY ($1::uuid[])", ids);
}

/**
 * Returns those of these nodes that have been rolled up at least once, which excludes a node whose history is being
 * filled.
 */
export async function rolledUpNodes(db: Queryable, nodeIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ node_id: string }>(
    "SELECT DISTINCT node_id FROM metric.rollup_watermark WHERE node_id = ANY ($1::uuid[])",
    [binaryArray.uuid(nodeIds)],
  );
  return new Set(rows.map(({ node_id }) => node_id));
}

/**
 * The last row of a series is deleted with its partition, which happens when all of the partition is past its
 * retention. A process marks a series as used once a day (`services/src/metrics/ingest/known-ids.ts`), so its last row
 * may be a day later than its last mark. Another day allows for buckets, which end after the windows in them.
 */
const LAYOUT_UNUSED_DAYS = RETENTION_MS["1h"] / DAY_MS + PARTITION_DAYS["1h"] + 2;
/**
 * A layout is deleted before its series, which may have been marked a day earlier, so that it never refers to a missing
 * one.
 */
const SERIES_UNUSED_DAYS = LAYOUT_UNUSED_DAYS + 2;

export interface Forgotten {
  readonly layoutCount: number;
  readonly seriesCount: number;
}

/** Deletes layouts and series that have been unused for longer than any row is kept, in the caller's transaction. */
export async function forgetUnused(connection: MetricConnection, now: Date): Promise<Forgotten> {
  await lockAllSeries(connection);
  const forget = async (table: "sample_layout" | "series", days: number): Promise<number> => {
    const { rowCount } = await connection.query(
      `DELETE FROM metric.${table} WHERE used_on < date '1970-01-01' + $1::int4`,
      [dayNumber(now.getTime()) - days],
    );
    return rowCount ?? 0;
  };
  const layoutCount = await forget("sample_layout", LAYOUT_UNUSED_DAYS);
  return { layoutCount, seriesCount: await forget("series", SERIES_UNUSED_DAYS) };
}
