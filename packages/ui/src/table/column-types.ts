import type { ReactNode } from "react";

/** Value for sorting, filtering and exporting. Null and undefined sort last in both directions. */
export type CellValue = string | number | boolean | Date | null | undefined;

export type Column<Row> = {
  /** Names the column in the URL and in exports: a letter, then letters, digits, "_", "." or "-". */
  id: string;
  header: string;
  /**
   * Longer name for the column chooser, exports and screen readers, if the header is short or
   * empty.
   */
  title?: string;
  value?: (row: Row) => CellValue;
  /** Cell content; defaults to the value. */
  cell?: (row: Row) => ReactNode;
  /** Exported value, if it differs from `value`. */
  csv?: (row: Row) => CellValue;
  /** Right-aligned. */
  numeric?: boolean;
  /** Defaults to true for a column with a value. */
  sortable?: boolean;
  /** Includes the column in the filter; defaults to true for a column with a value. */
  filterable?: boolean;
  /** False for a column that cannot be hidden. */
  hideable?: boolean;
  /** Hidden by default. */
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
  /** One-based. */
  page: number;
};
