"use client";
import { lazy, type ReactNode, Suspense } from "react";
import { useIsInteractive } from "../core/use-is-interactive.ts";
import { Skeleton } from "../feedback/progress.tsx";
import type { DataTableProps } from "./table-view.tsx";

export type { DataTableProps } from "./table-view.tsx";
export type { CellValue, Column, Sort, TableState } from "./types.ts";

// A lazy component forgets that the type of its rows is open.
const TableView = lazy(async () => ({
  default: (await import("./table-view.tsx")).TableView,
})) as unknown as <Row extends object>(props: DataTableProps<Row>) => ReactNode;

const ROW_PX = 32;
const TOOLBAR_PX = 40;
const ROWS_USUAL = 8;

/** Sorts, filters, chooses columns, pages and exports; all of its state is the caller's, which keeps it in the URL. */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const isInteractive = useIsInteractive();
  const rowCount = 1 + (props.rows.length || props.skeletonRowCount || ROWS_USUAL);
  // A box of about its size holds the place while the table, larger than most pages, is fetched. The server draws the
  // box too: a table of its making would be thrown away, with what somebody had typed into it.
  const box = <Skeleton height={TOOLBAR_PX + rowCount * ROW_PX} />;
  if (!isInteractive) return box;
  return (
    <Suspense fallback={box}>
      <TableView {...props} />
    </Suspense>
  );
}
