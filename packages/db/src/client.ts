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
const runtimeSessionOptions = `-c role=${runtimeRole} -c TimeZone=UTC`;

export interface RuntimeConnection {
  connectionString: string;
  options: string;
}

/**
 * How to connect in the runtime role. node-postgres lets `?options=` of the connection string replace the options
 * it is given, so they are taken out of it and put before ours: of two values for a setting, the last one holds.
 */
export function runtimeConnection(url: string): RuntimeConnection {
  const [address = "", query = ""] = url.split("#", 1)[0]?.split(/\?(.*)/s) ?? [];
  const parameters = new URLSearchParams(query);
  const own = parameters.getAll("options").at(-1);
  if (own === undefined) return { connectionString: url, options: runtimeSessionOptions };
  parameters.delete("options");
  const rest = parameters.size === 0 ? "" : `?${parameters}`;
  return { connectionString: `${address}${rest}`, options: `${own} ${runtimeSessionOptions}` };
}

export function openDatabase(options: OpenDatabaseOptions): Database {
  const adapter = new PrismaPg({
    ...runtimeConnection(options.url),
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
  });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 5_000, timeout: 15_000 } });
}
