"use client";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import type { MouseEvent, ReactNode } from "react";
import { cx } from "../core/cx.ts";
import { MISSING } from "../core/format.ts";
import { UiLink } from "../core/provider.tsx";
import { Time } from "../data/time.tsx";
import { Skeleton } from "../feedback/progress.tsx";
import type { Column, Sort } from "./column-types.ts";

const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 3 });
const sortIcons = { asc: ArrowUp, desc: ArrowDown } as const;

/** Column id of a row's state, which a phone shows beside the row's name. */
const STATE_COLUMN = "state";

type CellPart = "name" | "state" | "other";

/** Role of a cell in a row on a phone (styles/table.css). */
const cellPart = (column: { readonly id: string }, index: number): CellPart =>
  index === 0 ? "name" : column.id === STATE_COLUMN ? "state" : "other";

const cellMarks = (column: { readonly id: string }, index: number) => ({
  "data-cell": cellPart(column, index),
});

export function HeaderCell<Row>(props: {
  column: Column<Row>;
  index: number;
  sort: Sort | null;
  onSort: (id: string) => void;
}) {
  const { column, index, sort, onSort } = props;
  const { id, header, numeric, title } = column;
  const sortable = column.sortable ?? column.value !== undefined;
  const direction = sort?.id === id ? sort.direction : undefined;
  const Icon = direction ? sortIcons[direction] : ChevronsUpDown;
  return (
    <th
      {...cellMarks(column, index)}
      scope="col"
      aria-sort={direction && (direction === "asc" ? "ascending" : "descending")}
      style={{ width: column.width }}
      className={cx(
        "sticky top-0 z-2 h-8 border-b border-line bg-surface px-3 text-sm font-medium whitespace-nowrap",
        direction ? "text-ink" : "text-faint",
        numeric ? "text-right" : "text-left",
      )}
    >
      {sortable ? (
        <button
          type="button"
          onClick={() => onSort(id)}
          className={cx(
            "group -mx-1.5 inline-flex h-6 items-center gap-1 rounded-sm px-1.5 hover:bg-hover hover:text-ink",
            numeric && "flex-row-reverse",
          )}
        >
          {header || title}
          <Icon
            size={12}
            aria-hidden="true"
            className={
              direction
                ? "text-accent-ink"
                : "opacity-0 group-hover:opacity-60 group-focus-visible:opacity-60"
            }
          />
        </button>
      ) : (
        header || <span className="sr-only">{title ?? id}</span>
      )}
    </th>
  );
}

export type RowTarget<Row> = {
  rowHref?: (row: Row) => string;
  onRowClick?: (row: Row) => void;
};

export type BodyRowProps<Row> = RowTarget<Row> & {
  row: Row;
  columns: readonly Column<Row>[];
  rowActions?: (row: Row) => ReactNode;
};

const rowLineClass = "not-last:*:border-b *:border-line";

/**
 * Keeps a row's actions at the right edge of a table of any width; the edge shows while columns are hidden beneath it.
 */
const actionsClass = "sticky right-0 bg-surface edge-while-scrolling";

/** Header of the actions column: sticky in both directions, above head and body. */
export function ActionsHeaderCell() {
  return (
    <th
      data-cell="actions"
      scope="col"
      className={cx(actionsClass, "top-0 z-3 h-8 w-10 min-w-10 border-b border-line")}
    >
      <span className="sr-only">Actions</span>
    </th>
  );
}

// Makes the whole row a target for the pointer; the keyboard and screen readers use the link in its first cell. The
// click is forwarded with its modifiers, so that a new tab opens as it would from the link.
function followRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as Element;
  const isOnControl = target.closest("a, button, input, label, [role=menu], [role=dialog]") !== null;
  if (isOnControl || !event.currentTarget.contains(target) || !getSelection()?.isCollapsed) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  event.currentTarget
    .querySelector("[data-row-target]")
    ?.dispatchEvent(
      new globalThis.MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    );
}

export function BodyRow<Row>({ row, columns, rowHref, onRowClick, rowActions }: BodyRowProps<Row>) {
  const hasTarget = rowHref !== undefined || onRowClick !== undefined;
  return (
    <tr
      onClick={hasTarget ? followRow : undefined}
      className={cx("group/row hover:bg-hover", rowLineClass, hasTarget && "cursor-pointer")}
    >
      {columns.map((column, index) => (
        <td
          key={column.id}
          {...cellMarks(column, index)}
          data-label={column.header || column.title}
          title={wholeText(column, row)}
          className={cx(
            "h-8 max-w-96 truncate px-3 py-1 whitespace-nowrap",
            column.numeric && "text-right tabular-nums",
            index === 0 ? "text-ink" : "text-muted",
          )}
        >
          {index === 0 ? (
            <RowTargetCell row={row} rowHref={rowHref} onRowClick={onRowClick}>
              {cellContent(column, row)}
            </RowTargetCell>
          ) : (
            cellContent(column, row)
          )}
        </td>
      ))}
      {rowActions && (
        <td
          data-cell="actions"
          className={cx(
            actionsClass,
            "z-1 h-8 w-10 px-1.5 py-0 text-right whitespace-nowrap group-hover/row:bg-hover",
          )}
        >
          {rowActions(row)}
        </td>
      )}
    </tr>
  );
}

function RowTargetCell<Row>({
  row,
  rowHref,
  onRowClick,
  children,
}: RowTarget<Row> & { row: Row; children: ReactNode }) {
  const className = "rounded-sm font-medium text-ink no-underline hover:text-accent-ink";
  if (rowHref) {
    return (
      <UiLink data-row-target="" href={rowHref(row)} className={className}>
        {children}
      </UiLink>
    );
  }
  if (!onRowClick) return children;
  return (
    <button type="button" data-row-target="" onClick={() => onRowClick(row)} className={className}>
      {children}
    </button>
  );
}

/** Length up to which text is never truncated. */
const UNCUT_LENGTH_MAX = 24;

/** Shows the full text of a truncated cell on hover; the keyboard gets it when the cell's link has focus. */
function wholeText<Row>(column: Column<Row>, row: Row): string | undefined {
  const value = column.value?.(row);
  return typeof value === "string" && value.length > UNCUT_LENGTH_MAX ? value : undefined;
}

function cellContent<Row>(column: Column<Row>, row: Row): ReactNode {
  if (column.cell) return column.cell(row);
  const value = column.value?.(row);
  if (value === null || value === undefined || value === "")
    return <span className="text-faint">{MISSING}</span>;
  if (value instanceof Date) return <Time value={value} />;
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return Number.isFinite(value) ? figures.format(value) : MISSING;
  return value;
}

// Uneven widths look like text; they depend only on the position, so that server and browser agree.
const skeletonWidths = ["72%", "48%", "60%", "40%", "56%"];

export function SkeletonRows(props: {
  rowCount: number;
  columns: readonly Column<never>[];
  hasActions: boolean;
}) {
  const { rowCount, columns, hasActions } = props;
  return Array.from({ length: rowCount }, (_, rowIndex) => (
    <tr key={rowIndex} className={rowLineClass}>
      {columns.map((column, columnIndex) => (
        <td key={column.id} {...cellMarks(column, columnIndex)} className="h-8 px-3 py-1">
          <Skeleton
            height={10}
            width={skeletonWidths[(rowIndex + columnIndex * 2) % skeletonWidths.length]}
            className={column.numeric ? "ml-auto" : undefined}
          />
        </td>
      ))}
      {hasActions && <td data-cell="actions" className={cx(actionsClass, "h-8 w-10")} />}
    </tr>
  ));
}
