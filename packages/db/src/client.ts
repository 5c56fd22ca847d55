import { PrismaPg } from "@prisma/adapter-pg";
import { PrismaClient } from "./generated/client.ts";
import { runtimeRole } from "./migrate/runtime-role.ts";

export interface OpenDatabaseOptions {
  /** Connection string of a login role that is a member of the runtime role. */
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName: string;
  connectionsMax: number;
}

export type Database = PrismaClient;
/** A database client inside a transaction. */
export type Transaction = Omit<
  PrismaClient,
  "$connect" | "$disconnect" | "$on" | "$transaction" | "$extends"
>;

/**
 * The startup options that make a session act as the runtime role, whichever role logged in, and speak UTC: the
 * adapter writes instants without an offset, so another zone would shift them.
 */
export const runtimeSessionOptions = `-c role=${runtimeRole} -c TimeZone=UTC`;

export function openDatabase(options: OpenDatabaseOptions): Database {
  const adapter = new PrismaPg({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    options: runtimeSessionOptions,
  });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 15_000 } });
}
