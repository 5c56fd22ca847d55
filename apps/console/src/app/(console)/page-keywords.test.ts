import { expect, test } from "vitest";
import { pageKeywords } from "./page-keywords.ts";
import { consolePages } from "./pages.tsx";

test("every page has keywords for the palette", () => {
  expect(Object.keys(pageKeywords).sort()).toEqual(consolePages.map(({ href }) => href).sort());
});
