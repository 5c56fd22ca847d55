import { RefusedFile } from "./refusal.ts";

export interface DelimitedRow {
  /** From 1: where it begins. A quoted field may hold further lines. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface DelimitedOptions {
  readonly delimiter: "," | "\t";
  /** Lines that begin with it are left out. */
  readonly comment?: string;
  readonly rowsMax: number;
}

/** Rows of a table by RFC 4180: a field that begins with a quote ends with one, and holds two where one is meant. */
export function* delimitedRows(text: string, options: DelimitedOptions): Generator<DelimitedRow> {
  let at = 0;
  let line = 1;
  let rowCount = 0;
  while (at < text.length) {
    const isComment = options.comment !== undefined && text.startsWith(options.comment, at);
    const plainEnd = lineEnd(text, at);
    if (isComment || text.slice(at, plainEnd).trim() === "") {
      at = plainEnd + 1;
      line += 1;
      continue;
    }
    rowCount += 1;
    if (rowCount > options.rowsMax + 1) {
      throw new RefusedFile("too-many-rows", `The table has more than ${options.rowsMax} rows.`, { line });
    }
    const begins = line;
    const fields: string[] = [];
    for (;;) {
      const field = readField(text, at, options.delimiter, begins);
      fields.push(field.value);
      line += field.lineBreaks;
      at = field.end + 1;
      if (text[field.end] !== options.delimiter) break;
    }
    line += 1;
    yield { line: begins, fields };
  }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

interface Field {
  readonly value: string;
  /** Of the delimiter, the line break or the text. */
  readonly end: number;
  readonly lineBreaks: number;
}

function readField(text: string, from: number, delimiter: string, line: number): Field {
  if (text[from] === '"') return readQuoted(text, from, delimiter, line);
  const stop = lineEnd(text, from);
  const next = text.indexOf(delimiter, from);
  if (next >= 0 && next < stop) return { value: text.slice(from, next), end: next, lineBreaks: 0 };
  const value = text[stop - 1] === "\r" && stop > from ? text.slice(from, stop - 1) : text.slice(from, stop);
  return { value, end: stop, lineBreaks: 0 };
}

function readQuoted(text: string, from: number, delimiter: string, line: number): Field {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new RefusedFile("bad-value", "A quote is opened and never closed.", { line });
    parts.push(text.slice(at, quote));
    at = quote + 1;
    if (text[at] !== '"') break;
    parts.push('"');
    at += 1;
  }
  const value = parts.join("");
  if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
  if (at < text.length && text[at] !== delimiter && text[at] !== "\n") {
    throw new RefusedFile("bad-value", "After a closing quote the field must end.", { line });
  }
  return { value, end: at, lineBreaks: value.split("\n").length - 1 };
}

/** A field as the same rules write it. */
export function quoted(value: string, delimiter: string): string {
  const mustQuote = value.includes(delimiter) || /["\r\n]/.test(value) || value.trim() !== value;
  return mustQuote ? `"${value.replaceAll('"', '""')}"` : value;
}
