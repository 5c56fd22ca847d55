import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "../run/environment.ts";

const folder = join(repositoryRoot, "docs/decisions");
const files = readdirSync(folder).filter((name) => /^\d{4}-/.test(name));
const index = readFileSync(join(folder, "README.md"), "utf8");

interface Decision {
  readonly number: string;
  readonly title: string;
  readonly date: string;
  readonly status: string;
}

/** Reads `# 7. Poll for windows late` and, two lines below, `2026-11-21, accepted.` */
function readDecision(text: string): Partial<Decision> {
  const head = /^# (?<number>\d+)\. (?<title>.+)\n\n(?<date>\d{4}-\d{2}-\d{2}), (?<status>.+)\.\n/.exec(text);
  return { ...head?.groups };
}

test("decisions are numbered from 1 without a gap", () => {
  const numbers = files.map((name) => Number(name.slice(0, 4)));
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test.each(files)("%s begins with its number, a title, a date and a status", (name) => {
  const { number, title, date, status } = readDecision(readFileSync(join(folder, name), "utf8"));
  expect(Number(number)).toBe(Number(name.slice(0, 4)));
  expect([title, date, status]).not.toContain(undefined);
});

test("docs/decisions/README.md lists every decision with its title, date and status", () => {
  const rows = index.split("\n").filter((line) => /^\| +\d/.test(line));
  const expected = files.map((name) => {
    const { number, title, date, status } = readDecision(readFileSync(join(folder, name), "utf8"));
    return `| ${number} | [${title}](${name}) | ${date} | ${status} |`;
  });
  expect(rows.map((row) => row.replaceAll(/ +/g, " "))).toEqual(expected);
});
