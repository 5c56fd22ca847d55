import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyTableState, nextSort, parseTableState, serializeTableState } from "./state.ts";

const columns = [
  { id: "name", hideable: false },
  { id: "role" },
  { id: "last-seen" },
  { id: "node.id", hiddenAtFirst: true },
];
const ids = columns.map((column) => column.id);
const sorts = fc.option(
  fc.record({ id: fc.constantFrom(...ids), direction: fc.constantFrom("asc" as const, "desc" as const) }),
);
const states = fc.record({
  sort: sorts,
  filter: fc.string({ unit: "grapheme" }),
  hidden: fc.subarray(ids.slice(1)),
  page: fc.integer({ min: 1, max: 100_000 }),
});

test("a table's state survives a round trip through a URL with other parameters, for every default order", () => {
  fc.assert(
    fc.property(states, sorts, fc.constantFrom("", "users-"), (state, defaultSort, prefix) => {
      const options = { columns, defaultSort, prefix };
      const url = new URL("https://console.example/users?from=now-6h");
      for (const [name, value] of serializeTableState(state, options)) url.searchParams.set(name, value);
      expect(parseTableState(new URL(url.href).searchParams, options)).toEqual(state);
    }),
  );
});

test("an untouched table adds nothing to the address", () => {
  const options = { columns, defaultSort: { id: "name", direction: "asc" as const } };
  expect(serializeTableState(emptyTableState(options), options).toString()).toBe("");
});

test("the URL remembers a shown column that is hidden by default, and a removed default order", () => {
  const options = { columns, defaultSort: { id: "name", direction: "asc" as const } };
  const state = { ...emptyTableState(options), hidden: [], sort: null };
  expect(serializeTableState(state, options).toString()).toBe("sort=&hide=");
});

describe("a table", () => {
  test.each([
    ["sort=-gone", { sort: null }],
    ["sort=-role", { sort: { id: "role", direction: "desc" } }],
    ["hide=role,gone,name", { hidden: ["role"] }],
    ["page=0", { page: 1 }],
    ["page=1e9999", { page: 1 }],
    ["page=two", { page: 1 }],
    ["q=a+b%26c", { filter: "a b&c" }],
  ])("reads its own parameters in %s, and ignores unknown or invalid values", (query, expected) => {
    expect(parseTableState(query, { columns })).toMatchObject(expected);
  });
});

test("header presses cycle through ascending, descending and unsorted; another column starts over", () => {
  const first = nextSort(null, "role");
  const second = nextSort(first, "role");
  expect(first).toEqual({ id: "role", direction: "asc" });
  expect(second).toEqual({ id: "role", direction: "desc" });
  expect(nextSort(second, "role")).toBeNull();
  expect(nextSort(second, "name")).toEqual({ id: "name", direction: "asc" });
});
