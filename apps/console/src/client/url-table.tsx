"use client";
import { DataTable, type DataTableProps } from "@stashlight/ui/table";
import type { Column, TableStateOptions } from "@stashlight/ui/table-state";
import { useTableState } from "./url-state.ts";

export type UrlTableProps<Row extends object> = Omit<
  DataTableProps<Row>,
  "columns" | "state" | "onStateChange"
> & { readonly table: TableStateOptions & { readonly columns: Column<Row>[] } };

/** A table that keeps its sort, filter, hidden columns and page in the URL. */
export function UrlTable<Row extends object>({ table, ...props }: UrlTableProps<Row>) {
  const [state, setState] = useTableState(table);
  return (
    <DataTable<Row>
      {...(props as DataTableProps<Row>)}
      columns={table.columns}
      state={state}
      onStateChange={setState}
    />
  );
}
