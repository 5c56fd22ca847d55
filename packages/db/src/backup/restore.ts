/**
 * Brings a backup into a database without a console's data. The migrations come first, as at any start; all rows come in
 * one transaction, so a restore that fails leaves a database that is as empty as before.
 */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";
import { auditGuardSchema, auditorRole } from "../migrate/audit-guard.ts";
import { connectToMigrate } from "../migrate/connect.ts";
import { readHistory } from "../migrate/history.ts";
import { migrateDatabase, type StorageProfile } from "../migrate/index.ts";
import { migrationsDirectory, readMigrations } from "../migrate/migrations.ts";
import { runtimeRole } from "../migrate/runtime-role.ts";
import { type BackupEnd, type BackupHeader, type BackupItem, readBackupFile } from "./file.ts";
import { providePartitions, readMetricTables, setMetricIds } from "./metric-tables.ts";
import { AUDIT_HEAD, type BackupTable, quoted, readTables } from "./tables.ts";

export interface RestoreOptions {
  /** Connection string of the role that owns, or may own, the schema. */
  readonly ownerUrl: string;
  readonly path: string;
  /** The backup knows its own; this is for a database that keeps its metrics in another way. */
  readonly profile?: StorageProfile | undefined;
  /** Throws if the key that the database's encrypted values need is not this one; given before anything is kept. */
  readonly checkKey?: (keyId: string) => void;
  readonly log?: (line: string) => void;
}

export interface Restored extends BackupEnd {
  readonly createdAt: string;
  /** The key of the installation; null if it was never set up. */
  readonly keyId: string | null;
}

const ROWS_AT_A_TIME = 200;
const BYTES_AT_A_TIME = 4_194_304;
/** A console that was set up has rows here. */
const TELLING_TABLES = ["user_account", "installation_secret", "node", "audit_event"];

export async function restore(options: RestoreOptions): Promise<Restored> {
  const { ownerUrl, path, log } = options;
  const header = await readHeader(path);
  await assertSameMigrations(header);
  await assertEmpty(ownerUrl);
  await migrateDatabase({ ownerUrl, profile: options.profile ?? header.profile, ...(log && { log }) });
  const client = await connectToMigrate(ownerUrl);
  try {
    await client.query("BEGIN");
    const foreignKeys = await dropForeignKeys(client);
    const ofConsole = await readTables(client);
    for (const { name } of ofConsole)
      if (name !== AUDIT_HEAD) await client.query(`DELETE FROM ${quoted(name)}`);
    const all = [...ofConsole, ...(await readMetricTables(client))];
    const tables = new Map(all.map((table) => [table.name, table]));
    const end = await bringRows(client, path, tables);
    await setSequences(client);
    if (end.metricRowCount !== null) await asRole(client, runtimeRole, () => setMetricIds(client));
    for (const statement of foreignKeys) await client.query(statement);
    const keyId = await readKeyId(client);
    if (keyId !== null) options.checkKey?.(keyId);
    await client.query("COMMIT");
    return { ...end, createdAt: header.createdAt, keyId };
  } finally {
    await client.end();
  }
}

async function readHeader(path: string): Promise<BackupHeader> {
  for await (const item of readBackupFile(path)) if (item.type === "header") return item.header;
  throw new Error("The first item of a backup is its header.");
}

async function assertSameMigrations({ migrations }: BackupHeader): Promise<void> {
  const known = (await readMigrations(migrationsDirectory)).map(({ name }) => name);
  const foreign = migrations.find((name) => !known.includes(name));
  const missing = known.find((name) => !migrations.includes(name));
  if (foreign !== undefined) throw other(`has the migration ${foreign}, which this version does not know`);
  if (missing !== undefined) throw other(`lacks the migration ${missing} of this version`);
}

const other = (what: string): StashlightError =>
  new StashlightError(
    "precondition_failed",
    `The backup ${what}; restore it with the version that made it, and upgrade then.`,
  );

async function assertEmpty(url: string): Promise<void> {
  const client = await connectToMigrate(url);
  try {
    if ((await readHistory(client)).length === 0) return;
    for (const table of TELLING_TABLES) {
      const { rows } = await client.query<{ name: string | null; isFilled: boolean }>(
        "SELECT to_regclass($1)::text AS name",
        [`public.${table}`],
      );
      if (rows[0]?.name == null) continue;
      const found = await client.query(`SELECT 1 FROM public.${quoted(table)} LIMIT 1`);
      if (found.rows.length === 0) continue;
      throw new StashlightError(
        "precondition_failed",
        `The database is not empty: ${table} has rows. Restore into a new database; nothing was changed.`,
      );
    }
  } finally {
    await client.end();
  }
}

/** Rows come table by table, and some tables refer to each other. Resolves with the statements that put the keys back. */
async function dropForeignKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(oid) AS definition
      FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0
     ORDER BY 1, 2`);
  for (const { table, name } of rows)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${quoted(name)}`);
  return rows.map(
    ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${quoted(name)} ${definition}`,
  );
}

async function bringRows(
  client: pg.Client,
  path: string,
  tables: ReadonlyMap<string, BackupTable>,
): Promise<BackupEnd> {
  let table: BackupTable | null = null;
  let waiting: string[] = [];
  let waitingBytes = 0;
  let rowCount = 0;
  let metricRowCount = 0;
  let end: BackupEnd | null = null;
  const insert = async () => {
    if (table !== null && waiting.length > 0) await insertRows(client, table, waiting);
    if (table !== null && isOfMetrics(table)) metricRowCount += waiting.length;
    rowCount += waiting.length;
    waiting = [];
    waitingBytes = 0;
  };
  for await (const item of readBackupFile(path)) {
    if (item.type === "row") {
      waiting.push(item.row);
      waitingBytes += item.row.length;
      if (waiting.length >= ROWS_AT_A_TIME || waitingBytes >= BYTES_AT_A_TIME) await insert();
      continue;
    }
    await insert();
    if (item.type === "table") table = await openTable(client, item, tables);
    if (item.type === "end") end = item.end;
  }
  // The reader has compared the checksum of the whole by now.
  if (end?.rowCount === rowCount && (end.metricRowCount ?? 0) === metricRowCount) return end;
  throw new StashlightError(
    "invalid_input",
    `${path} is not whole: it was cut off or changed. Use another backup.`,
  );
}

async function openTable(
  client: pg.Client,
  item: Extract<BackupItem, { type: "table" }>,
  tables: ReadonlyMap<string, BackupTable>,
): Promise<BackupTable> {
  const table = tableLike(item, tables);
  const { span } = item;
  if (span !== undefined) await asRole(client, runtimeRole, () => providePartitions(client, table, span));
  return table;
}

const isOfMetrics = ({ name }: BackupTable): boolean => name.startsWith("metric.");

function tableLike(
  { table: name, columns }: { readonly table: string; readonly columns: readonly string[] },
  tables: ReadonlyMap<string, BackupTable>,
): BackupTable {
  const table = tables.get(name);
  const known = table?.columns.map((column) => column.name).join(", ");
  if (table !== undefined && known === columns.join(", ")) return table;
  throw other(`has the table ${name} with other columns than this version`);
}

async function insertRows(client: pg.Client, table: BackupTable, rows: readonly string[]): Promise<void> {
  const { name, columns } = table;
  const stored = columns.filter(({ isGenerated }) => !isGenerated).map((column) => quoted(column.name));
  const isHead = name === AUDIT_HEAD;
  if (isHead) await actAsAuditor(client);
  if (isOfMetrics(table)) await client.query(`SET LOCAL ROLE ${runtimeRole}`);
  if (isHead) await client.query(`DELETE FROM ${quoted(name)}`);
  await client.query(
    `INSERT INTO ${quoted(name)} (${stored.join(", ")}) OVERRIDING SYSTEM VALUE
     SELECT ${stored.map((column) => `(given.r).${column}`).join(", ")}
       FROM (SELECT text::${quoted(name)} AS r, place FROM unnest($1::text[]) WITH ORDINALITY AS lines (text, place)) AS given
      ORDER BY given.place`,
    [rows],
  );
  if (isHead || isOfMetrics(table)) await client.query("RESET ROLE");
}

async function asRole(client: pg.Client, role: string, work: () => Promise<void>): Promise<void> {
  await client.query(`SET LOCAL ROLE ${role}`);
  await work();
  await client.query("RESET ROLE");
}

/** Without the right to do so the head still belongs to this login. */
async function actAsAuditor(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owner: string; me: string }>(
    "SELECT pg_get_userbyid(nspowner) AS owner, current_user::text AS me FROM pg_namespace WHERE nspname = $1",
    [auditGuardSchema],
  );
  if (rows[0]?.owner === auditorRole) await client.query(`SET LOCAL ROLE ${auditorRole}`);
}

/** Numbers that are given out by the database go on after those that are taken. */
async function setSequences(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    SELECT c.oid::regclass::text AS table, a.attname AS column,
           pg_get_serial_sequence(c.oid::regclass::text, a.attname) AS sequence
      FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
       AND pg_get_serial_sequence(c.oid::regclass::text, a.attname) IS NOT NULL`);
  for (const { table, column, sequence } of rows) {
    await client.query(
      `SELECT setval($1, greatest(1, (SELECT max(${quoted(column)}) FROM ${table})),
                     (SELECT max(${quoted(column)}) FROM ${table}) IS NOT NULL)`,
      [sequence],
    );
  }
}

async function readKeyId(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ key_id: string }>("SELECT key_id FROM installation_secret");
  return rows[0]?.key_id ?? null;
}
