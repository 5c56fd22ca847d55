/**
 * A backup's file: lines of JSON, compressed by gzip.
 *
 *   {"format": "stashlight-backup", ...}     what made it
 *   {"table": ..., "columns": [...]}         then a line for each of its rows, a string in Postgres' text of a row; a
 *                                            table that is cut by time also says from when to when its rows are
 *   {"rowCount": ..., "keyIds": [...]}       the end, without which the file was cut off
 */
import { createReadStream, createWriteStream, renameSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { StashlightError } from "@stashlight/contracts/errors";
import { z } from "zod";

const FORMAT = "stashlight-backup";
const FORMAT_VERSION = 1;

const headerSchema = z.object({
  format: z.literal(FORMAT),
  formatVersion: z.int(),
  createdAt: z.iso.datetime(),
  profile: z.enum(["plain", "timescale", "citus"]),
  migrations: z.array(z.string()),
});
const spanSchema = z.object({ fromMs: z.number(), toMs: z.number() });
const tableSchema = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  span: spanSchema.optional(),
});
const endSchema = z.object({
  rowCount: z.int(),
  keyIds: z.array(z.string()),
  /** How many of the rows are the metric store's; null for a backup without it. */
  metricRowCount: z.int().nullable().default(null),
});

export type BackupHeader = Omit<z.output<typeof headerSchema>, "format" | "formatVersion">;
export type BackupEnd = z.output<typeof endSchema>;
/** The first and the last moment of a table that is cut by time. */
export type TableSpan = z.output<typeof spanSchema>;
export type BackupItem =
  | { readonly type: "header"; readonly header: BackupHeader }
  | {
      readonly type: "table";
      readonly table: string;
      readonly columns: readonly string[];
      readonly span?: TableSpan | undefined;
    }
  | { readonly type: "row"; readonly row: string }
  | { readonly type: "end"; readonly end: BackupEnd };

/** The file appears when all of it is written; only its owner may read it. */
export async function writeBackupFile(path: string, items: AsyncIterable<BackupItem>): Promise<void> {
  const partial = `${path}.partial`;
  rmSync(partial, { force: true });
  try {
    const file = createWriteStream(partial, { mode: 0o600, flush: true });
    await pipeline(Readable.from(linesOf(items)), createGzip(), file);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Many lines at a time: each piece costs the compressor a turn, and a metric store has millions of short lines. */
const PIECE_LENGTH = 65_536;

async function* linesOf(items: AsyncIterable<BackupItem>): AsyncGenerator<string> {
  let piece = "";
  for await (const item of items) {
    piece += `${JSON.stringify(written(item))}\n`;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield piece;
}

function written(item: BackupItem): unknown {
  switch (item.type) {
    case "header":
      return { format: FORMAT, formatVersion: FORMAT_VERSION, ...item.header };
    case "table":
      return { table: item.table, columns: item.columns, span: item.span };
    case "row":
      return item.row;
    case "end":
      return item.end;
  }
}

/** Throws a StashlightError for what is no backup, and for one that was cut off. */
export async function* readBackupFile(path: string): AsyncGenerator<BackupItem> {
  const file = createReadStream(path);
  const unpacked = createGunzip();
  let failure: Error | null = null;
  const pumped = pipeline(file, unpacked).catch((error: Error) => {
    failure = error;
  });
  let isBegun = false;
  let isEnded = false;
  try {
    for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY })) {
      const item = isBegun ? itemIn(line, path) : { type: "header" as const, header: headerIn(line, path) };
      isBegun = true;
      isEnded = item.type === "end";
      yield item;
    }
    await pumped;
  } catch (error) {
    failure ??= error as Error;
  } finally {
    // Whoever reads the header only does not come here again.
    for (const stream of [file, unpacked]) stream.destroy();
  }
  if (failure !== null) throw unreadable(path, failure);
  if (!isEnded) throw cutOff(path);
}

function headerIn(line: string, path: string): BackupHeader {
  const value = valueIn(line);
  const parsed = headerSchema.safeParse(value);
  if (!parsed.success) throw invalid(`${path} is no backup of Stashlight's console.`);
  const { format: _, formatVersion, ...header } = parsed.data;
  if (formatVersion > FORMAT_VERSION) {
    throw invalid(
      `${path} was written by a later version (format ${formatVersion}); restore it with that one.`,
    );
  }
  return header;
}

function itemIn(line: string, path: string): BackupItem {
  const value = valueIn(line);
  if (typeof value === "string") return { type: "row", row: value };
  const table = tableSchema.safeParse(value);
  if (table.success) return { type: "table", ...table.data };
  const end = endSchema.safeParse(value);
  if (end.success) return { type: "end", end: end.data };
  throw cutOff(path);
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

const invalid = (sentence: string): StashlightError => new StashlightError("invalid_input", sentence);

const cutOff = (path: string): StashlightError =>
  invalid(`${path} is not whole: it was cut off or changed. Use another backup.`);

function unreadable(path: string, cause: Error): StashlightError {
  if (cause instanceof StashlightError) return cause;
  const { code } = cause as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return cutOff(path);
  if (code?.startsWith("Z_")) return invalid(`${path} is no backup of Stashlight's console.`);
  return new StashlightError("invalid_input", `${path} cannot be read (${code ?? cause.message}).`, {
    cause,
  });
}
