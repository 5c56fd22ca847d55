"use client";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useId } from "react";
import { cx } from "../core/cx.ts";
import { formatCount } from "../core/format.ts";
import { Button } from "../form/button.tsx";
import type { Column, TableState } from "./column-types.ts";
import { nextSort } from "./state.ts";
import { ActionsHeaderCell, BodyRow, HeaderCell, type RowTarget, SkeletonRows } from "./table-rows.tsx";
import { ColumnMenu, ExportMenu, FilterBox, RowCount, ToolbarRow } from "./toolbar.tsx";
import { useTableModel } from "./use-table-model.ts";

export type DataTableProps<Row> = RowTarget<Row> & {
  /** Names the table and its filter: "Users". */
  label: string;
  /** Keep it at module scope or memoised: a new array sorts and filters again. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  state: TableState;
  onStateChange: (state: TableState) => void;
  status?: "ready" | "loading" | "error";
  /** ErrorState shown instead of rows when the status is "error". */
  error?: ReactNode;
  /** EmptyState for a table without rows, which explains how to add the first. */
  empty: ReactNode;
  /** Menu at the end of each row. */
  rowActions?: (row: Row) => ReactNode;
  pageSize?: number;
  /** Fetches further rows by a button instead of paging through the loaded ones. */
  loadMore?: { hasMore: boolean; isLoading: boolean; onLoadMore: () => void };
  /** True if the server filters and sorts the rows; it must follow `state`. */
  manual?: boolean;
  /** File name without its extension; no export without it. */
  exportName?: string;
  /** Additional filters or an action beside the filter box. */
  toolbar?: ReactNode;
  /** False to hide the filter box. */
  filterBox?: boolean;
  skeletonRowCount?: number;
  className?: string;
};

export function TableView<Row extends object>(props: DataTableProps<Row>) {
  "use no memo";
  const { label, columns, rows, rowKey, state, onStateChange, loadMore, status = "ready", className } = props;
  const model = useTableModel({
    rows,
    rowKey,
    columns,
    state,
    pageSize: loadMore ? null : (props.pageSize ?? 50),
    manual: props.manual ?? false,
  });
  const captionId = useId();
  const change = (part: Partial<TableState>) => onStateChange({ ...state, page: 1, ...part });
  return (
    <div className={cx("flex min-w-0 flex-col gap-2", className)}>
      <TableToolbar {...props} {...model} change={change} />
      <div className="overflow-hidden rounded-md border border-line bg-surface">
        <section
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
          tabIndex={0}
          aria-labelledby={captionId}
          data-print="flow"
          data-rows="lines"
          className="scroll-edges relative max-h-[max(20rem,calc(100dvh-13rem))] overflow-auto -outline-offset-2"
        >
          <table
            aria-busy={status === "loading"}
            className="w-full border-separate border-spacing-0 text-base"
          >
            <caption id={captionId} className="sr-only">
              {label}
            </caption>
            <thead>
              <tr>
                {model.visibleColumns.map((column, index) => (
                  <HeaderCell
                    key={column.id}
                    column={column}
                    index={index}
                    sort={state.sort}
                    onSort={(id) => change({ sort: nextSort(state.sort, id) })}
                  />
                ))}
                {props.rowActions && <ActionsHeaderCell />}
              </tr>
            </thead>
            <tbody>
              <TableBody {...props} {...model} onClearFilter={() => change({ filter: "" })} />
            </tbody>
          </table>
        </section>
      </div>
      <TableFoot {...model} {...props} onPage={(page) => change({ page })} />
    </div>
  );
}

type ToolbarProps<Row> = DataTableProps<Row> & {
  visibleColumns: readonly Column<Row>[];
  allRows: readonly Row[];
  change: (part: Partial<TableState>) => void;
};

function TableToolbar<Row extends object>(props: ToolbarProps<Row>) {
  const { label, columns, rows, state, status = "ready", loadMore, visibleColumns, allRows, change } = props;
  return (
    <ToolbarRow>
      {props.filterBox !== false && (
        <FilterBox label={label} value={state.filter} onCommit={(filter) => change({ filter })} />
      )}
      {props.toolbar}
      <div className="ml-auto flex items-center gap-1">
        {status !== "error" && (status === "ready" || rows.length > 0) && (
          <span className="mr-2">
            <RowCount shown={allRows.length} total={rows.length} more={loadMore?.hasMore ?? false} />
          </span>
        )}
        <ColumnMenu
          label={label}
          columns={columns}
          hidden={state.hidden}
          onHiddenChange={(hidden) => change({ hidden, page: state.page })}
        />
        {props.exportName && <ExportMenu name={props.exportName} rows={allRows} columns={visibleColumns} />}
      </div>
    </ToolbarRow>
  );
}

type BodyProps<Row> = DataTableProps<Row> & {
  visibleColumns: readonly Column<Row>[];
  pageRows: readonly { key: string; row: Row }[];
  onClearFilter: () => void;
};

function TableBody<Row extends object>(props: BodyProps<Row>) {
  const { status = "ready", rows, visibleColumns, pageRows, rowActions, rowHref, onRowClick } = props;
  const span = visibleColumns.length + (rowActions ? 1 : 0);
  if (status === "error") return <FullRow span={span}>{props.error}</FullRow>;
  // Keeps the previous content while the next loads.
  if (status === "loading" && rows.length === 0) {
    return (
      <SkeletonRows
        rowCount={props.skeletonRowCount ?? 8}
        columns={visibleColumns}
        hasActions={rowActions !== undefined}
      />
    );
  }
  if (rows.length === 0 && props.state.filter === "") return <FullRow span={span}>{props.empty}</FullRow>;
  if (pageRows.length === 0) {
    return (
      <FullRow span={span}>
        <div className="flex flex-col items-center gap-3 px-4 py-10 text-center text-muted">
          <p>No rows match “{props.state.filter}”.</p>
          <Button size="sm" onClick={props.onClearFilter}>
            Clear filter
          </Button>
        </div>
      </FullRow>
    );
  }
  return pageRows.map(({ key, row }) => (
    <BodyRow
      key={key}
      row={row}
      columns={visibleColumns}
      rowHref={rowHref}
      onRowClick={onRowClick}
      rowActions={rowActions}
    />
  ));
}

function FullRow({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={span} data-cell="whole">
        {/* As wide as the visible part, so that it stays in sight when the columns are wider. */}
        <div className="sticky left-0 w-full max-w-[calc(100vw-2rem)]">{children}</div>
      </td>
    </tr>
  );
}

type FootProps = {
  allRows: readonly object[];
  page: number;
  pageCount: number;
  pageSize?: number;
  loadMore?: DataTableProps<object>["loadMore"];
  onPage: (page: number) => void;
};

function TableFoot({ allRows, page, pageCount, pageSize = 50, loadMore, onPage }: FootProps) {
  if (loadMore) {
    if (!loadMore.hasMore) return null;
    return (
      <Button className="self-center" pending={loadMore.isLoading} onClick={loadMore.onLoadMore}>
        Load more
      </Button>
    );
  }
  if (pageCount <= 1) return null;
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, allRows.length);
  return (
    <nav
      data-print="hide"
      aria-label="Pages"
      className="flex items-center justify-end gap-1 text-sm text-muted"
    >
      <span className="mr-2">
        {formatCount(first)}–{formatCount(last)} of {formatCount(allRows.length)}
      </span>
      <Button
        variant="quiet"
        size="sm"
        aria-label="Previous page"
        icon={<ChevronLeft aria-hidden="true" />}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      <Button
        variant="quiet"
        size="sm"
        aria-label="Next page"
        icon={<ChevronRight aria-hidden="true" />}
        disabled={page >= pageCount}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}
