/** Creates and removes individual databases on a server. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";

export function randomName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString("hex")}`;
}

/** Returns the same login for another database. */
export function urlOfDatabase(url: string, name: string): string {
  const copy = new URL(url);
  copy.pathname = `/${name}`;
  return copy.href;
}

export async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

export interface NewDatabase {
  readonly template?: string | undefined;
  readonly owner?: string | undefined;
}

/** Error code of CREATE DATABASE while an extension's background process is connected to the template. */
const OBJECT_IN_USE = "55006";
const ATTEMPTS_MAX = 50;

export async function createDatabase(
  serverUrl: string,
  name: string,
  { template, owner }: NewDatabase = {},
): Promise<void> {
  const source = template === undefined ? "" : ` TEMPLATE ${template}`;
  const whose = owner === undefined ? "" : ` OWNER ${owner}`;
  await withClient(serverUrl, async (client) => {
    await keepToThisNode(client);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.query(`CREATE DATABASE ${name}${whose}${source}`);
        return;
      } catch (error) {
        if ((error as { code?: string }).code !== OBJECT_IN_USE || attempt === ATTEMPTS_MAX) throw error;
        await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", [
          template,
        ]);
        await delay(20);
      }
    }
  });
}

/**
 * Keeps Citus from repeating the statements on other nodes. Without Citus, the setting is accepted and has no effect.
 */
async function keepToThisNode(client: pg.Client): Promise<void> {
  await client.query("SET citus.enable_ddl_propagation = off");
}

/**
 * Ends all remaining connections and drops the database, without FORCE: only superusers may use FORCE during an
 * autovacuum of the database, which a plain DROP cancels and waits for.
 */
async function dropDatabaseBy(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = $1 AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    [name],
  );
  await keepToThisNode(client);
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, (client) => dropDatabaseBy(client, name));
}
