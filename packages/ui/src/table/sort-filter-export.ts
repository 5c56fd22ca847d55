import type { CellValue, Column } from "./column-types.ts";

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/**
 * Ascending order of two present values: numbers and dates by size, text in natural order ("pod 2" before "pod 10").
 */
export function compareValues(first: CellValue, second: CellValue): number {
  const [a, b] = [rank(first), rank(second)];
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(String(a), String(b));
}

function rank(value: CellValue): number | string {
  if (value instanceof Date) return value.getTime();
  return typeof value === "string" ? value : Number(value ?? 0);
}

/** Returns a column's sort value; null, NaN and invalid dates become undefined, which always sorts last. */
export function sortValue<Row>(column: Column<Row>, row: Row): CellValue {
  const value = column.value?.(row);
  const figure = value instanceof Date ? value.getTime() : value;
  return value === null || Number.isNaN(figure) ? undefined : value;
}

/** Returns the rows that contain every typed word. */
export function filterRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  filter: string,
): Row[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  const searched = columns.filter((column) => column.value && column.filterable !== false);
  return rows.filter((row) => {
    const text = searched.map((column) => plainText(column.value?.(row)).toLowerCase()).join("\n");
    return words.every((word) => text.includes(word));
  });
}

function plainText(value: CellValue): string {
  if (value === null || value === undefined) return "";
  return value instanceof Date ? formatIso(value) : String(value);
}

function formatIso(date: Date): string {
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}

/**
 * RFC 4180 with CRLF lines and a header row. Text that a spreadsheet would run as a formula gets a leading apostrophe;
 * numbers are unchanged, so a negative number stays a number.
 */
export function toCsv<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map((column) => csvField(column.title ?? column.header)),
    ...rows.map((row) => columns.map((column) => csvField(exportValue(column, row)))),
  ];
  return lines.map((fields) => `${fields.join(",")}\r\n`).join("");
}

function csvField(value: CellValue): string {
  const text = plainText(value);
  const guarded = typeof value === "string" && /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) || guarded !== guarded.trim()
    ? `"${guarded.replaceAll('"', '""')}"`
    : guarded;
}

/** An array of objects keyed by column id; times as ISO strings, missing values as null. */
export function toJson<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const records = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column.id, exportValue(column, row) ?? null])),
  );
  return `${JSON.stringify(records, null, 2)}\n`;
}

/** Button and picture columns have nothing to export. */
export function isExportable<Row>(column: Column<Row>): boolean {
  return column.value !== undefined || column.csv !== undefined;
}

function exportValue<Row>(column: Column<Row>, row: Row): CellValue {
  return column.csv ? column.csv(row) : column.value?.(row);
}
