import type { BenchmarkOperation } from "@stashlight/contracts/sample";
import type { ImportedSummary, ImportLimits, ReadRun } from "./imported-run.ts";
import { splitLines } from "./lines.ts";
import { RefusedFile, shown } from "./refusal.ts";
import { createRowBudget } from "./row-budget.ts";

/** Tests in the order in which iozone prints their columns; the header's second line has only the last word of each. */
const tests = [
  { word: "write", label: "sequential write", operation: "WRITE" },
  { word: "rewrite", label: "sequential rewrite", operation: "WRITE" },
  { word: "read", label: "sequential read", operation: "READ" },
  { word: "reread", label: "sequential reread", operation: "READ" },
  { word: "read", label: "random read", operation: "READ" },
  { word: "write", label: "random write", operation: "WRITE" },
  { word: "read", label: "backward read", operation: "READ" },
  { word: "rewrite", label: "record rewrite", operation: "WRITE" },
  { word: "read", label: "stride read", operation: "READ" },
  { word: "fwrite", label: "fwrite", operation: "WRITE" },
  { word: "frewrite", label: "frewrite", operation: "WRITE" },
  { word: "fread", label: "fread", operation: "READ" },
  { word: "freread", label: "freread", operation: "READ" },
] as const satisfies readonly { word: string; label: string; operation: BenchmarkOperation }[];

const HEADER = /^[ \t]*kb[ \t]+reclen[ \t]/i;
const HEADER_LINE = new RegExp(HEADER.source, "im");
/** Maximum distance between the end of a number and the end of its header; columns are nine characters apart. */
const OFFSET_MAX = 4;
const KIB = 1024;

export function isIozone(text: string): boolean {
  return HEADER_LINE.test(text);
}

/**
 * Tables of `iozone -a`: one row per file and record size, one column per test. Columns of tests that were not run are
 * blank, so a number belongs to the header above its end. With `-O` they are operations per second, else kB (of 1,024)
 * per second.
 */
export function readIozone(text: string, limits: ImportLimits): ReadRun {
  const take = createRowBudget(limits.rowsMax);
  const isOperations = /^\s*OPS Mode/im.test(text);
  const summaries: ImportedSummary[] = [];
  let columns: readonly Token[] | null = null;
  let place = { line: 0 };
  for (const line of splitLines(text)) {
    place = { line: place.line + 1 };
    if (HEADER.test(line)) columns = parseHeader(line, place);
    else if (columns !== null && /^\s*\d/.test(line)) {
      for (const [test, cell] of parseRow(line, columns, place)) {
        take(place);
        summaries.push(toSummary(test, cell, isOperations));
      }
    } else if (line.trim() !== "") columns = null;
  }
  if (columns !== null && !text.endsWith("\n")) {
    throw new RefusedFile(
      "not-readable",
      "The file ends inside a row of the table, whose last number may be cut off. Save the whole output of iozone.",
      place,
    );
  }
  const notes = /^iozone test complete/im.test(text) ? [] : [INCOMPLETE_NOTE];
  return { tool: toolVersion(text), startedAtMs: null, summaries, details: commandLineDetails(text), notes };
}

const INCOMPLETE_NOTE =
  'The output lacks the line "iozone test complete", so rows may be missing: the test was ended early, or the file was cut.';

interface Token {
  readonly text: string;
  /** Column after its last character. */
  readonly end: number;
}

interface Place {
  readonly line: number;
}

interface Cell {
  readonly value: number;
  readonly fileBytes: number;
  readonly recordBytes: number;
}

function splitTokens(line: string): Token[] {
  return [...line.matchAll(/\S+/g)].map((match) => ({ text: match[0], end: match.index + match[0].length }));
}

function parseHeader(line: string, place: Place): readonly Token[] {
  const header = splitTokens(line);
  for (const [i, { text }] of header.slice(2).entries()) {
    if (text !== tests[i]?.word) {
      throw new RefusedFile(
        "bad-value",
        `The header's column ${i + 3} is ${shown(text)}, which iozone does not have there.`,
        place,
      );
    }
  }
  return header;
}

function parseRow(line: string, header: readonly Token[], place: Place): [number, Cell][] {
  const [size, record, ...rest] = splitTokens(line).map((token) => ({
    ...token,
    value: requireWhole(token, place),
  }));
  if (size === undefined || record === undefined || rest.length === 0) {
    throw new RefusedFile("bad-value", "A row needs a file size, a record size and a figure.", place);
  }
  const found = new Map<number, Cell>();
  for (const { value, end, text } of rest) {
    const column = nearest(header, end);
    if (column < 2 || found.has(column - 2)) {
      throw new RefusedFile("bad-value", `${shown(text)} is not below any column.`, place);
    }
    found.set(column - 2, { value, fileBytes: size.value * KIB, recordBytes: record.value * KIB });
  }
  return [...found];
}

function requireWhole({ text }: Token, place: Place): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new RefusedFile("bad-value", `${shown(text)} is not a whole number.`, place);
  }
  return Number(text);
}

function nearest(header: readonly Token[], end: number): number {
  let column = -1;
  let least = OFFSET_MAX + 1;
  for (const [i, { end: headerEnd }] of header.entries()) {
    const offset = Math.abs(headerEnd - end);
    if (offset < least) {
      least = offset;
      column = i;
    }
  }
  return column;
}

function toSummary(test: number, cell: Cell, isOperations: boolean): ImportedSummary {
  const { label, operation } = tests[test] as (typeof tests)[number];
  return {
    label,
    operation,
    sizeBytes: cell.recordBytes,
    fileBytes: cell.fileBytes,
    ...(isOperations ? { operationsPerSecond: cell.value } : { bytesPerSecond: cell.value * KIB }),
    isApproximate: false,
  };
}

function toolVersion(text: string): string {
  const version = /Version \$Revision: ([\d.]+) \$/.exec(text)?.[1];
  return version === undefined ? "iozone" : `iozone ${version}`;
}

function commandLineDetails(text: string): Record<string, string> {
  const commandLine = /Command line used: (.+)/.exec(text)?.[1]?.trim().slice(0, 1000);
  return commandLine === undefined ? {} : { commandLine };
}
