/**
 * The metric store in a backup. The role that owns the rows reads and writes them, unsorted, because sorting would need
 * as much space as the store. The tables are the same in each storage profile; partitions are recreated.
 */
import { DAY_MS } from "@stashlight/contracts/time";
import type pg from "pg";
import { PARTITION_DAYS } from "../metrics/retention.ts";
import { metricTables } from "../metrics/table-definitions.ts";
import type { TableSpan } from "./lines.ts";
import { type BackupTable, describeTables, quoted } from "./tables.ts";

const SCHEMA = "metric";

export const isMetricTable = (name: string): boolean => name.startsWith(`${SCHEMA}.`);

/** Lists tables without their partitions, whose rows belong to the table. */
export async function readMetricTables(client: pg.Client): Promise<BackupTable[]> {
  const tables = await describeTables(
    client,
    `n.nspname = '${SCHEMA}' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname !~ '_p[0-9]{8}$'`,
  );
  return tables.map((table) => ({ ...table, order: [] }));
}

const cutByTime = ({ name }: Pick<BackupTable, "name">) =>
  metricTables.find((table) => `${SCHEMA}.${table.name}` === name);

/** Returns null for a table that is empty or not partitioned by time. */
export async function readSpan(client: pg.Client, table: BackupTable): Promise<TableSpan | null> {
  if (cutByTime(table) === undefined) return null;
  const { rows } = await client.query<{ from: Date | null; to: Date | null }>(
    `SELECT min(ts) AS from, max(ts) AS to FROM ${quoted(table.name)}`,
  );
  const { from = null, to = null } = rows[0] ?? {};
  return from === null || to === null ? null : { fromMs: from.getTime(), toMs: to.getTime() };
}

/** Creates the partitions for rows of this time span; TimescaleDB creates its chunks itself. */
export async function providePartitions(
  client: pg.Client,
  table: BackupTable,
  { fromMs, toMs }: TableSpan,
): Promise<void> {
  const cut = cutByTime(table);
  if (cut === undefined || !(await isPartitioned(client, table))) return;
  const partitionMs = PARTITION_DAYS[cut.resolution] * DAY_MS;
  for (let number = Math.floor(fromMs / partitionMs); number <= Math.floor(toMs / partitionMs); number += 1) {
    const [begin, end] = [number, number + 1].map((each) => new Date(each * partitionMs).toISOString()) as [
      string,
      string,
    ];
    const name = `${SCHEMA}.${cut.name}_p${begin.slice(0, 10).replaceAll("-", "")}`;
    const { rows } = await client.query("SELECT 1 WHERE to_regclass($1) IS NOT NULL", [name]);
    if (rows.length > 0) continue;
    await client.query(`CREATE TABLE ${quoted(name)} (LIKE ${quoted(table.name)} INCLUDING ALL)`);
    await client.query(
      `ALTER TABLE ${quoted(table.name)} ATTACH PARTITION ${quoted(name)} FOR VALUES FROM ('${begin}') TO ('${end}')`,
    );
  }
}

async function isPartitioned(client: pg.Client, { name }: BackupTable): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT 1 FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'p'",
    [name],
  );
  return rows.length > 0;
}

/** Continues the ids of series and layouts after the highest one in use. */
export async function setMetricIds(client: pg.Client): Promise<void> {
  await client.query(
    `SELECT setval('${SCHEMA}.id', greatest(1, (SELECT max(id) FROM ${SCHEMA}.series),
                                           (SELECT max(id) FROM ${SCHEMA}.sample_layout)))`,
  );
}
