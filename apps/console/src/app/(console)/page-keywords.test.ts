import { expect, test } from "vitest";
import { pageKeywords } from "./page-keywords.ts";
import { consolePages } from "./pages.tsx";

test("every page can be found by other words than its own", () => {
  expect(Object.keys(pageKeywords).sort()).toEqual(consolePages.map(({ href }) => href).sort());
});
