import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  addCounts,
  countPlaywright,
  countVitest,
  failuresOfPlaywright,
  failuresOfVitest,
  formatCounts,
  readCounts,
  readReport,
} from "./counts.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "stashlight-counts-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

function report(content: unknown): string {
  const path = join(folder, "report.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

test("both runners' counts add up to one line", () => {
  const vitest = countVitest({ numPassedTests: 10, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 });
  const playwright = countPlaywright({ stats: { expected: 5, unexpected: 2, flaky: 1, skipped: 4 } });
  expect(formatCounts(addCounts(vitest, playwright))).toBe("15 passed, 4 failed, 7 skipped");
});

test.each([
  ["a red runner without a failed test", { numPassedTests: 3 }, false, "3 passed, 1 failed, 0 skipped"],
  ["a red runner with failed tests", { numFailedTests: 2 }, false, "0 passed, 2 failed, 0 skipped"],
  ["a green runner", { numPassedTests: 3 }, true, "3 passed, 0 failed, 0 skipped"],
])("%s is counted correctly", (_name, content, isGreen, line) => {
  expect(formatCounts(readCounts(report(content), countVitest, isGreen))).toBe(line);
});

test("a runner that left no report counts as one failure even if it ended with success", () => {
  const counts = readCounts(join(folder, "missing.json"), countPlaywright, true);
  expect(formatCounts(counts)).toBe("0 passed, 1 failed, 0 skipped");
});

test("failed tests of both runners are named with their file and the beginning of the error", () => {
  const ofVitest = {
    testResults: [
      {
        name: "a.test.ts",
        assertionResults: [
          { status: "passed", fullName: "adds" },
          {
            status: "failed",
            fullName: "divides",
            failureMessages: ["\u001b[31mError: by zero\u001b[39m\n at x"],
          },
        ],
      },
      { name: "b.test.ts", message: "Cannot find module", assertionResults: [] },
    ],
  };
  expect(readReport(report(ofVitest), failuresOfVitest)).toEqual([
    "FAILED: a.test.ts > divides > Error: by zero",
    "FAILED: b.test.ts > Cannot find module",
  ]);
  const red = {
    results: [
      { errors: [] },
      { errors: [{ message: "Error: lists\n\nexpect(received)\n\n- []\n+ [1]\n    at x" }] },
    ],
  };
  const specs = [
    { title: "opens", file: "page.spec.ts", ok: false, tests: [red] },
    { title: "closes", file: "page.spec.ts", ok: true, tests: [] },
  ];
  expect(failuresOfPlaywright({ suites: [{ suites: [{ specs }] }] })).toEqual([
    "FAILED: page.spec.ts > opens > Error: lists expect(received) - [] + [1]",
  ]);
  expect(readReport(join(folder, "missing.json"), failuresOfVitest)).toEqual([]);
});
