/** Takes all away that nodes ever sent: for nodes that were only simulated. */
import { binaryArray } from "./binary-array.ts";
import { metricTables } from "./layout.ts";
import type { Queryable } from "./write.ts";

/** Series go last: what is interrupted is found again by them. */
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
 * Each statement commits by itself and can be repeated; nothing of these nodes may be written meanwhile. The fleets that
 * they were in go too, since what these merged ahead is of all their members; who is left of them makes new ones when it
 * tells something.
 */
export async function forgetNodes(db: Queryable, nodeIds: readonly string[]): Promise<void> {
  await forgetFleets(db, nodeIds);
  await forgetRows(db, nodeIds);
}

async function forgetRows(db: Queryable, nodeIds: readonly string[]): Promise<void> {
  for (const name of [...metricTables.map((table) => table.name), ...SMALL_TABLES]) {
    await db.query(`DELETE FROM metric.${name} WHERE node_id = ANY ($1::uuid[])`, [
      binaryArray.uuid(nodeIds),
    ]);
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
  // Without series they answer nothing; while they are listed, what is interrupted is found again by them.
  await db.query("DELETE FROM metric.series WHERE node_id = ANY ($1::uuid[])", [binaryArray.uuid(fleetIds)]);
  await forgetRows(db, fleetIds);
  await db.query(
    `WITH members AS (
       DELETE FROM metric.fleet_member WHERE fleet_id = ANY ($1::uuid[]) OR node_id = ANY ($1::uuid[]))
     DELETE FROM metric.fleet WHERE node_id = ANY ($1::uuid[])`,
    [binaryArray.uuid(fleetIds)],
  );
}

/** Of these nodes, those that were rolled up once; a node whose history is being filled is not among them. */
export async function rolledUpNodes(db: Queryable, nodeIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ node_id: string }>(
    "SELECT DISTINCT node_id FROM metric.rollup_watermark WHERE node_id = ANY ($1::uuid[])",
    [binaryArray.uuid(nodeIds)],
  );
  return new Set(rows.map(({ node_id }) => node_id));
}
