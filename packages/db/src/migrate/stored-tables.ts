/**
 * Checks that the metric store's tables match the storage profile. An ordinary restore of a Citus or TimescaleDB dump
 * creates plain tables instead, all on one machine.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";
import type { StorageProfile } from "./storage-profile.ts";

/** Windows and buckets, which each profile partitions by time. */
const CUT_BY_TIME = "(_(raw|1m|10m|1h)|^batch_seen)$";
/** On Citus these stay on the coordinator, because roll-ups take marks under locks. */
const WHOLE_ON_CITUS = ["rollup_due", "rollup_watermark"];

/** Tables of the metric store, without partitions, for which `condition` reports a mismatch. */
const wrongTables = (condition: string): string =>
  `SELECT c.relname AS name FROM pg_class AS c
    WHERE c.relnamespace = to_regnamespace('metric') AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname !~ '_p[0-9]{8}$' AND (${condition}) ORDER BY 1`;

const conditions: Readonly<Record<StorageProfile, string>> = {
  plain: `c.relname ~ '${CUT_BY_TIME}' AND c.relkind <> 'p'`,
  timescale: `c.relname ~ '${CUT_BY_TIME}' AND NOT EXISTS (SELECT FROM timescaledb_information.hypertables AS h
                WHERE h.hypertable_schema = 'metric' AND h.hypertable_name = c.relname)`,
  citus: `c.relname <> ALL ('{${WHOLE_ON_CITUS.join(",")}}') AND NOT EXISTS (SELECT FROM pg_dist_partition AS d
            WHERE d.logicalrelid = c.oid)`,
};

const meanings: Readonly<Record<StorageProfile, string>> = {
  plain: "cut by time into partitions",
  timescale: "hypertables of TimescaleDB",
  citus: "spread over the machines of Citus",
};

export async function assertTables(client: pg.ClientBase, profile: StorageProfile): Promise<void> {
  const { rows } = await client.query<{ name: string }>(wrongTables(conditions[profile]));
  if (rows.length === 0) return;
  const some = rows.slice(0, 3).map(({ name }) => `metric.${name}`);
  const rest = rows.length > some.length ? ` and ${rows.length - some.length} more` : "";
  throw new StashlightError(
    "precondition_failed",
    `The storage profile ${profile} needs tables that are ${meanings[profile]}; these are not: ${some.join(", ")}${rest}, as after a restore by the steps of another profile; restore the backup by those of ${profile} in docs/backup.md.`,
  );
}
