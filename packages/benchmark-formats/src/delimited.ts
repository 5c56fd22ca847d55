import { LINE_LENGTH_MAX, lineTooLong } from "./lines.ts";
import { RefusedFile } from "./refusal.ts";

export interface DelimitedRow {
  /** Line on which the row begins, from 1. A quoted field may span lines. */
  readonly line: number;
  readonly fields: readonly string[];
}

export interface DelimitedOptions {
  readonly delimiter: "," | "\t";
  /** Lines that begin with this text are not rows. */
  readonly comment?: string;
  readonly rowsMax: number;
  readonly onRow: (row: DelimitedRow) => void;
  readonly onComment?: (text: string) => void;
}

/**
 * Reads the rows of a table by RFC 4180 from text in pieces: a field that begins with a quote ends with a quote, and
 * doubles each quote inside. The incomplete end of a piece is kept for the next piece.
 */
export function createRowCutter(options: DelimitedOptions) {
  const { delimiter, comment, rowsMax } = options;
  let rest = "";
  let line = 1;
  let rowCount = 0;
  const cut = (isLast: boolean): void => {
    let at = 0;
    while (at < rest.length) {
      const lineEnd = rest.indexOf("\n", at);
      if (lineEnd < 0 && !isLast) break;
      const plainEnd = lineEnd < 0 ? rest.length : lineEnd;
      const isComment = comment !== undefined && rest.startsWith(comment, at);
      if (isComment || rest.slice(at, plainEnd).trim() === "") {
        if (isComment) options.onComment?.(rest.slice(at + comment.length, plainEnd));
        at = plainEnd + 1;
        line += 1;
        continue;
      }
      const row = readRow(rest, at, { delimiter, line, isLast });
      if (row === null) break;
      rowCount += 1;
      if (rowCount > rowsMax + 1) {
        throw new RefusedFile("too-many-rows", `The table has more than ${rowsMax} rows.`, { line });
      }
      options.onRow({ line, fields: row.fields });
      line += row.lineBreaks + 1;
      at = row.end + 1;
    }
    rest = rest.slice(at);
    if (rest.length > LINE_LENGTH_MAX) throw lineTooLong(line);
  };
  return {
    push(text: string): void {
      rest += text;
      cut(false);
    },
    end(): void {
      cut(true);
    },
  };
}

interface Place {
  readonly delimiter: string;
  readonly line: number;
  /** True if no more text will come, so that an open quote stays open. */
  readonly isLast: boolean;
}

interface CutRow {
  readonly fields: readonly string[];
  /** Returns the index of the line break, or of the end of the text. */
  readonly end: number;
  readonly lineBreaks: number;
}

/** Returns null if the row may continue in the next piece. */
function readRow(text: string, from: number, place: Place): CutRow | null {
  const fields: string[] = [];
  let lineBreaks = 0;
  for (let at = from; ; ) {
    const field = text[at] === '"' ? readQuoted(text, at, place) : readPlain(text, at, place);
    if (field === null) return null;
    fields.push(field.value);
    lineBreaks += field.lineBreaks;
    if (text[field.end] !== place.delimiter) return { fields, end: field.end, lineBreaks };
    at = field.end + 1;
  }
}

interface Field {
  readonly value: string;
  /** Index of the delimiter or line break after the field, or of the end of the text. */
  readonly end: number;
  readonly lineBreaks: number;
}

function readPlain(text: string, from: number, { delimiter, isLast }: Place): Field | null {
  const lineEnd = text.indexOf("\n", from);
  if (lineEnd < 0 && !isLast) return null;
  const stop = lineEnd < 0 ? text.length : lineEnd;
  const next = text.indexOf(delimiter, from);
  if (next >= 0 && next < stop) return { value: text.slice(from, next), end: next, lineBreaks: 0 };
  const value = text[stop - 1] === "\r" && stop > from ? text.slice(from, stop - 1) : text.slice(from, stop);
  return { value, end: stop, lineBreaks: 0 };
}

function readQuoted(text: string, from: number, { delimiter, line, isLast }: Place): Field | null {
  const parts: string[] = [];
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0 && !isLast) return null;
    if (quote < 0) throw new RefusedFile("bad-value", "A quote is opened and never closed.", { line });
    parts.push(text.slice(at, quote));
    at = quote + 1;
    if (text[at] !== '"') break;
    parts.push('"');
    at += 1;
  }
  const value = parts.join("");
  if (!isLast && at + 1 >= text.length) return null;
  if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
  if (at < text.length && text[at] !== delimiter && text[at] !== "\n") {
    throw new RefusedFile("bad-value", "After a closing quote the field must end.", { line });
  }
  return { value, end: at, lineBreaks: value.split("\n").length - 1 };
}

/** Writes a field by the same rules. */
export function quoted(value: string, delimiter: string): string {
  const mustQuote = value.includes(delimiter) || /["\r\n]/.test(value) || value.trim() !== value;
  return mustQuote ? `"${value.replaceAll('"', '""')}"` : value;
}
