import {
  type BenchmarkOperation,
  type BenchmarkSample,
  benchmarkDurationMsMax,
} from "@stashlight/contracts/sample";
import { createRowCutter, type DelimitedRow } from "./delimited.ts";
import type { ImportLimits, ReadRun } from "./imported-run.ts";
import { parseInstant } from "./instant.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createOmissions, createRowBudget } from "./row-budget.ts";
import type { TakeSample, TextReader } from "./text-reader.ts";

/** Columns as warp writes them: tab-separated, although the file's name ends in .csv. */
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

export const warpOperations: ReadonlyMap<string, BenchmarkOperation> = new Map([
  ["PUT", "PUT"],
  ["GET", "GET"],
  ["DELETE", "DELETE"],
  ["STAT", "HEAD"],
]);

const COMMENT_LINES_MAX = 20;

export function isWarpCsv(text: string): boolean {
  return /^(?:#[^\n]*\n)*idx\tthread\t/.test(text);
}

/**
 * Reads `warp`'s benchmark data, one row per operation. Columns are found by name, since versions differ in them. warp
 * does not record retries, or which connections were fresh.
 */
export function warpCsvReader(limits: ImportLimits, take: TakeSample): TextReader {
  const omissions = createOmissions();
  const takeRow = createRowBudget(limits.rowsMax);
  const comments: string[] = [];
  let columns: Columns | null = null;
  let sampleCount = 0;
  const onRow = (row: DelimitedRow): void => {
    if (columns === null) {
      columns = parseHeader(row);
      return;
    }
    if (row.fields.length !== columns.count) {
      const what = `There are ${row.fields.length} fields; the header has ${columns.count}.`;
      throw new RefusedFile("bad-value", what, { line: row.line });
    }
    const cells = parseCells(row, columns);
    const operation = warpOperations.get(cells.text("op"));
    if (operation === undefined) omissions.add(`operation ${shown(cells.text("op"))}`);
    else if (cells.text("n_objects") !== "" && cells.count("n_objects") > 1) {
      omissions.add(`${operation} of several objects in one request`);
    } else {
      takeRow({ line: row.line });
      take(toSample(cells, operation, sampleCount));
      sampleCount += 1;
    }
  };
  const onComment = (text: string): void => {
    const comment = text.trim().slice(0, 1000);
    if (comment !== "" && comments.length < COMMENT_LINES_MAX) comments.push(comment);
  };
  const cutter = createRowCutter({
    delimiter: "\t",
    comment: "#",
    rowsMax: limits.rowsMax,
    onRow,
    onComment,
  });
  return {
    push: cutter.push,
    end(): ReadRun {
      cutter.end();
      return {
        tool: "warp",
        details: comments.length === 0 ? {} : { comment: comments.join("\n") },
        notes: [
          ...omissions.notes(),
          "warp does not record which connections were new, so no sample is marked as cold.",
          "warp counts latency from when a request was sent: with --rps-limit, waits behind a stall are not included.",
        ],
      };
    },
  };
}

interface Columns {
  readonly places: ReadonlyMap<string, number>;
  readonly count: number;
}

function parseHeader(header: DelimitedRow): Columns {
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

function parseCells(row: DelimitedRow, { places }: Columns): Cells {
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

function toSample(cells: Cells, operation: BenchmarkOperation, index: number): BenchmarkSample {
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
    outcome: errorOutcome(error),
    sizeBytes,
    transferredBytes: error === "" ? sizeBytes : 0,
    startedAtMs,
    wireMs,
    perceivedMs: wireMs,
    attempts: 1,
    phases: cells.text("first_byte") === "" ? {} : toPhases(cells, startedAtMs, wireMs),
    isCold: false,
    ...(cells.text("thread") !== "" && { connection: cells.count("thread") }),
    ...(endpoint !== "" && { endpoint }),
    ...(objectKey !== "" && { objectKey }),
    ...(error !== "" && { errorCode: error }),
    isTagged: false,
  };
}

function errorOutcome(error: string): BenchmarkSample["outcome"] {
  if (error === "") return "ok";
  return /time(d )?out|deadline exceeded/i.test(error) ? "timed-out" : "failed";
}

/** Times are rounded to doubles, so the first byte may seem to arrive a fraction of a microsecond after the last. */
function toPhases(cells: Cells, startedAtMs: number, wireMs: number): BenchmarkSample["phases"] {
  const headersMs = cells.instant("first_byte") - startedAtMs;
  if (headersMs < 0 || headersMs > wireMs + 1) throw cells.bad("first_byte", "between start and end");
  return { headersMs: Math.min(headersMs, wireMs) };
}
