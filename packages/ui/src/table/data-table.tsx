"use client";
import type { ReactNode } from "react";
import { lazyPart } from "../core/lazy.tsx";
import { Skeleton } from "../feedback/progress.tsx";
import type { DataTableProps } from "./table-view.tsx";

export type { CellValue, Column, Sort, TableState } from "./column-types.ts";
export type { DataTableProps } from "./table-view.tsx";

// Restores the type parameter of the rows, which a lazy component loses.
const TableView = lazyPart(async () => (await import("./table-view.tsx")).TableView) as unknown as <
  Row extends object,
>(
  props: DataTableProps<Row> & { fallback: ReactNode },
) => ReactNode;

const ROW_PX = 32;
const TOOLBAR_PX = 40;
const ROWS_USUAL = 8;

/** A table that sorts, filters, chooses columns, pages and exports; the caller keeps its state in the URL. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const rowCount = 1 + (props.rows.length || props.skeletonRowCount || ROWS_USUAL);
  // Reserves the place while the table loads, because its code is larger than that of most pages.
  return <TableView {...props} fallback={<Skeleton height={TOOLBAR_PX + rowCount * ROW_PX} />} />;
}
