/**
 * A backup's content as lines of JSON: {"table": ..., "columns": [...]}, then each of its rows as a string in Postgres'
 * text of a row. A table that is partitioned by time also has the first and last time of its rows.
 */
import { z } from "zod";
import { type BackupEnd, CHUNK_BYTES } from "./chunk-format.ts";
import { cutOffOrChanged } from "./failures.ts";

const spanSchema = z.object({ fromMs: z.number(), toMs: z.number() });
const tableSchema = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  span: spanSchema.optional(),
});

/** The first and last moment of a table that is partitioned by time. */
export type TableSpan = z.output<typeof spanSchema>;
export type BackupItem =
  | {
      readonly type: "table";
      readonly table: string;
      readonly columns: readonly string[];
      readonly span?: TableSpan | undefined;
    }
  | { readonly type: "row"; readonly row: string }
  | { readonly type: "end"; readonly end: BackupEnd };
export type BackupLine = Exclude<BackupItem, { type: "end" }>;

/** Limited because a line is held in memory; rows of Stashlight have at most a few megabytes. */
export const LINE_BYTES_MAX = 268_435_456;

export function encodeLine(item: BackupLine): string {
  if (item.type === "row") return `${JSON.stringify(item.row)}\n`;
  const { table, columns, span } = item;
  return `${JSON.stringify({ table, columns, span })}\n`;
}

export function decodeLine(line: string, path: string): BackupLine {
  const value = parseJson(line);
  if (typeof value === "string") return { type: "row", row: value };
  const table = tableSchema.safeParse(value);
  if (table.success) return { type: "table", ...table.data };
  throw cutOffOrChanged(path, "a line in it is not a row");
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Joins many lines at a time, because each chunk costs a call of the compressor. */
export async function* joinLines(
  lines: AsyncIterable<string>,
  chunkBytes: number = CHUNK_BYTES,
): AsyncGenerator<Buffer> {
  let text = "";
  for await (const line of lines) {
    text += line;
    if (text.length < chunkBytes) continue;
    yield* slices(Buffer.from(text), chunkBytes);
    text = "";
  }
  yield* slices(Buffer.from(text), chunkBytes);
}

function* slices(bytes: Buffer, length: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
}

/** Yields the lines that end in each piece; a line may span pieces. */
export async function* splitLines(pieces: AsyncIterable<Buffer>, path: string): AsyncGenerator<string[]> {
  let carried: Buffer[] = [];
  let carriedBytes = 0;
  for await (const piece of pieces) {
    const end = piece.lastIndexOf(0x0a);
    const rest = piece.subarray(end + 1);
    if (end >= 0) {
      const whole = Buffer.concat([...carried, piece.subarray(0, end)]);
      carried = [];
      carriedBytes = 0;
      yield whole.toString().split("\n");
    }
    if (rest.length > 0) carried.push(rest);
    carriedBytes += rest.length;
    if (carriedBytes > LINE_BYTES_MAX) throw cutOffOrChanged(path, "a line in it does not end");
  }
  if (carriedBytes > 0) throw cutOffOrChanged(path, "its last line does not end");
}
