/**
 * Restores a backup into a database without a console's data. The whole file is verified before the database is
 * touched. Migrations run first, as at any start; all rows are inserted in one transaction, which verifies the file
 * again, so a failed restore leaves the database as empty as before.
 */
import type { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";
import { auditGuardSchema, auditorRole } from "../migrate/audit-guard.ts";
import { connectToMigrate } from "../migrate/connect.ts";
import { migrateDatabase, type StorageProfile } from "../migrate/index.ts";
import { migrationsDirectory, readMigrations } from "../migrate/migrations.ts";
import { runtimeRole } from "../migrate/runtime-role.ts";
import { type BackupEnd, type BackupHeader, isSameMac } from "./chunk-format.ts";
import { assertEmpty, checkEmpty } from "./empty-database.ts";
import { cutOffOrChanged, explainDatabaseError, refused } from "./failures.ts";
import type { BackupItem } from "./lines.ts";
import { isMetricTable, providePartitions, readMetricTables, setMetricIds } from "./metric-tables.ts";
import { type BackupFile, type BackupTrust, openBackupFile } from "./read-file.ts";
import { AUDIT_HEAD, type BackupTable, quoted, readKeyId, readTables } from "./tables.ts";
import { assertCounts, verifyWhole } from "./verify-file.ts";

export interface RestoreOptions {
  /** Connection string of the role that owns, or may own, the schema. */
  readonly ownerUrl: string;
  readonly path: string;
  readonly trust: BackupTrust;
  /** Storage profile of the target, if it differs from that in the backup. */
  readonly profile?: StorageProfile | undefined;
  /** Throws if this is not the key of the database's encrypted values; called before any row is stored. */
  readonly checkKey?: (keyId: string) => void;
  /** Runs as the last statements of the transaction. */
  readonly beforeCommit?: (tx: RestoreTransaction, file: RestoredFile) => Promise<void>;
  readonly log?: (line: string) => void;
}

export interface RestoreTransaction {
  query<Row>(text: string, values: readonly unknown[]): Promise<Row[]>;
}

export interface RestoredFile {
  readonly createdAt: string;
  /** Key id in the file, proven only if the file was verified; null in a format without one. */
  readonly writerKeyId: string | null;
}

export interface Restored extends BackupEnd, RestoredFile {
  /** Key id of the installation; null if it was never set up. */
  readonly keyId: string | null;
}

const ROWS_AT_A_TIME = 200;
const BYTES_AT_A_TIME = 4_194_304;

export async function restore(options: RestoreOptions): Promise<Restored> {
  const { ownerUrl, path, log } = options;
  const file = await openBackupFile(path, options.trust);
  try {
    await assertSameMigrations(file.header);
    await checkEmpty(ownerUrl);
    const digest = await verifyWhole(file, path);
    await migrateDatabase({ ownerUrl, profile: options.profile ?? file.header.profile, ...(log && { log }) });
    return await insertAll(file, digest, options);
  } catch (error) {
    throw explainDatabaseError(error, "Nothing was restored");
  } finally {
    await file.close();
  }
}

async function insertAll(file: BackupFile, digest: Buffer, options: RestoreOptions): Promise<Restored> {
  const { header, keyId: writerKeyId } = file;
  const client = await connectToMigrate(options.ownerUrl);
  try {
    await client.query("BEGIN");
    const ofConsole = await readTables(client);
    await lockTables(client, ofConsole);
    await assertEmpty(client);
    const foreignKeys = await dropForeignKeys(client);
    for (const { name } of ofConsole)
      if (name !== AUDIT_HEAD) await client.query(`DELETE FROM ${quoted(name)}`);
    const all = [...ofConsole, ...(await readMetricTables(client))];
    const tables = new Map(all.map((table) => [table.name, table]));
    const end = await bringRows(client, { file, digest, path: options.path }, tables);
    await setSequences(client);
    if (end.metricRowCount !== null) await asRole(client, runtimeRole, () => setMetricIds(client));
    for (const statement of foreignKeys) await client.query(statement);
    const keyId = await readKeyId(client);
    if (keyId !== null) options.checkKey?.(keyId);
    const origin = { createdAt: header.createdAt, writerKeyId };
    await options.beforeCommit?.(
      { query: async (text, values) => (await client.query(text, [...values])).rows },
      origin,
    );
    await commit(client);
    return { ...end, ...origin, keyId };
  } finally {
    await client.end();
  }
}

/** Makes a console that starts in parallel, or another restore, wait for this one. */
async function lockTables(client: pg.Client, tables: readonly BackupTable[]): Promise<void> {
  const names = tables.map(({ name }) => name).filter((name) => name !== AUDIT_HEAD);
  await client.query(`LOCK TABLE ${names.map(quoted).join(", ")} IN ACCESS EXCLUSIVE MODE`);
}

async function commit(client: pg.Client): Promise<void> {
  try {
    await client.query("COMMIT");
  } catch (error) {
    throw refused(
      `Postgres did not confirm the restore (${(error as Error).message}): either the whole backup was restored or nothing. Run the restore again; if the database is then not empty, the whole backup was restored.`,
      error,
    );
  }
}

async function assertSameMigrations({ migrations }: BackupHeader): Promise<void> {
  const known = (await readMigrations(migrationsDirectory)).map(({ name }) => name);
  const foreign = migrations.find((name) => !known.includes(name));
  const missing = known.find((name) => !migrations.includes(name));
  if (foreign !== undefined) throw other(`has the migration ${foreign}, which this version does not know`);
  if (missing !== undefined) throw other(`lacks the migration ${missing} of this version`);
}

const other = (what: string): StashlightError =>
  refused(`The backup ${what}; restore it with the version that made it, and upgrade then.`);

/**
 * Drops foreign keys, because rows come table by table and some tables refer to each other. Resolves with the
 * statements that restore the keys.
 */
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

interface VerifiedFile {
  readonly file: BackupFile;
  readonly digest: Buffer;
  readonly path: string;
}

async function bringRows(
  client: pg.Client,
  { file, digest, path }: VerifiedFile,
  tables: ReadonlyMap<string, BackupTable>,
): Promise<BackupEnd> {
  let table: BackupTable | null = null;
  let waiting: string[] = [];
  let waitingBytes = 0;
  const counts = { rowCount: 0, metricRowCount: 0 };
  let end: BackupEnd | undefined;
  const insert = async () => {
    if (waiting.length === 0) return;
    if (table === null) throw cutOffOrChanged(path, "a row in it belongs to no table");
    await insertRows(client, table, waiting);
    if (isOfMetrics(table)) counts.metricRowCount += waiting.length;
    counts.rowCount += waiting.length;
    waiting = [];
    waitingBytes = 0;
  };
  const items = file.read();
  for (;;) {
    const next = await items.next();
    if (next.done === true) {
      if (!isSameMac(next.value, digest)) throw cutOffOrChanged(path, "it changed while it was restored");
      assertCounts(end, counts, path);
      return end;
    }
    const item = next.value;
    if (item.type === "row") {
      waiting.push(item.row);
      waitingBytes += item.row.length;
      if (waiting.length >= ROWS_AT_A_TIME || waitingBytes >= BYTES_AT_A_TIME) await insert();
      continue;
    }
    await insert();
    if (item.type === "table") table = await openTable(client, item, tables);
    else end = item.end;
  }
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

const isOfMetrics = ({ name }: BackupTable): boolean => isMetricTable(name);

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

/** Without the right to assume the auditor's role, the head of the log still belongs to this login. */
async function actAsAuditor(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ owner: string; me: string }>(
    "SELECT pg_get_userbyid(nspowner) AS owner, current_user::text AS me FROM pg_namespace WHERE nspname = $1",
    [auditGuardSchema],
  );
  if (rows[0]?.owner === auditorRole) await client.query(`SET LOCAL ROLE ${auditorRole}`);
}

/** Continues the sequences after the highest values in use. */
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
