/** The tables of a console, except the metric store and short-lived state. */
import type pg from "pg";

export interface BackupTable {
  /** Qualified with its schema, quoted as SQL requires. */
  readonly name: string;
  /** In the order of a row's text; generated columns are left out of a restore and recomputed. */
  readonly columns: readonly { readonly name: string; readonly isGenerated: boolean }[];
  /** Columns by which its rows are ordered; the audit log is checked in this order. */
  readonly order: readonly string[];
}

/**
 * Tables without a backup: the record of migrations, which a restore writes itself, and sessions, sign-in attempts and
 * running processes, which are not valid after it.
 */
const PASSING: ReadonlySet<string> = new Set([
  "_prisma_migrations",
  "session",
  "verification",
  "rate_limit",
  "process_heartbeat",
]);

/** Orders that differ from the primary key. */
const ORDERS: Readonly<Record<string, readonly string[]>> = {
  audit_event: ["sequence"],
  audit_seal: ["first_sequence"],
};

/** The head of the audit log; its own role writes it (migrate/audit-guard.ts). */
export const AUDIT_HEAD = "audit_guard.head";

export async function readTables(client: pg.Client): Promise<BackupTable[]> {
  const tables = await describeTables(
    client,
    `c.relkind = 'r' AND (n.nspname = 'public' OR n.nspname || '.' || c.relname = '${AUDIT_HEAD}')`,
  );
  return tables.filter(({ name }) => !PASSING.has(name.replace(/^public\./, "")));
}

/** `condition` refers to the table as `c` and to the schema as `n`. */
export async function describeTables(client: pg.Client, condition: string): Promise<BackupTable[]> {
  const { rows } = await client.query<{
    schema: string;
    table: string;
    columns: BackupTable["columns"];
    key: string[] | null;
  }>(`
    SELECT n.nspname AS schema, c.relname AS table,
           (SELECT json_agg(json_build_object('name', a.attname, 'isGenerated', a.attgenerated <> '') ORDER BY a.attnum)
              FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
           (SELECT array_agg(a.attname::text ORDER BY a.attnum)
              FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = ANY (i.indkey)
             WHERE i.indrelid = c.oid AND i.indisprimary) AS key
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE ${condition}
     ORDER BY n.nspname DESC, c.relname`);
  return rows.map(({ schema, table, columns, key }) => ({
    name: `${schema}.${table}`,
    columns,
    order: ORDERS[table] ?? key ?? [],
  }));
}

export const quoted = (name: string): string =>
  name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");

/** Key id with which the database was set up; null before its first start. */
export async function readKeyId(client: pg.Client): Promise<string | null> {
  const { rows: tables } = await client.query(
    "SELECT 1 WHERE to_regclass('public.installation_secret') IS NOT NULL",
  );
  if (tables.length === 0) return null;
  const { rows } = await client.query<{ key_id: string }>("SELECT key_id FROM installation_secret");
  return rows[0]?.key_id ?? null;
}
