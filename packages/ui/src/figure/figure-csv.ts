import type { PreparedFigure } from "./model.ts";

const quoted = (value: string | number | null): string => `"${String(value ?? "").replaceAll('"', '""')}"`;

/** A figure's table as CSV; `remarks` are columns with the same value in every row, so that they survive sorting. */
export function formatFigureCsv(
  { columns, rows }: Pick<PreparedFigure, "columns" | "rows">,
  remarks: Readonly<Record<string, string>>,
): string {
  const lines = [
    [...columns, ...Object.keys(remarks)],
    ...rows.map((row) => [...row, ...Object.values(remarks)]),
  ];
  return `${lines.map((line) => line.map(quoted).join(",")).join("\r\n")}\r\n`;
}
