"use client";
import type { ReactNode } from "react";

export interface FigureRow {
  readonly name: string;
  readonly cells: readonly ReactNode[];
  readonly isMarked?: boolean;
}

interface FigureTableProps {
  readonly label: string;
  readonly columns: readonly string[];
  readonly rows: readonly FigureRow[];
  /** True if the last column has sentences, aligned left. */
  readonly endsInWords?: boolean;
}

const ROWS_ON_ONE_SHEET = 15;
/** A phone labels the cells of a table with more columns, one row after the other; sentences take the space of one. */
const COLUMNS_ON_PHONE = 4;

/** Table of a few rows without sorting: names at the left, numbers at the right. */
export function FigureTable({ label, columns, rows, endsInWords = false }: FigureTableProps) {
  const isLeft = (column: number): boolean => column === 0 || (endsInWords && column === columns.length - 1);
  const isLabelled = columns.length + (endsInWords ? 1 : 0) > COLUMNS_ON_PHONE;
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
      tabIndex={0}
      aria-label={`Table: ${label}`}
      data-print="flow"
      className={`overflow-x-auto rounded-md border border-line bg-surface -outline-offset-2 ${rows.length <= ROWS_ON_ONE_SHEET ? "break-inside-avoid" : ""}`}
    >
      <table
        aria-label={label}
        data-table={isLabelled ? "labelled" : "figures"}
        className="w-full tabular-nums"
      >
        <thead>
          <tr className="text-left text-muted">
            {columns.map((column, i) => (
              <th
                key={column}
                scope="col"
                className={`px-3 py-1.5 font-medium ${isLeft(i) ? "" : "text-right"}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {rows.map(({ name, cells, isMarked }) => (
            <tr key={name} className={`h-8 print:h-6 ${isMarked ? "bg-accent-soft" : ""}`}>
              <th scope="row" className="px-3 py-1 text-left font-normal print:py-0.5">
                {name}
              </th>
              {cells.map((cell, i) => (
                <td
                  key={columns[i + 1]}
                  data-label={columns[i + 1]}
                  className={`px-3 py-1 print:py-0.5 ${isLeft(i + 1) ? "text-muted" : "text-right text-ink"}`}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
