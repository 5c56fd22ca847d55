import { expect, test } from "vitest";
import { renderTable } from "./table.ts";

test("columns are as wide as their widest cell, numbers are right-aligned, and lines have no trailing spaces", () => {
  const columns = [{ title: "NAME" }, { title: "N", isRight: true }, { title: "NOTE" }];
  const rows = [
    ["a", "5", ""],
    ["longer", "1,234", "here"],
  ];
  expect(renderTable(columns, rows)).toEqual(["NAME        N  NOTE", "a           5", "longer  1,234  here"]);
});
