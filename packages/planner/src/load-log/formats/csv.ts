/**
 * Comma-separated objects: S3 Inventory, whose files have no heading and whose columns depend on its configuration, and
 * other lists whose first line names a column of sizes.
 */
import type { Counted, LineReader, LogFormat, RecordSink } from "../sink.ts";
import { anyMs, isoMs, parseBytes } from "../time.ts";

const SIZE_NAMES: ReadonlySet<string> = new Set([
  "size",
  "bytes",
  "contentlength",
  "objectsize",
  "sizebytes",
]);
const TIME_NAMES: ReadonlySet<string> = new Set([
  "lastmodified",
  "lastmodifieddate",
  "timestamp",
  "time",
  "date",
  "uploadtimestamp",
  "created",
]);

export const csvListing: LogFormat = {
  name: "CSV (S3 Inventory)",
  notes: [],
  open: () => new CsvReader(),
};

/** First column that may vary: in S3 Inventory the bucket and the key come first, then the size, and later the time. */
const FIRST_OPTIONAL_COLUMN = 2;

interface Columns {
  readonly size: number;
  /** Column of the time; -1 if there is none. */
  readonly time: number;
  readonly count: number;
}

class CsvReader implements LineReader {
  #columns: Columns | null = null;
  #isFirst = true;

  read(line: string, sink: RecordSink, hasEnd: boolean): Counted {
    const cells = splitCells(line);
    if (cells === null) return sink.malformed("A quotation mark is not closed.");
    if (this.#isFirst) {
      this.#isFirst = false;
      const named = columnsByName(cells);
      if (named !== null) {
        this.#columns = named;
        return sink.passOver("lines of the heading");
      }
    }
    const columns = this.#columns ?? columnsByContent(cells);
    if (columns === null) return sink.malformed("None of its columns is a size.");
    if (!hasEnd && (this.#columns === null || isCutAt(line, cells, columns))) {
      return sink.malformed("It has no line end, so its last column may be cut off.");
    }
    this.#columns = columns;
    const size = cells[columns.size];
    if (size === undefined) return sink.malformed("It ends before the size column.");
    if (size === "") return sink.passOver("delete markers");
    const bytes = parseBytes(size);
    if (bytes === null) return sink.malformed("Its size is not a whole number of bytes.");
    if (columns.time < 0) return sink.listed(null, bytes);
    const atMs = anyMs(cells[columns.time]);
    if (atMs === null) return sink.malformed("Its time is not valid.");
    return sink.listed(atMs, bytes);
  }
}

/** A closing quotation mark proves that the last column is complete. */
function isCutAt(line: string, cells: readonly string[], { size, time, count }: Columns): boolean {
  const last = cells.length - 1;
  return cells.length < count || ((last === size || last === time) && !line.endsWith('"'));
}

function columnsByName(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""));
  const size = names.findIndex((name) => SIZE_NAMES.has(name));
  const time = names.findIndex((name) => TIME_NAMES.has(name));
  return size < 0 ? null : { size, time, count: cells.length };
}

function columnsByContent(cells: readonly string[]): Columns | null {
  const size = cells.findIndex((cell, at) => at >= FIRST_OPTIONAL_COLUMN && parseBytes(cell) !== null);
  if (size < 0) return null;
  const time = cells.findIndex((cell, at) => at > size && isoMs(cell) !== null);
  return { size, time, count: cells.length };
}

/** Returns null if a quotation mark is not closed. */
function splitCells(line: string): string[] | null {
  if (!line.includes('"')) return line.split(",");
  const cells: string[] = [];
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] !== '"') {
      const comma = line.indexOf(",", at);
      const end = comma < 0 ? line.length : comma;
      cells.push(line.slice(at, end));
      at = end;
      continue;
    }
    let cell = "";
    let close = line.indexOf('"', at + 1);
    let from = at + 1;
    while (close >= 0 && line[close + 1] === '"') {
      cell += line.slice(from, close + 1);
      from = close + 2;
      close = line.indexOf('"', from);
    }
    if (close < 0) return null;
    cells.push(cell + line.slice(from, close));
    at = close + 1;
  }
  return cells;
}
