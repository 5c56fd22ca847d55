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

/** Each statement commits by itself and can be repeated; nothing of these nodes may be written meanwhile. */
export async function forgetNodes(db: Queryable, nodeIds: readonly string[]): Promise<void> {
  for (const name of [...metricTables.map((table) => table.name), ...SMALL_TABLES]) {
    await db.query(`DELETE FROM metric.${name} WHERE node_id = ANY ($1::uuid[])`, [
      binaryArray.uuid(nodeIds),
    ]);
  }
}

/** Of these nodes, those that were rolled up once; a node whose history is being filled is not among them. */
export async function rolledUpNodes(db: Queryable, nodeIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ node_id: string }>(
    "SELECT DISTINCT node_id FROM metric.rollup_watermark WHERE node_id = ANY ($1::uuid[])",
    [binaryArray.uuid(nodeIds)],
  );
  return new Set(rows.map(({ node_id }) => node_id));
}
