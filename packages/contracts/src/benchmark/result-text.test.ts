import { expect, test } from "vitest";
import { formatResult } from "./result-text.ts";

test.each([
  [{ value: 735.94, unit: "%" }, "735.9 %"],
  [{ value: 12.3456, unit: "1" }, "12.35"],
  [{ value: 3, unit: "1" }, "3"],
  [{ value: 20.004, unit: "MB/s" }, "20 MB/s"],
])("the figure %j is shown with its unit exactly once", (result, text) => {
  expect(formatResult(result)).toBe(text);
});
