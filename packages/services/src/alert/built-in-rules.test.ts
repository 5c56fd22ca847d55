import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { builtInRules } from "./built-in-rules.ts";

const runbook = readFileSync(resolve(import.meta.dirname, "../../../../docs/runbook.md"), "utf8");
const ruleNames = builtInRules.map(([, { name }]) => name);

test("docs/runbook.md has a section for every built-in alert and no other", () => {
  const sections = [...runbook.matchAll(/^### (.+)$/gm)].map((match) => match[1]);
  expect(sections.toSorted()).toEqual(ruleNames.toSorted());
});

test.each(ruleNames)("the section of %s explains what it means, what to check and how to act", (name) => {
  const [, section = ""] = runbook.split(`\n### ${name}\n`);
  const [body = ""] = section.split(/^##/m);
  const steps = [...body.matchAll(/^\*\*(\w+)\.\*\*/gm)].map((match) => match[1]);
  expect(steps).toEqual(["Means", "Check", "Act"]);
});

test("the groups of docs/runbook.md name every built-in alert once", () => {
  const groups = [...runbook.matchAll(/^\| \[.+?\]\(#.+?\) +\| (.+?) +\|$/gm)].map((match) => match[1] ?? "");
  expect(groups.flatMap((names) => names.split(", ")).toSorted()).toEqual(ruleNames.toSorted());
});

test.each(builtInRules.map(([, rule]) => rule))(
  "the rule $name never adds up values of two vaults",
  ({ query }) => {
    expect(query.groupBy.some((label) => label === "vault" || label === "node")).toBe(true);
  },
);
