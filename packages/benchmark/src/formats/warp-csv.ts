import { type BenchmarkOperation, type BenchmarkSample, benchmarkDurationMsMax } from "@stashlight/contracts";
import { type DelimitedRow, delimitedRows } from "./delimited.ts";
import type { ImportLimits, ReadRun } from "./imported-run.ts";
import { parseInstant } from "./instant.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createOmissions, createRowBudget } from "./row-budget.ts";

/** Columns as warp writes them: tab-separated, whatever the file's name says. */
export const warpColumns = [
  "idx",
  "thread",
  "op",
  "client_id",
  "n_objects",
  "bytes",
  "endpoint",
  "file",
  "error",
  "start",
  "first_byte",
  "last_byte",
  "end",
  "duration_ns",
  "cat",
] as const;
export type WarpColumn = (typeof warpColumns)[number];

const REQUIRED: readonly WarpColumn[] = ["op", "bytes", "error", "start", "duration_ns"];

const operations: Readonly<Record<string, BenchmarkOperation>> = {
  PUT: "PUT",
  GET: "GET",
  DELETE: "DELETE",
  STAT: "HEAD",
};

const COMMENT_LINES_MAX = 20;

export function isWarpCsv(text: string): boolean {
  return /^(?:#[^\n]*\n)*idx\tthread\t/.test(text);
}

/**
 * What `warp` keeps of a run, a row an operation. Columns are found by name, since versions differ in them. What warp
 * does not say: whether a connection was fresh, and retries.
 */
export function readWarpCsv(text: string, limits: ImportLimits): ReadRun {
  const samples: BenchmarkSample[] = [];
  const omissions = createOmissions();
  const take = createRowBudget(limits.rowsMax);
  let columns: Columns | null = null;
  for (const row of delimitedRows(text, { delimiter: "\t", comment: "#", rowsMax: limits.rowsMax })) {
    if (columns === null) {
      columns = columnsOf(row);
      continue;
    }
    if (row.fields.length !== columns.count) {
      throw new RefusedFile(
        "bad-value",
        `There are ${row.fields.length} fields; the header has ${columns.count}.`,
        {
          line: row.line,
        },
      );
    }
    const cells = cellsOf(row, columns);
    const operation = operations[cells.text("op")];
    if (operation === undefined) omissions.add(`operation ${shown(cells.text("op"))}`);
    else if (cells.text("n_objects") !== "" && cells.count("n_objects") > 1) {
      omissions.add(`${operation} of several objects in one request`);
    } else {
      take({ line: row.line });
      samples.push(sampleOf(cells, operation, samples.length));
    }
  }
  return {
    tool: "warp",
    samples,
    details: commentsOf(text),
    notes: [
      ...omissions.notes(),
      "warp does not say which connections were fresh, so no sample is marked as cold.",
    ],
  };
}

interface Columns {
  readonly places: ReadonlyMap<string, number>;
  readonly count: number;
}

function columnsOf(header: DelimitedRow): Columns {
  const places = new Map(header.fields.map((name, i) => [name, i]));
  for (const name of REQUIRED) {
    if (!places.has(name)) {
      throw new RefusedFile("bad-value", "The header lacks it.", { line: header.line, field: name });
    }
  }
  return { places, count: header.fields.length };
}

interface Cells {
  readonly text: (name: WarpColumn) => string;
  readonly count: (name: WarpColumn) => number;
  readonly instant: (name: WarpColumn) => number;
  readonly bad: (name: WarpColumn, wanted: string) => RefusedFile;
}

function cellsOf(row: DelimitedRow, { places }: Columns): Cells {
  const text = (name: WarpColumn): string => row.fields[places.get(name) ?? -1] ?? "";
  const bad = (name: WarpColumn, wanted: string): RefusedFile =>
    new RefusedFile("bad-value", `It is ${shown(text(name))}; it must be ${wanted}.`, {
      line: row.line,
      field: name,
    });
  const count = (name: WarpColumn): number => {
    const value = Number(text(name));
    if (!/^\d+$/.test(text(name)) || !Number.isSafeInteger(value)) throw bad(name, "a whole number");
    return value;
  };
  const instant = (name: WarpColumn): number => {
    const value = parseInstant(text(name));
    if (value === null) throw bad(name, "a time like 2026-01-31T12:00:00.123456789Z");
    return value;
  };
  return { text, count, instant, bad };
}

function sampleOf(cells: Cells, operation: BenchmarkOperation, index: number): BenchmarkSample {
  const startedAtMs = cells.instant("start");
  const wireMs = cells.count("duration_ns") / 1e6;
  if (wireMs > benchmarkDurationMsMax) throw cells.bad("duration_ns", "at most an hour");
  const error = cells.text("error").trim().slice(0, 1000);
  const sizeBytes = cells.count("bytes");
  const endpoint = cells.text("endpoint").slice(0, 300);
  const objectKey = cells.text("file").slice(0, 1024);
  return {
    index,
    operation,
    outcome: outcomeOf(error),
    sizeBytes,
    transferredBytes: error === "" ? sizeBytes : 0,
    startedAtMs,
    wireMs,
    perceivedMs: wireMs,
    attempts: 1,
    phases: cells.text("first_byte") === "" ? {} : headersOf(cells, startedAtMs, wireMs),
    isCold: false,
    ...(cells.text("thread") !== "" && { connection: cells.count("thread") }),
    ...(endpoint !== "" && { endpoint }),
    ...(objectKey !== "" && { objectKey }),
    ...(error !== "" && { errorCode: error }),
    isTagged: false,
  };
}

function outcomeOf(error: string): BenchmarkSample["outcome"] {
  if (error === "") return "ok";
  return /time(d )?out|deadline exceeded/i.test(error) ? "timed-out" : "failed";
}

/** Times are rounded to doubles, so the first byte may seem to come a fraction of a microsecond after the last. */
function headersOf(cells: Cells, startedAtMs: number, wireMs: number): BenchmarkSample["phases"] {
  const headersMs = cells.instant("first_byte") - startedAtMs;
  if (headersMs < 0 || headersMs > wireMs + 1) throw cells.bad("first_byte", "between start and end");
  return { headersMs: Math.min(headersMs, wireMs) };
}

function commentsOf(text: string): Record<string, string> {
  const lines: string[] = [];
  for (const match of text.matchAll(/^# ?(.+)$/gm)) {
    lines.push((match[1] ?? "").trim().slice(0, 1000));
    if (lines.length === COMMENT_LINES_MAX) break;
  }
  return lines.length === 0 ? {} : { comment: lines.join("\n") };
}
