/**
 * `npm test [-- --only unit|db|e2e|verify] [filter ...]`: all that must hold, in one run. Every stage runs even when
 * an earlier one is red, unless it needs what that one makes; the last line counts all tests of all runners.
 */
import { join } from "node:path";
import { runBrowserTests } from "./run/browser-tests.ts";
import { type CommandResult, endChildrenOnSignal, runCommand, runTurbo } from "./run/command.ts";
import {
  addCounts,
  type Counts,
  countPlaywright,
  countVitest,
  forgetReport,
  formatCounts,
  NO_TESTS,
  readCounts,
} from "./run/counts.ts";
import { repositoryRoot } from "./run/environment.ts";
import { runStep } from "./run/steps.ts";
import { parseTestArguments, type TestArguments } from "./run/test-arguments.ts";

const VITEST_REPORT = join(repositoryRoot, "test-results/vitest.json");
const PLAYWRIGHT_REPORT = join(repositoryRoot, "test-results/playwright.json");

const RED: Counts = { passed: 0, failed: 1, skipped: 0 };

async function verify(): Promise<Counts> {
  const result = await runStep({ name: "verify", run: () => runCommand("node", ["tools/verify.ts"]) });
  return result.isGreen ? NO_TESTS : RED;
}

function build(tasks: readonly string[]): Promise<CommandResult> {
  return runStep({ name: "build", run: () => runTurbo(tasks) });
}

async function unitAndDatabaseTests({ only, filters }: TestArguments): Promise<Counts> {
  const projects = only === null ? [] : ["--project", only];
  const allowNone = filters.length > 0 ? ["--passWithNoTests"] : [];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${VITEST_REPORT}`];
  forgetReport(VITEST_REPORT);
  let counts = NO_TESTS;
  await runStep({
    name: only === null ? "unit and database tests" : only === "unit" ? "unit tests" : "database tests",
    run: async () => {
      const args = ["run", "--allowOnly=false", ...reporters, ...projects, ...allowNone, ...filters];
      const result = await runCommand("vitest", args);
      counts = readCounts(VITEST_REPORT, countVitest, result.isGreen);
      return { ...result, isGreen: counts.failed === 0, note: formatCounts(counts) };
    },
  });
  return counts;
}

async function endToEndTests({ filters }: TestArguments): Promise<Counts> {
  const allowNone = filters.length > 0 ? ["--pass-with-no-tests"] : [];
  forgetReport(PLAYWRIGHT_REPORT);
  // A browser that cannot be found leaves no counts, which is one failure.
  let counts = RED;
  await runStep({
    name: "end-to-end tests",
    run: async () => {
      const args = ["--forbid-only", "--reporter=list,json", ...allowNone, ...filters];
      const result = await runBrowserTests(args, {
        environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT },
      });
      counts = readCounts(PLAYWRIGHT_REPORT, countPlaywright, result.isGreen);
      return { ...result, isGreen: counts.failed === 0, note: formatCounts(counts) };
    },
  });
  return counts;
}

async function runAll(args: TestArguments): Promise<Counts> {
  const { only } = args;
  if (only === "verify") return verify();
  const needsConsole = only === null || only === "e2e";
  let counts = only === null ? await verify() : NO_TESTS;
  const built = await build(needsConsole ? ["generate", "build"] : ["generate"]);
  if (!built.isGreen) counts = addCounts(counts, RED);
  if (only !== "e2e") counts = addCounts(counts, await unitAndDatabaseTests(args));
  if (!needsConsole) return counts;
  if (built.isGreen) return addCounts(counts, await endToEndTests(args));
  console.log("not run end-to-end tests (there is no build to test)");
  return counts;
}

endChildrenOnSignal();
const args = parseTestArguments(process.argv.slice(2));
if (typeof args === "string") {
  console.error(args);
  process.exitCode = 1;
} else {
  const counts = await runAll(args);
  const hasRun = counts.passed > 0 || args.only === "verify";
  if (counts.failed > 0 || !hasRun) process.exitCode = 1;
  console.log(formatCounts(counts));
}
