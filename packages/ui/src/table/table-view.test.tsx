import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Column, TableState } from "./column-types.ts";
import { emptyTableState } from "./state.ts";
import { type DataTableProps, TableView } from "./table-view.tsx";

type Pod = { id: string; lagSeconds: number | null };

const columns: Column<Pod>[] = [
  { id: "id", header: "Pod", value: (pod) => pod.id, hideable: false },
  { id: "lag", header: "Lag", value: (pod) => pod.lagSeconds, numeric: true },
];
const rows: Pod[] = [
  { id: "pod 10", lagSeconds: 3 },
  { id: "pod 2", lagSeconds: null },
  { id: "pod 1", lagSeconds: 12 },
];

function render(state: Partial<TableState>, props: Partial<DataTableProps<Pod>> = {}): string {
  return renderToStaticMarkup(
    <TableView
      label="Pods"
      columns={columns}
      rows={rows}
      rowKey={(pod) => pod.id}
      state={{ ...emptyTableState({ columns }), ...state }}
      onStateChange={() => {}}
      empty="No pod has been enrolled."
      {...props}
    />,
  );
}

const body = (html: string) => html.split("<tbody>")[1] ?? "";
const shownPods = (html: string) => body(html).match(/pod \d+/g) ?? [];

test.each<[Partial<TableState>, string[]]>([
  [{}, ["pod 10", "pod 2", "pod 1"]],
  [{ sort: { id: "id", direction: "asc" } }, ["pod 1", "pod 2", "pod 10"]],
  [{ sort: { id: "lag", direction: "asc" } }, ["pod 10", "pod 1", "pod 2"]],
  [{ sort: { id: "lag", direction: "desc" } }, ["pod 1", "pod 10", "pod 2"]],
  [{ filter: "pod 1" }, ["pod 10", "pod 1"]],
])("the state %j shows %j", (state, pods) => {
  expect(shownPods(render(state))).toEqual(pods);
});

test("only the sorted column announces its order", () => {
  const html = render({ sort: { id: "lag", direction: "desc" } });
  expect(html.match(/aria-sort="[^"]*"/g)).toEqual(['aria-sort="descending"']);
});

test("every cell bears the label of its column, which a phone shows beside the value", () => {
  expect(body(render({})).match(/data-label="[^"]*"/g)).toEqual(
    rows.flatMap(() => ['data-label="Pod"', 'data-label="Lag"']),
  );
});

test("a hidden column is gone from head and body", () => {
  expect(render({ hidden: ["lag"] }).match(/<t[hd] /g)).toHaveLength(1 + 3);
});

test("a page beyond the last one shows the last", () => {
  expect(shownPods(render({ page: 99 }, { pageSize: 2 }))).toEqual(["pod 1"]);
});

test("a table that loads more rows has a button instead of pages, and shows all loaded rows", () => {
  const html = render(
    {},
    { pageSize: 1, loadMore: { hasMore: true, isLoading: false, onLoadMore: () => {} } },
  );
  expect(shownPods(html)).toHaveLength(3);
  expect(html).toContain("Load more");
  expect(html).toContain("3+ rows");
});

test("rows that the server sorted and filtered are shown unchanged", () => {
  const state: Partial<TableState> = { sort: { id: "id", direction: "asc" }, filter: "nothing" };
  expect(shownPods(render(state, { manual: true }))).toEqual(["pod 10", "pod 2", "pod 1"]);
});

test("an empty table is explained, a filter without matches can be cleared, an error is shown, and old rows stay while new ones load", () => {
  expect(render({}, { rows: [] })).toContain("No pod has been enrolled.");
  expect(render({ filter: "zz" })).toContain("Clear filter");
  expect(render({}, { status: "error", error: "It failed." })).toContain("It failed.");
  expect(body(render({}, { rows: [], status: "loading", skeletonRowCount: 5 })).match(/<tr/g)).toHaveLength(
    5,
  );
  const reloading = render({}, { status: "loading" });
  expect(shownPods(reloading)).toHaveLength(3);
  expect(reloading).toContain("3 rows");
  expect(render({}, { rows: [], status: "loading" })).not.toMatch(/\d+ rows/);
});

test("a row's link is in its first cell, and the scrolling region can be reached by keyboard", () => {
  const html = render({}, { rowHref: (pod) => `/pods/${pod.id.slice(4)}` });
  expect(html).toMatch(/<td[^>]*><a [^>]*href="\/pods\/10"[^>]*>pod 10<\/a>/);
  expect(html).toMatch(/<section tabindex="0" aria-labelledby="[^"]+"/i);
});
