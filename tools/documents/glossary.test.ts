import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { anchorOfTerm, type GlossaryTerm, glossary } from "@stashlight/contracts/glossary";
import { expect, test } from "vitest";
import { repositoryRoot } from "../run/environment.ts";
import { withGlossary } from "./glossary.ts";

const terms = Object.keys(glossary) as GlossaryTerm[];

test("docs/glossary.md has the current glossary; pnpm docs:glossary updates it", async () => {
  const document = await readFile(join(repositoryRoot, "docs/glossary.md"), "utf8");
  expect(document).toBe(withGlossary(document));
});

test("terms are in alphabetical order", () => {
  expect(terms).toEqual(terms.toSorted((a, b) => a.localeCompare(b, "en", { sensitivity: "base" })));
});

test("every term has a unique anchor that is valid in an address", () => {
  const anchors = terms.map(anchorOfTerm);
  expect(new Set(anchors).size).toBe(terms.length);
  for (const anchor of anchors) expect(anchor).toMatch(/^[a-z][a-z-]*$/);
});
