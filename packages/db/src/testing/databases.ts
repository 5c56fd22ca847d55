/** Single databases on a server, made and removed from outside. */
import { randomBytes } from "node:crypto";
import pg from "pg";

export function randomName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString("hex")}`;
}

/** The same login, another database. */
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

export async function createDatabase(serverUrl: string, name: string, template?: string): Promise<void> {
  const source = template === undefined ? "" : ` TEMPLATE ${template}`;
  await withClient(serverUrl, (client) => client.query(`CREATE DATABASE ${name}${source}`));
}

/**
 * Ends whoever is still connected. Not by FORCE: it is refused to all but superusers while a vacuum of the server's own
 * is in the database, which a plain DROP asks to end and waits for.
 */
export async function dropDatabaseBy(client: pg.Client, name: string): Promise<void> {
  await client.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = $1 AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    [name],
  );
  await client.query(`DROP DATABASE IF EXISTS ${name}`);
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withClient(serverUrl, (client) => dropDatabaseBy(client, name));
}
