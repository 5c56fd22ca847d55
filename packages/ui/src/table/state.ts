import type { Column, Sort, TableState } from "./column-types.ts";

type KnownColumn = Pick<Column<never>, "id" | "hiddenAtFirst" | "hideable">;

export type TableStateOptions = {
  columns: readonly KnownColumn[];
  /** Default order for a URL without one. */
  defaultSort?: Sort | null;
  /** Prefix of parameter names on a page with several tables: "sessions-". */
  prefix?: string;
};

export function emptyTableState({ columns, defaultSort = null }: TableStateOptions): TableState {
  return {
    sort: defaultSort,
    filter: "",
    hidden: columns.filter((column) => column.hiddenAtFirst).map((column) => column.id),
    page: 1,
  };
}

/** Reads a table's state from a query string; ignores unknown values (an old link, a typo). */
export function parseTableState(query: string | URLSearchParams, options: TableStateOptions): TableState {
  const params = new URLSearchParams(query);
  const initial = emptyTableState(options);
  const read = (name: string) => params.get(`${options.prefix ?? ""}${name}`);
  const [sort, hide] = [read("sort"), read("hide")];
  const page = Number(read("page") ?? 1);
  return {
    sort: sort === null ? initial.sort : parseSort(sort, options.columns),
    filter: read("q") ?? "",
    hidden: hide === null ? initial.hidden : parseHidden(hide, options.columns),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

/** Writes only what differs from the initial state, so that an untouched table adds nothing to the address. */
export function serializeTableState(state: TableState, options: TableStateOptions): URLSearchParams {
  const initial = emptyTableState(options);
  const params = new URLSearchParams();
  const write = (name: string, value: string) => params.set(`${options.prefix ?? ""}${name}`, value);
  const [sort, initialSort] = [sortText(state.sort), sortText(initial.sort)];
  const [hidden, initialHidden] = [hiddenText(state.hidden, options), hiddenText(initial.hidden, options)];
  if (sort !== initialSort) write("sort", sort);
  if (state.filter !== "") write("q", state.filter);
  if (hidden !== initialHidden) write("hide", hidden);
  if (state.page !== 1) write("page", String(state.page));
  return params;
}

/** Names of a table's URL parameters, for callers that replace them and keep the others. */
export function tableStateParams(prefix = ""): string[] {
  return ["sort", "q", "hide", "page"].map((name) => `${prefix}${name}`);
}

/** Returns the sort after a press on a header: ascending, descending, then unsorted. */
export function nextSort(sort: Sort | null, id: string): Sort | null {
  if (sort?.id !== id) return { id, direction: "asc" };
  return sort.direction === "asc" ? { id, direction: "desc" } : null;
}

function parseSort(text: string, columns: readonly KnownColumn[]): Sort | null {
  const descending = text.startsWith("-");
  const id = descending ? text.slice(1) : text;
  return columns.some((column) => column.id === id) ? { id, direction: descending ? "desc" : "asc" } : null;
}

const sortText = (sort: Sort | null) =>
  sort === null ? "" : `${sort.direction === "desc" ? "-" : ""}${sort.id}`;

function parseHidden(text: string, columns: readonly KnownColumn[]): string[] {
  const ids = new Set(text.split(","));
  return columns
    .filter((column) => column.hideable !== false && ids.has(column.id))
    .map((column) => column.id);
}

function hiddenText(hidden: readonly string[], { columns }: TableStateOptions): string {
  return parseHidden(hidden.join(","), columns).join(",");
}
