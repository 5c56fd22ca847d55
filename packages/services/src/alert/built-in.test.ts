import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { builtInRules } from "./built-in.ts";

const operations = readFileSync(resolve(import.meta.dirname, "../../../../docs/operations.md"), "utf8");

test("docs/operations.md has a section for every built-in alert and for no other", () => {
  const [, alerts = ""] = operations.split("\n## What each alert means\n");
  const sections = [...alerts.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
  expect(sections.toSorted()).toEqual(builtInRules.map(([, { name }]) => name).toSorted());
});

test.each(builtInRules.map(([, rule]) => rule))("$name adds up no two vaults", ({ query }) => {
  expect(query.groupBy.some((label) => label === "vault" || label === "node")).toBe(true);
});
