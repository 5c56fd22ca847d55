import type { ReactNode } from "react";

/** What a cell sorts, filters and exports by. Nothing (null, undefined) sorts last in both directions. */
export type CellValue = string | number | boolean | Date | null | undefined;

export type Column<Row> = {
  /** Names the column in the URL and in exports: a letter, then letters, digits, "_", "." or "-". */
  id: string;
  header: string;
  /** A longer name for the column chooser and screen readers, where the header is short or empty. */
  title?: string;
  value?: (row: Row) => CellValue;
  /** What is drawn; the value itself without it. */
  cell?: (row: Row) => ReactNode;
  /** What is exported, where the value will not do. */
  csv?: (row: Row) => CellValue;
  /** Right-aligned. */
  numeric?: boolean;
  /** True where there is a value. */
  sortable?: boolean;
  /** Whether the filter box looks here; true where there is a value. */
  filterable?: boolean;
  /** False for a column that must stay. */
  hideable?: boolean;
  /** Hidden until it is chosen. */
  hiddenAtFirst?: boolean;
  /** A CSS length. */
  width?: string;
};

export type SortDirection = "asc" | "desc";
export type Sort = { id: string; direction: SortDirection };

export type TableState = {
  sort: Sort | null;
  filter: string;
  /** Ids of hidden columns. */
  hidden: readonly string[];
  /** Counted from 1. */
  page: number;
};
