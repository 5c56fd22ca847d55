import { PrismaPg } from "@prisma/adapter-pg";
import type pg from "pg";
import { openPool } from "./coded-pool.ts";
import { type OpenDatabaseOptions, runtimeConnection } from "./connection.ts";
import { PrismaClient } from "./generated/client.ts";

export type Database = PrismaClient;
/** A database client inside a transaction. */
export type Transaction = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$on" | "$transaction" | "$extends"
>;

/** The open connections of each database client. */
const connectionsOf = new WeakMap<Database, ReadonlySet<pg.PoolClient>>();

export function openDatabase(options: OpenDatabaseOptions): Database {
  const pool = openPool({
    ...runtimeConnection(options.url, options.purpose),
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
  });
  const connections = new Set<pg.PoolClient>();
  pool.on("connect", (connection) => connections.add(connection));
  pool.on("remove", (connection) => connections.delete(connection));
  const adapter = new PrismaPg(pool, { disposeExternalPool: true });
  const database = new PrismaClient({
    adapter,
    transactionOptions: { maxWait: 5_000, timeout: 15_000 },
  });
  connectionsOf.set(database, connections);
  return database;
}

export type BulkConnection = Pick<pg.PoolClient, "query">;

/**
 * The connection of an ORM transaction, for values that are too large for the ORM. Use it between two of the
 * transaction's own queries; its writes commit with them or not at all.
 */
export async function bulkConnection(database: Database, tx: Transaction): Promise<BulkConnection> {
  const [session] = await tx.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  for (const connection of connectionsOf.get(database) ?? []) {
    if ((connection as pg.PoolClient & { processID?: number }).processID === session?.pid) return connection;
  }
  throw new Error(
    "The connection of a transaction was not found. Configure the database's own address, not that of a connection pooler.",
  );
}
