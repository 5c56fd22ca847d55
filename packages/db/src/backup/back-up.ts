/** Writes a consistent snapshot of a console's data into a file while everything runs. */
import { StashlightError } from "@stashlight/contracts/errors";
import type pg from "pg";
import { connectToMigrate } from "../migrate/connect.ts";
import { readHistory } from "../migrate/history.ts";
import { storedProfile } from "../migrate/index.ts";
import { runtimeRole } from "../migrate/runtime-role.ts";
import type { BackupEnd, BackupKey } from "./chunk-format.ts";
import { explainDatabaseError, refused } from "./failures.ts";
import type { BackupItem } from "./lines.ts";
import { readMetricTables, readSpan } from "./metric-tables.ts";
import { type BackupTable, quoted, readKeyId, readTables } from "./tables.ts";
import { writeBackupFile } from "./write-file.ts";

export interface BackUpOptions {
  /** Connection string of the role that owns the schema. */
  readonly url: string;
  readonly path: string;
  readonly nowMs: number;
  /** Key of the installation that owns the database; another one is refused. */
  readonly key: BackupKey;
  /** Includes the metric store, which may be far larger than everything else. */
  readonly hasMetrics?: boolean;
}

const ROWS_AT_A_TIME = 200;
/** Encrypted values contain the id of their key (services/src/secret/credential-encryption.ts). */
const ENVELOPE = /\bv1\.([0-9a-f]{12})\.[\w-]+\./g;

/** Resolves with a summary of the backup. */
export async function backUp({
  url,
  path,
  nowMs,
  key,
  hasMetrics = false,
}: BackUpOptions): Promise<BackupEnd> {
  const client = await connectToMigrate(url);
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const history = await readHistory(client);
    if (history.length === 0) {
      throw new StashlightError("precondition_failed", "The database is empty: there is nothing to back up.");
    }
    assertOwnKey(key, await readKeyId(client));
    const end = { rowCount: 0, metricRowCount: 0, keyIds: new Set<string>() };
    const header = {
      createdAt: new Date(nowMs).toISOString(),
      profile: await storedProfile(history),
      migrations: history.filter(({ isFinished }) => isFinished).map(({ migrationName }) => migrationName),
    };
    const result = (): BackupEnd => ({
      rowCount: end.rowCount,
      keyIds: [...end.keyIds].sort(),
      metricRowCount: hasMetrics ? end.metricRowCount : null,
    });
    async function* items(): AsyncGenerator<BackupItem> {
      for (const table of await readTables(client)) {
        yield { type: "table", table: table.name, columns: table.columns.map(({ name }) => name) };
        for await (const row of readTableRows(client, table)) {
          end.rowCount += 1;
          for (const [, keyId = ""] of row.matchAll(ENVELOPE)) end.keyIds.add(keyId);
          yield { type: "row", row };
        }
      }
      if (hasMetrics) {
        for await (const item of metricItems(client)) {
          if (item.type === "row") end.metricRowCount += 1;
          yield item;
        }
        end.rowCount += end.metricRowCount;
      }
      yield { type: "end", end: result() };
    }
    await writeBackupFile(path, { header, items: items() }, { key });
    return result();
  } catch (error) {
    throw explainDatabaseError(error, `The backup ${path} was not written`);
  } finally {
    await client.end();
  }
}

/** A backup with another key would be refused on restore. */
function assertOwnKey({ keyId }: BackupKey, ownKeyId: string | null): void {
  if (ownKeyId === null || ownKeyId === keyId) return;
  throw refused(
    `The secret given has key ${keyId} and this database needs key ${ownKeyId}, so no restore could verify the backup. Give the installation's own secret (STASHLIGHT_SECRET, or the file secret in its folder).`,
  );
}

async function* metricItems(client: pg.Client): AsyncGenerator<BackupItem> {
  await client.query(`SET LOCAL ROLE ${runtimeRole}`);
  for (const table of await readMetricTables(client)) {
    const span = (await readSpan(client, table)) ?? undefined;
    yield { type: "table", table: table.name, columns: table.columns.map(({ name }) => name), span };
    for await (const row of readTableRows(client, table)) yield { type: "row", row };
  }
  await client.query("RESET ROLE");
}

async function* readTableRows(client: pg.Client, { name, order }: BackupTable): AsyncGenerator<string> {
  const by = order.length === 0 ? "" : ` ORDER BY ${order.map(quoted).join(", ")}`;
  await client.query(
    `DECLARE backup_rows NO SCROLL CURSOR FOR SELECT t::text AS row FROM ${quoted(name)} t${by}`,
  );
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`FETCH ${ROWS_AT_A_TIME} FROM backup_rows`);
    for (const { row } of rows) yield row;
    if (rows.length < ROWS_AT_A_TIME) break;
  }
  await client.query("CLOSE backup_rows");
}
