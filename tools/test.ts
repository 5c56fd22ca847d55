/**
 * `npm test [-- --only unit|db|vault|sim|e2e|verify] [filter ...]`: all that must hold, in one run. Every stage runs even
 * when an earlier one is red, unless it needs what that one makes; the last line counts all tests of all runners.
 * `npm run test:full` takes the simulation's time as well: fifty times the seeds, and every mutant; and networks stay
 * broken for longer.
 */
import { join } from "node:path";
import { runBrowserTests } from "./run/browser-tests.ts";
import { type CommandResult, endChildrenOnSignal, runCommand, runTurbo } from "./run/command.ts";
import {
  addCounts,
  type Counts,
  countPlaywright,
  countVitest,
  failuresOfPlaywright,
  failuresOfVitest,
  forgetReport,
  formatCounts,
  NO_TESTS,
  readCounts,
  readReport,
} from "./run/counts.ts";
import { repositoryRoot } from "./run/environment.ts";
import { formatSlowest, type TimedFile, timesOfPlaywright, timesOfVitest } from "./run/slowest-files.ts";
import { runStep } from "./run/steps.ts";
import { parseTestArguments, type TestArguments } from "./run/test-arguments.ts";

const VITEST_REPORT = join(repositoryRoot, "test-results/vitest.json");
const PLAYWRIGHT_REPORT = join(repositoryRoot, "test-results/playwright.json");

/** Half a minute on two cores, with each run twice; the full run takes half an hour. */
const SIMULATED_SEEDS = { usual: 400, full: 20_000 };
const SLOWEST_FILE_COUNT = 10;

const timedFiles: TimedFile[] = [];

const RED: Counts = { passed: 0, failed: 1, skipped: 0 };

async function verify(): Promise<Counts> {
  const result = await runStep({ name: "verify", run: () => runCommand("node", ["tools/verify.ts"]) });
  return result.isGreen ? NO_TESTS : RED;
}

function build(tasks: readonly string[]): Promise<CommandResult> {
  return runStep({ name: "build", run: () => runTurbo(tasks) });
}

interface VitestStage {
  readonly name: string;
  readonly projects: readonly string[];
  readonly filters: readonly string[];
  readonly more?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

async function vitest({
  name,
  projects,
  filters,
  more = [],
  environment = {},
}: VitestStage): Promise<Counts> {
  const allowNone = filters.length > 0 ? ["--passWithNoTests"] : [];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${VITEST_REPORT}`];
  forgetReport(VITEST_REPORT);
  let counts = NO_TESTS;
  await runStep({
    name,
    run: async () => {
      const chosen = projects.flatMap((project) => ["--project", project]);
      const args = ["run", "--allowOnly=false", ...reporters, ...chosen, ...more, ...allowNone, ...filters];
      const result = await runCommand("vitest", args, { environment });
      counts = readCounts(VITEST_REPORT, countVitest, result.isGreen);
      timedFiles.push(...readReport(VITEST_REPORT, (report) => timesOfVitest(report, repositoryRoot)));
      const told = result.output.match(/^(?:SKIPPED|MEASURED): .*$/gm) ?? [];
      const note = [formatCounts(counts), ...told, ...readReport(VITEST_REPORT, failuresOfVitest)].join(
        "\n  ",
      );
      return { ...result, isGreen: counts.failed === 0, note };
    },
  });
  return counts;
}

/** A fifth of these tests' time is spent waiting for Postgres and for processes, which one worker more makes use of. */
function unitAndDatabaseTests({ only, filters }: TestArguments): Promise<Counts> {
  const names = { unit: "unit tests", db: "database tests" } as const;
  const isOne = only === "unit" || only === "db";
  const name = isOne ? names[only] : "unit and database tests";
  // "db-*" are the other engines, where one is named in the environment.
  const projects = isOne ? [only === "db" ? "db*" : only] : ["unit", "db*"];
  return vitest({ name, projects, filters, more: ["--maxWorkers=3"] });
}

/** These wait for clocks, disks and each other more than they compute, so more of them run at a time. */
function vaultTests({ filters, isFull }: TestArguments): Promise<Counts> {
  const environment: Record<string, string> = isFull ? { STASHLIGHT_TEST_FULL: "1" } : {};
  return vitest({ name: "vault tests", projects: ["vault"], filters, more: ["--maxWorkers=4"], environment });
}

/** Counts as no test: a seed is one of any number, and one that fails ends the stage. */
async function simulation({ isFull }: TestArguments): Promise<Counts> {
  const seedCount = isFull ? SIMULATED_SEEDS.full : SIMULATED_SEEDS.usual;
  const seeds = await simulate("simulation", ["main.ts", "--seeds", `${seedCount}`, "--all-hazards"]);
  return isFull ? addCounts(seeds, await simulate("mutants", ["mutants.ts"])) : seeds;
}

async function simulate(name: string, [command = "", ...args]: string[]): Promise<Counts> {
  const result = await runStep({
    name,
    run: async () => {
      const sim = await runCommand("node", [`packages/simulation/src/cli/${command}`, ...args]);
      return sim.isGreen ? { ...sim, note: sim.output.trimEnd().split("\n").at(-1) ?? "" } : sim;
    },
  });
  return result.isGreen ? NO_TESTS : RED;
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
      timedFiles.push(...readReport(PLAYWRIGHT_REPORT, timesOfPlaywright));
      const failures = readReport(PLAYWRIGHT_REPORT, failuresOfPlaywright);
      return {
        ...result,
        isGreen: counts.failed === 0,
        note: [formatCounts(counts), ...failures].join("\n  "),
      };
    },
  });
  return counts;
}

async function runAll(args: TestArguments): Promise<Counts> {
  const { only, filters } = args;
  if (only === "verify") return verify();
  if (only === "sim") return simulation(args);
  const needsConsole = only === null || only === "e2e";
  let counts = only === null ? await verify() : NO_TESTS;
  const built = await build(needsConsole ? ["generate", "build"] : ["generate"]);
  if (!built.isGreen) counts = addCounts(counts, RED);
  if (only !== "e2e" && only !== "vault") counts = addCounts(counts, await unitAndDatabaseTests(args));
  if (only === null || only === "vault") counts = addCounts(counts, await vaultTests(args));
  // Parts of file names choose among test files, which the simulation has none of.
  if (only === null && filters.length === 0) counts = addCounts(counts, await simulation(args));
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
  const hasRun = counts.passed > 0 || args.only === "verify" || args.only === "sim";
  if (counts.failed > 0 || !hasRun) process.exitCode = 1;
  if (args.only === null && args.filters.length === 0) {
    console.log(`The slowest test files:\n${formatSlowest(timedFiles, SLOWEST_FILE_COUNT)}`);
  }
  console.log(formatCounts(counts));
}
