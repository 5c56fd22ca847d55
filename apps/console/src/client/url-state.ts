"use client";
import { defaultTimeRange, type TimeRange, type TimeRangeExpressions } from "@stashlight/contracts/time";
import {
  parseTableState,
  serializeTableState,
  type TableState,
  type TableStateOptions,
  tableStateParams,
} from "@stashlight/ui/table-state";
import { parseAsString, useQueryStates } from "nuqs";
import { useMemo } from "react";
import { readTimeRange } from "./read-time-range.ts";

/** The URL's time range, or the page's default. Back undoes a change, and the choice is kept. */
export function useTimeRange({ from, to }: TimeRangeExpressions = defaultTimeRange) {
  const parsers = useMemo(
    () => ({ from: parseAsString.withDefault(from), to: parseAsString.withDefault(to) }),
    [from, to],
  );
  const [value, setValue] = useQueryStates(parsers, { history: "push", clearOnDefault: false });
  return { value, setValue: (next: { from: string; to: string }) => void setValue(next) };
}

/**
 * The range as instants for a query. An invalid range, such as a mistyped link, falls back to the default; a relative
 * one is resolved against `nowMs`, which the page advances when it refreshes.
 */
export function resolveTimeRange(
  value: TimeRangeExpressions,
  nowMs: number,
  fallback: TimeRangeExpressions = defaultTimeRange,
): TimeRange {
  const resolved = readTimeRange(value.from, value.to, nowMs);
  if (!("error" in resolved)) return resolved;
  return readTimeRange(fallback.from, fallback.to, nowMs) as TimeRange;
}

/** A table's sort, filter, hidden columns and page, from the URL. */
export function useTableState(options: TableStateOptions): [TableState, (state: TableState) => void] {
  const names = tableStateParams(options.prefix);
  const parsers = useMemo(
    () => Object.fromEntries(names.map((name) => [name, parseAsString])),
    [names.join()],
  );
  const [query, setQuery] = useQueryStates(parsers, { history: "replace" });
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== null) params.set(name, value);
  const write = (state: TableState) => {
    const next = serializeTableState(state, options);
    void setQuery(Object.fromEntries(names.map((name) => [name, next.get(name)])));
  };
  return [parseTableState(params, options), write];
}
