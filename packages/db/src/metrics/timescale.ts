/**
 * Chunks of hypertables, which replace partitions. They are created automatically, and the retention job drops them, in
 * either edition of the extension. The community edition also keeps old chunks compressed, by column; the Apache
 * edition cannot.
 */
import { DAY_MS } from "@stashlight/contracts/time";
import { longStatementMs } from "../session-limits.ts";
import { type MetricConnection, withStatementTimeout } from "./client.ts";
import { RETENTION_MS } from "./retention.ts";
import { type MetricTable, metricTables } from "./table-definitions.ts";
import type { Queryable } from "./write-rows.ts";

/** Age from which a chunk is no longer written: buckets are rebuilt while raw windows may still arrive. */
const STILL_WRITTEN_MS = RETENTION_MS.raw + DAY_MS;
/** Maximum number of chunks that one run of the retention job compresses; the next run continues. */
const COMPRESSED_PER_TURN_MAX = 8;

/** True if the metric tables of this database are hypertables. */
export async function hasHypertables(connection: Queryable): Promise<boolean> {
  const { rows: views } = await connection.query(
    "SELECT 1 WHERE to_regclass('timescaledb_information.hypertables') IS NOT NULL",
  );
  if (views.length === 0) return false;
  const { rows } = await connection.query(
    "SELECT 1 FROM timescaledb_information.hypertables WHERE hypertable_schema = 'metric' LIMIT 1",
  );
  return rows.length > 0;
}

/** Drops the chunks of a table that end by this moment, and returns their names. */
export async function dropChunks(
  connection: MetricConnection,
  table: MetricTable,
  untilMs: number,
): Promise<string[]> {
  const { rows } = await withStatementTimeout(connection, longStatementMs, () =>
    connection.query<{ name: string }>(
      "SELECT public.drop_chunks($1::regclass, older_than => $2::timestamptz)::text AS name",
      [`metric.${table.name}`, new Date(untilMs)],
    ),
  );
  return rows.map(({ name }) => name);
}

/** Compresses chunks that are no longer written, and returns their number. */
export async function compressChunks(connection: MetricConnection, now: Date): Promise<number> {
  const { rows: settings } = await connection.query<{ license: string }>(
    "SELECT current_setting('timescaledb.license') AS license",
  );
  if (settings[0]?.license !== "timescale") return 0;
  const compressed = metricTables.filter(({ resolution }) => resolution !== "raw");
  for (const table of compressed) await allowCompression(connection, table);
  const { rows: chunks } = await connection.query<{ chunk: string }>(
    `SELECT format('%I.%I', chunk_schema, chunk_name) AS chunk FROM timescaledb_information.chunks
      WHERE hypertable_schema = 'metric' AND hypertable_name = ANY ($1) AND NOT is_compressed AND range_end <= $2
      ORDER BY range_end LIMIT $3`,
    [compressed.map(({ name }) => name), new Date(now.getTime() - STILL_WRITTEN_MS), COMPRESSED_PER_TURN_MAX],
  );
  for (const { chunk } of chunks) {
    await withStatementTimeout(connection, longStatementMs, () =>
      connection.query("SELECT public.compress_chunk($1::regclass, if_not_compressed => true)", [chunk]),
    );
  }
  return chunks.length;
}

/** Segments compression by the rows of one query: the buckets of a series, or of a layout. */
async function allowCompression(connection: MetricConnection, { name, key }: MetricTable): Promise<void> {
  const { rows } = await connection.query(
    `SELECT 1 FROM timescaledb_information.hypertables
      WHERE hypertable_schema = 'metric' AND hypertable_name = $1 AND compression_enabled`,
    [name],
  );
  if (rows.length > 0) return;
  const segment = key.split(", ").filter((column) => column !== "ts");
  await connection.query(
    `ALTER TABLE metric.${name} SET (timescaledb.compress, timescaledb.compress_segmentby = '${segment.join(", ")}',
       timescaledb.compress_orderby = 'ts')`,
  );
}
