import pg from "pg";

const LOOPBACK_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

/** Reads rows of the database, to compare with what the page shows. */
export type QueryRows = <Row extends pg.QueryResultRow>(
  sql: string,
  values?: readonly unknown[],
) => Promise<Row[]>;

/** Throws unless the database is on this machine, because specs change and delete its rows. */
export function assertLoopback(databaseUrl: string): void {
  const { hostname } = new URL(databaseUrl);
  if (!LOOPBACK_HOSTS.has(hostname)) {
    throw new Error(`Browser tests only run against a database on this machine, not one on ${hostname}.`);
  }
}

export async function withRows<T>(databaseUrl: string, use: (rows: QueryRows) => Promise<T>): Promise<T> {
  assertLoopback(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await use(async (sql, values = []) => (await client.query(sql, [...values])).rows);
  } finally {
    await client.end();
  }
}
