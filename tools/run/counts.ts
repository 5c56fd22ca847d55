import { readFileSync, rmSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NO_TESTS: Counts = { passed: 0, failed: 0, skipped: 0 };

export function addCounts(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

export function formatCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/** Vitest's JSON report; a test file that cannot be loaded has no tests in it and shows only as a failed suite. */
export function countVitest(report: unknown): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = report as Record<string, number>;
  return {
    passed: numPassedTests ?? 0,
    failed: numFailedTests ?? 0,
    skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0),
  };
}

/** Playwright's JSON report: "expected" includes a test that was declared to fail and does. */
export function countPlaywright(report: unknown): Counts {
  const { stats } = report as { stats?: Record<"expected" | "unexpected" | "flaky" | "skipped", number> };
  if (!stats) return NO_TESTS;
  return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped };
}

interface VitestReport {
  readonly testResults?: readonly {
    readonly name: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** One line for each failed test of Vitest's JSON report: file, name, first line of the error. */
export function failuresOfVitest(report: unknown): string[] {
  return ((report as VitestReport).testResults ?? []).flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    // A file that could not be loaded has no tests, only a message.
    if (failed.length === 0 && assertionResults.length === 0 && message)
      return [failureLine(name, "", message)];
    return failed.map(({ fullName, failureMessages }) =>
      failureLine(name, fullName, failureMessages?.[0] ?? ""),
    );
  });
}

interface PlaywrightSuite {
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly file: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly { readonly errors?: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

/** One line for each failed test of Playwright's JSON report. */
export function failuresOfPlaywright(report: unknown): string[] {
  const { suites = [], specs = [] } = report as PlaywrightSuite;
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ file, title, tests }) => {
      const messages = tests.flatMap(({ results }) => results.flatMap(({ errors = [] }) => errors));
      return failureLine(file, title, messages[0]?.message ?? "");
    });
  return [...own, ...suites.flatMap(failuresOfPlaywright)];
}

/** Enough for the lines of a comparison that show the difference. */
const FAILURE_LINES_MAX = 12;

function failureLine(file: string, test: string, message: string): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("at "));
  const told = lines.slice(0, FAILURE_LINES_MAX).join(" ");
  return `FAILED: ${[file, test, told].filter((part) => part !== "").join(" > ")}`;
}

/** Reads rows, such as failures, from a runner's report; empty when there is no readable report. */
export function readReport<Row>(path: string, rowsOf: (report: unknown) => Row[]): Row[] {
  try {
    return rowsOf(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return [];
  }
}

/**
 * Counts of one runner. A runner that ended red without naming a failed test (it crashed, or a file did not load)
 * counts as one failure, so that the sum can never look green.
 */
export function readCounts(path: string, count: (report: unknown) => Counts, isGreen: boolean): Counts {
  let counts = NO_TESTS;
  let isReadable = true;
  try {
    counts = count(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    isReadable = false;
  }
  const hasHiddenFailure = (!isGreen || !isReadable) && counts.failed === 0;
  return hasHiddenFailure ? { ...counts, failed: 1 } : counts;
}

/** Deletes the report of an earlier run, which must not be mistaken for this one's. */
export function forgetReport(path: string): void {
  rmSync(path, { force: true });
}
