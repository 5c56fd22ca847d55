"use client";
import type { ReactNode } from "react";
import { lazyPart } from "../core/lazy.tsx";
import { Skeleton } from "../feedback/progress.tsx";
import type { DataTableProps } from "./table-view.tsx";

export type { CellValue, Column, Sort, TableState } from "./column-types.ts";
export type { DataTableProps } from "./table-view.tsx";

// A lazy component loses the type parameter of its rows.
const TableView = lazyPart(async () => (await import("./table-view.tsx")).TableView) as unknown as <
  Row extends object,
>(
  props: DataTableProps<Row> & { fallback: ReactNode },
) => ReactNode;

const ROW_PX = 32;
const TOOLBAR_PX = 40;
const ROWS_USUAL = 8;

/** Sorts, filters, chooses columns, pages and exports; the caller owns all state and keeps it in the URL. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const rowCount = 1 + (props.rows.length || props.skeletonRowCount || ROWS_USUAL);
  // A box of about its size reserves the place while the table, larger than most pages, loads.
  return <TableView {...props} fallback={<Skeleton height={TOOLBAR_PX + rowCount * ROW_PX} />} />;
}
