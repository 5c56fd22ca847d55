/** Checks that a database has no console's rows before a backup is restored into it. */
import type pg from "pg";
import { connectToMigrate } from "../migrate/connect.ts";
import { readHistory } from "../migrate/history.ts";
import { refused } from "./failures.ts";
import { quoted } from "./tables.ts";

/** A console that has been set up has rows in these tables. */
const TELLING_TABLES = ["user_account", "installation_secret", "node", "audit_event"];

export async function checkEmpty(url: string): Promise<void> {
  const client = await connectToMigrate(url);
  try {
    await assertEmpty(client);
  } finally {
    await client.end();
  }
}

export async function assertEmpty(client: pg.Client): Promise<void> {
  if ((await readHistory(client)).length === 0) return;
  for (const table of TELLING_TABLES) {
    const { rows } = await client.query<{ name: string | null; isFilled: boolean }>(
      "SELECT to_regclass($1)::text AS name",
      [`public.${table}`],
    );
    if (rows[0]?.name == null) continue;
    const found = await client.query(`SELECT 1 FROM public.${quoted(table)} LIMIT 1`);
    if (found.rows.length === 0) continue;
    throw refused(
      `The database is not empty: ${table} has rows. Restore into a new database; nothing was changed.`,
    );
  }
}
