import type pg from "pg";
import { openPool } from "../coded-pool.ts";
import { type OpenDatabaseOptions, runtimeConnection } from "../connection.ts";

/**
 * Connections to the metric store, in the runtime role. Prisma has no partitioned tables and takes values one by one;
 * metrics are read and written as whole columns.
 */
export type MetricClient = pg.Pool;

/** One connection, inside a transaction. */
export type MetricConnection = pg.PoolClient;

/** Connects on first use. */
export function openMetricClient({
  url,
  purpose,
  applicationName,
  connectionsMax,
}: OpenDatabaseOptions): MetricClient {
  const pool = openPool({
    ...runtimeConnection(url, purpose),
    application_name: applicationName,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    allowExitOnIdle: true,
  });
  // A connection lost while idle is replaced by the next query.
  pool.on("error", () => {});
  // A connection in use has no other listener between two queries: without this one, the end of the database would end
  // the process.
  pool.on("connect", (connection) => connection.on("error", () => {}));
  return pool;
}

/** Commits all changes of `action`, or none. */
export async function inTransaction<Result>(
  client: MetricClient,
  action: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await client.connect();
  try {
    await connection.query("BEGIN");
    const result = await action(connection);
    await connection.query("COMMIT");
    connection.release();
    return result;
  } catch (error) {
    // A connection in an unknown state is not used again.
    const isClean = await connection.query("ROLLBACK").then(
      () => true,
      () => false,
    );
    connection.release(!isClean);
    throw error;
  }
}

/** Allows each statement of `action` this long; afterwards the limit of the connection's purpose applies again. */
export async function withStatementTimeout<Result>(
  connection: pg.PoolClient,
  timeoutMs: number,
  action: () => Promise<Result>,
): Promise<Result> {
  await connection.query(`SET statement_timeout = ${timeoutMs}`);
  try {
    return await action();
  } finally {
    // A lost connection has no limit to restore.
    await connection.query("RESET statement_timeout").catch(() => {});
  }
}
