"use client";
import {
  type ColumnDef,
  columnVisibilityFeature,
  createPaginatedRowModel,
  createSortedRowModel,
  rowPaginationFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { useMemo } from "react";
import type { Column, TableState } from "./column-types.ts";
import { compareValues, filterRows, sortValue } from "./sort-filter-export.ts";

const features = tableFeatures({
  rowSortingFeature,
  columnVisibilityFeature,
  rowPaginationFeature,
  sortedRowModel: createSortedRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
});

type Model<Row> = {
  visibleColumns: Column<Row>[];
  /** Filtered and sorted rows of all pages, for the export. */
  allRows: Row[];
  /** Rows of the current page. */
  pageRows: { key: string; row: Row }[];
  pageCount: number;
  page: number;
};

export type ModelInput<Row> = {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  state: TableState;
  /** Null shows every row. */
  pageSize: number | null;
  /** True if the server has already filtered and sorted the rows. */
  manual: boolean;
};

function toColumnDef<Row extends object>(column: Column<Row>): ColumnDef<typeof features, Row> {
  return {
    id: column.id,
    accessorFn: (row) => sortValue(column, row),
    sortFn: (first, second) =>
      compareValues(sortValue(column, first.original), sortValue(column, second.original)),
    sortUndefined: "last",
    enableHiding: column.hideable !== false,
  };
}

/** Sorts, hides and pages with TanStack Table; the caller keeps the state, and DataTable renders. */
export function useTableModel<Row extends object>(input: ModelInput<Row>): Model<Row> {
  "use no memo";
  const { rows, rowKey, columns, state, pageSize, manual } = input;
  const data = useMemo(
    () => (manual ? [...rows] : filterRows(rows, columns, state.filter)),
    [rows, columns, state.filter, manual],
  );
  const definitions = useMemo(() => columns.map((column) => toColumnDef(column)), [columns]);
  const size = pageSize ?? Math.max(1, data.length);
  const pageCount = Math.max(1, Math.ceil(data.length / size));
  const page = Math.min(state.page, pageCount);
  const table = useTable({
    features,
    columns: definitions,
    data,
    getRowId: rowKey,
    manualSorting: manual,
    autoResetPageIndex: false,
    state: {
      sorting: state.sort ? [{ id: state.sort.id, desc: state.sort.direction === "desc" }] : [],
      columnVisibility: Object.fromEntries(state.hidden.map((id) => [id, false])),
      pagination: { pageIndex: page - 1, pageSize: size },
    },
  });
  const byId = new Map(columns.map((column) => [column.id, column]));
  return {
    visibleColumns: table.getVisibleLeafColumns().flatMap((column) => byId.get(column.id) ?? []),
    allRows: table.getPrePaginatedRowModel().rows.map((row) => row.original),
    pageRows: table.getRowModel().rows.map((row) => ({ key: row.id, row: row.original })),
    pageCount,
    page,
  };
}
