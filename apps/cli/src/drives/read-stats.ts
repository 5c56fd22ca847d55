/**
 * Reads the CSV files of Drive Stats, of any size, row by row. Columns are found by their names, because their order and
 * the SMART attributes among them differ from quarter to quarter.
 */
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { UsageError } from "../usage-error.ts";
import type { StatsFile } from "./files.ts";
import type { DriveStatsTotals } from "./totals.ts";

const wanted = ["date", "serial_number", "model", "failure"] as const;
type Places = Readonly<Record<(typeof wanted)[number], number>>;

const READ_BYTES = 1_048_576;

/** Adds every row to the totals. Throws a UsageError that names the file and the line. */
export async function readStats(
  { path }: StatsFile,
  totals: DriveStatsTotals,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const name = basename(path);
  let places: Places | null = null;
  let rowCount = 0;
  const parser = parse({
    bom: true,
    skip_empty_lines: true,
    // Records are consumed here, so that none waits in the stream.
    on_record: (record: string[], { lines }) => {
      const place = () => `${name}, line ${lines}`;
      if (places === null) places = findColumns(record, name);
      else {
        addRow(record, places, { totals, place });
        rowCount += 1;
      }
      return null;
    },
  });
  parser.resume();
  const source = createReadStream(path, { highWaterMark: READ_BYTES });
  source.on("data", (chunk) => onBytes(chunk.length));
  try {
    await pipeline(source, parser);
  } catch (error) {
    throw error instanceof CsvError ? explain(error, name) : error;
  }
  if (rowCount === 0) throw new UsageError(`${name} has no rows.`);
}

function findColumns(header: readonly string[], name: string): Places {
  const missing = wanted.filter((column) => !header.includes(column));
  if (missing.length > 0) {
    throw new UsageError(
      `${name} lacks the ${missing.length === 1 ? "column" : "columns"} ${missing.join(", ")}; a file of Drive Stats has ${wanted.join(", ")} in its first line.`,
    );
  }
  return Object.fromEntries(wanted.map((column) => [column, header.indexOf(column)])) as Places;
}

interface RowContext {
  readonly totals: DriveStatsTotals;
  readonly place: () => string;
}

function addRow(record: readonly string[], places: Places, { totals, place }: RowContext): void {
  const { date: day = "", model = "", ...rest } = valuesOf(record, places);
  const { serial_number: serial = "", failure } = rest;
  if (serial === "") throw new UsageError(`${place()}: the row has no serial number.`);
  if (failure !== "0" && failure !== "1") {
    throw new UsageError(`${place()}: failure is "${failure}"; it must be 0 or 1.`);
  }
  totals.add({ day, model: model.trim(), serial, hasFailed: failure === "1" }, place);
}

const valuesOf = (record: readonly string[], places: Places) => ({
  date: record[places.date],
  serial_number: record[places.serial_number],
  model: record[places.model],
  failure: record[places.failure],
});

function explain(error: CsvError, name: string): UsageError {
  const line = typeof error.lines === "number" ? `, line ${error.lines}` : "";
  const isShort = error.code === "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH";
  return new UsageError(
    isShort
      ? `${name}${line}: the row has a different number of columns from the first line; the file is truncated or damaged.`
      : `${name}${line} is not CSV: ${error.message.replace(/\.$/, "")}.`,
  );
}
