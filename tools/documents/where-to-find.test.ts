import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../run/environment.ts";
import { readMarkdown } from "./markdown.ts";

const ROW_COUNT_MIN = 40;

const document = readFileSync(join(repositoryRoot, "docs/architecture.md"), "utf8");
const [, section = ""] = document.split("\n## Where do I find ...?\n");
const [table = ""] = section.split("\n## ");
const rows = table.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:-|Where)/.test(line));

test("docs/architecture.md answers where to find at least 40 things, each once", () => {
  expect(rows.length).toBeGreaterThanOrEqual(ROW_COUNT_MIN);
  const questions = rows.map((row) => row.split("|")[1]?.trim());
  expect(new Set(questions).size).toBe(rows.length);
});

test.each(rows)("%s names one path, which exists", (row) => {
  const targets = readMarkdown(row).links.map(({ target }) => target);
  expect(targets).toHaveLength(1);
  const [target = ""] = targets;
  expect(existsSync(join(repositoryRoot, "docs", decodeURIComponent(target)))).toBe(true);
});
