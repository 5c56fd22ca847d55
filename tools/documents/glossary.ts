/** The glossary as a table for docs/glossary.md, which is written by `pnpm docs:glossary`. */
import { glossary } from "@stashlight/contracts/glossary";
import { formatTable, withText } from "./table.ts";

const MARKS = [
  "<!-- The glossary, written by pnpm docs:glossary -->",
  "<!-- End of the glossary -->",
] as const;

/** The document with the current glossary between its two marks. */
export const withGlossary = (document: string): string =>
  withText(document, MARKS, "glossary", formatTable([["Term", "Meaning"], ...Object.entries(glossary)]));
