import { expect, test } from "vitest";
import { pageKeywords } from "./page-keywords.ts";
import { consolePages } from "./pages.tsx";

test("the palette finds every page by words other than its name", () => {
  expect(Object.keys(pageKeywords).sort()).toEqual(consolePages.map(({ href }) => href).sort());
});
