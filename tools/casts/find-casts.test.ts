import { expect, test } from "vitest";
import { findCasts } from "./find-casts.ts";

const typesIn = (source: string) => findCasts("file.ts", source).map(({ type }) => type);

test.each([
  ["const row = stored as Row;", ["Row"]],
  ["const row = stored as unknown as Row;", ["Row", "unknown"]],
  ["const row = <Row>stored;", ["Row"]],
  ["const first = rows[0]!;", ["non-null"]],
  ["(counts[0] as number) += 1;", ["number"]],
])("%s is reported", (source, types) => {
  expect(typesIn(source)).toEqual(types);
});

test.each([
  "const kinds = ['a', 'b'] as const;",
  "const row = { a: 1 } satisfies Row;",
  "import { a as b } from './a.ts';",
  "export { a as b };",
  "const text = 'stored as Row';",
  "// stored as Row",
])("%s is not reported", (source) => {
  expect(typesIn(source)).toEqual([]);
});

test("reports a cast with its line", () => {
  expect(findCasts("file.ts", "const a = 1;\nconst b =\n  a as Row;")).toEqual([{ line: 3, type: "Row" }]);
});
