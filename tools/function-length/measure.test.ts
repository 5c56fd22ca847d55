import { expect, test } from "vitest";
import { measureFunctions } from "./measure.ts";

const measured = (source: string, path = "file.tsx") =>
  measureFunctions(path, source).map(({ name, line, lineCount }) => [name, line, lineCount]);

test.each([
  ["a declaration", "function a() {\n  return 1;\n}", ["a", 1, 3]],
  ["blank lines and comments", "function a() {\n\n  // Nothing.\n}", ["a", 1, 4]],
  ["parameters on lines of their own", "\nfunction a(\n  b: number,\n) {}", ["a", 2, 3]],
  ["an arrow function", "const a = () => {\n};", ["a", 1, 2]],
  ["a typed arrow function", "const a: B = () => {\n};", ["a", 1, 2]],
  ["text of JSX", "const A = () => (\n  <p>\n    text\n  </p>\n);", ["A", 1, 5]],
  ["a method of a class", "class A {\n  async b() {\n  }\n}", ["b", 2, 2]],
  ["a field of a class", "class A {\n  b = () => {\n  };\n}", ["b", 2, 2]],
  ["a method of an object", "const a = {\n  async b() {\n  },\n};", ["b", 2, 2]],
  ["a getter of an object", "const a = {\n  get b() {\n    return 1;\n  },\n};", ["b", 2, 3]],
  ["an assigned function", "a.b = function () {\n};", ["a.b", 1, 2]],
  ["a callback", "a(1, function () {\n});", ["callback of a(1)", 1, 2]],
  ["a default export", "export default () => {\n};", ["a function without a name", 1, 2]],
])("measures %s from its first line to its last", (_subject, source, expected) => {
  expect(measured(source)).toEqual([expected]);
});

test("counts a nested function for the outer one as well", () => {
  expect(measured("function a() {\n  const b = () => {\n  };\n}")).toEqual([
    ["a", 1, 4],
    ["b", 2, 2],
  ]);
});

test.each([
  'describe("a", () => {\n});',
  'describe.skipIf(true)("a", () => {\n});',
  'describe.each([1])("a", () => {\n});',
  "describe.each`a`('a', () => {\n});",
  'test.describe("a", () => {\n});',
  'test.describe.serial("a", () => {\n});',
])("exempts the callback of %s in a test, and only there", (source) => {
  expect(measured(source, "file.test.ts")).toEqual([]);
  expect(measured(source, "file.spec.ts")).toEqual([]);
  expect(measured(source, "file.ts")).toHaveLength(1);
});

test("measures the body of a test inside describe", () => {
  const source = 'describe("a", () => {\n  test("b", async () => {\n  });\n});';
  expect(measured(source, "file.test.ts")).toEqual([['callback of test("b")', 2, 2]]);
});
