"use client";
import { Columns3, Download, Search, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { cx } from "../core/cx.ts";
import { downloadText } from "../core/download.ts";
import { formatCount } from "../core/format.ts";
import { Button } from "../form/button.tsx";
import { controlClass } from "../form/inputs.tsx";
import { Menu } from "../overlay/menu.tsx";
import type { Column } from "./column-types.ts";
import { isExportable, toCsv, toJson } from "./sort-filter-export.ts";

const TYPING_PAUSE_MS = 150;

/** Waits for a pause in typing, because the owner may respond slower than the user types. */
function useDraft(value: string, onCommit: (value: string) => void) {
  const [draft, setDraft] = useState(value);
  const [seen, setSeen] = useState(value);
  const [sent, setSent] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (value !== seen) {
    setSeen(value);
    // Takes a value set from outside (Back, a cleared filter) as the new draft.
    if (value !== sent) setDraft(value);
  }
  const change = (next: string, pauseMs: number) => {
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSent(next);
      onCommit(next);
    }, pauseMs);
  };
  return {
    draft,
    type: (next: string) => change(next, TYPING_PAUSE_MS),
    set: (next: string) => change(next, 0),
  };
}

export function FilterBox(props: { label: string; value: string; onCommit: (value: string) => void }) {
  const { draft, type, set } = useDraft(props.value, props.onCommit);
  return (
    <div className="relative w-56 max-md:w-full">
      <Search size={14} aria-hidden="true" className="absolute top-[9px] left-2.5 text-faint" />
      <input
        type="search"
        aria-label={`Filter ${props.label}`}
        placeholder="Filter"
        autoComplete="off"
        spellCheck={false}
        value={draft}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || draft === "") return;
          event.stopPropagation();
          set("");
        }}
        className={cx(
          controlClass,
          "h-8 pl-8 md:text-base [&::-webkit-search-cancel-button]:hidden",
          draft !== "" && "pr-8",
        )}
      />
      {draft !== "" && (
        <button
          type="button"
          aria-label="Clear filter"
          onClick={() => set("")}
          className="absolute top-1 right-1 grid size-6 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

type ColumnMenuProps = {
  label: string;
  columns: readonly Pick<Column<never>, "id" | "header" | "title" | "hideable">[];
  hidden: readonly string[];
  onHiddenChange: (hidden: string[]) => void;
};

export function ColumnMenu({ label, columns, hidden, onHiddenChange }: ColumnMenuProps) {
  const choices = columns.filter((column) => column.hideable !== false);
  if (choices.length === 0) return null;
  const toggle = (id: string, shown: boolean) =>
    onHiddenChange(shown ? hidden.filter((one) => one !== id) : [...hidden, id]);
  // Names the table, because a page may have several.
  const name = `Columns of ${label}`;
  return (
    <Menu
      label={name}
      trigger={
        <Button variant="quiet" aria-label={name} title="Columns" icon={<Columns3 aria-hidden="true" />} />
      }
      items={choices.map(({ id, header, title }) => ({
        id,
        label: title ?? header,
        checked: !hidden.includes(id),
        onCheckedChange: (checked) => toggle(id, checked),
      }))}
    />
  );
}

export function ExportMenu<Row>(props: {
  name: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
}) {
  const { name, rows, columns } = props;
  const exported = columns.filter(isExportable);
  const hint = `${formatCount(rows.length)} rows, visible columns only`;
  return (
    <Menu
      label={`Export ${name}`}
      trigger={
        <Button variant="quiet" aria-label="Export" title="Export" icon={<Download aria-hidden="true" />} />
      }
      items={[
        {
          id: "csv",
          label: "Export CSV",
          hint,
          onSelect: () => downloadText(`${name}.csv`, "text/csv;charset=utf-8", toCsv(rows, exported)),
        },
        {
          id: "json",
          label: "Export JSON",
          hint,
          onSelect: () => downloadText(`${name}.json`, "application/json", toJson(rows, exported)),
        },
      ]}
    />
  );
}

/** Announces the row count to screen readers when a filter changes it. */
export function RowCount({ shown, total, more }: { shown: number; total: number; more: boolean }) {
  const all = `${formatCount(total)}${more ? "+" : ""}`;
  return (
    <p role="status" className="text-sm text-faint tabular-nums">
      {shown === total ? `${all} ${total === 1 ? "row" : "rows"}` : `${formatCount(shown)} of ${all} rows`}
    </p>
  );
}

export function ToolbarRow({ children }: { children: ReactNode }) {
  return (
    <div data-print="hide" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      {children}
    </div>
  );
}
