import { expect, test } from "vitest";
import { describeResult, type Result, writeDocument } from "./document.ts";
import { tools } from "./tools/index.ts";

const [tool] = tools as [(typeof tools)[number]];
const passed: Result = { tool, version: "1.2", outcome: { kind: "passed" }, seconds: 3 };
const failed: Result = { ...passed, outcome: { kind: "failed", reason: "sync failed.\n501" } };
const missing: Result = {
  ...passed,
  version: null,
  outcome: { kind: "not installed", reason: "no\n403 Forbidden" },
};

test("the document has a row with version, date and result for each tool", () => {
  const others = [failed, missing].map((result, i) => ({ ...result, tool: { ...tool, name: `Other ${i}` } }));
  const results = [passed, ...others];
  const named = results.map((result) => result.tool);
  const facts = { date: "2026-11-29", sizeMib: 200, earlier: "" };
  const rows = (text: string) => text.split("\n").filter((line) => /^\| (aws-cli|Other)/.test(line));
  const text = writeDocument(results, named, facts);
  expect(rows(text).map((row) => row.split(" | ")[4])).toEqual([
    "passed 2026-11-29",
    "failed 2026-11-29",
    "not installed: 403 Forbidden",
  ]);
  expect(rows(text)[0]).toContain("| 1.2 | PyPI |");
  const later = writeDocument([{ ...passed, version: "1.3" }], named, { ...facts, earlier: text });
  expect(rows(later)).toEqual([rows(text)[0]?.replace("1.2", "1.3"), ...rows(text).slice(1)]);
});

test("the line of a failed tool has the complete reason", () => {
  expect(describeResult(failed)).toContain("    sync failed.\n    501");
  expect(describeResult(passed)).toBe(`passed         ${tool.name} 1.2  3.0 s`);
});

test("each tool has a unique id that is valid in a bucket's name", () => {
  const ids = tools.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{2,40}$/);
});
