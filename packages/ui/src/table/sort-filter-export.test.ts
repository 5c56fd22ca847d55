import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CellValue, Column } from "./column-types.ts";
import { compareValues, filterRows, sortValue, toCsv, toJson } from "./sort-filter-export.ts";

type Row = { name: CellValue; count?: CellValue };

const columns: Column<Row>[] = [
  { id: "name", header: "Name", value: (row) => row.name },
  { id: "count", header: "n", title: "Count", value: (row) => row.count, filterable: false },
];

describe("toCsv", () => {
  test.each<[CellValue, string]>([
    ["plain", "plain"],
    ["a,b", '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ["two\nlines", '"two\nlines"'],
    [" padded ", '" padded "'],
    ["=1+1", "'=1+1"],
    ["+420", "'+420"],
    ["-x", "'-x"],
    ["@cmd", "'@cmd"],
    ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
    ["\t=1", `'\t=1`],
    [-5, "-5"],
    [0, "0"],
    [false, "false"],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
    [new Date(Number.NaN), ""],
    [null, ""],
    [undefined, ""],
  ])("writes %j as %j", (value, field) => {
    expect(toCsv([{ name: value }], columns)).toBe(`Name,Count\r\n${field},\r\n`);
  });

  test("no exported field begins like a formula, and every text can be read back", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1 }), (names) => {
        const fields = readCsv(
          toCsv(
            names.map((name) => ({ name })),
            columns.slice(0, 1),
          ),
        ).slice(1);
        expect(fields.every((field) => !/^[=+\-@]/.test(field))).toBe(true);
        expect(fields.map((field, index) => (field === names[index] ? field : field.slice(1)))).toEqual(
          names,
        );
      }),
    );
  });
});

/** A small reader of one-column CSV, written from RFC 4180 independently of the writer. */
function readCsv(text: string): string[] {
  return [...text.matchAll(/(?:"((?:[^"]|"")*)"|([^"\r\n][^\r\n]*|))\r\n/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? "",
  );
}

test("JSON is keyed by column id, has null for missing values, and prefers the export accessor", () => {
  const [name, count] = columns as [Column<Row>, Column<Row>];
  const rows: Row[] = [{ name: "pod", count: 2 }, { name: null }];
  expect(JSON.parse(toJson(rows, [name, { ...count, csv: (row) => `#${row.count}` }]))).toEqual([
    { name: "pod", count: "#2" },
    { name: null, count: "#undefined" },
  ]);
});

test.each([
  ["", 3],
  ["ada", 1],
  ["POD 1", 2],
  ["1 pod", 2],
  ["7", 0],
])("the filter %j finds %d rows", (filter, found) => {
  const rows: Row[] = [{ name: "Ada", count: 7 }, { name: "pod 1" }, { name: "pod 10" }];
  expect(filterRows(rows, columns, filter)).toHaveLength(found);
});

test.each<[CellValue[], CellValue[]]>([
  [
    ["pod 10", "pod 2", "Pod 1"],
    ["Pod 1", "pod 2", "pod 10"],
  ],
  [
    [10, 9, -1],
    [-1, 9, 10],
  ],
  [
    [true, false],
    [false, true],
  ],
  [
    [new Date(2), new Date(1)],
    [new Date(1), new Date(2)],
  ],
])("the values %j are sorted as %j", (values, sorted) => {
  expect([...values].sort(compareValues)).toEqual(sorted);
});

test.each<[CellValue, CellValue]>([
  [null, undefined],
  [undefined, undefined],
  [Number.NaN, undefined],
  [new Date(Number.NaN), undefined],
  ["", ""],
  [0, 0],
])("a row with the value %s is sorted by %s", (value, key) => {
  expect(sortValue(columns[0] as Column<Row>, { name: value })).toBe(key);
});
