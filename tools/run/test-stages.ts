/** The stages of `npm test`: each runs one runner, prints one line, and counts its tests. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { runBrowserTests } from "./browser-tests.ts";
import { type CommandResult, runCommand, runTurbo } from "./command.ts";
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
} from "./counts.ts";
import { repositoryRoot } from "./environment.ts";
import {
  type Chosen,
  chooseSpecs,
  chooseUnitFiles,
  chooseVaultFiles,
  type Extent,
  SEEDS,
} from "./quick-tests.ts";
import { type TimedFile, timesOfPlaywright, timesOfVitest } from "./slowest-files.ts";
import { runStep } from "./steps.ts";

const PLAYWRIGHT_REPORT = join(repositoryRoot, "test-results/playwright.json");
const LONG_SEED_COUNT = 20_000;
/** Tests that read STASHLIGHT_TEST_LONG. */
const LONGER_VAULT_TESTS = ["machines", "network", "operations"].map(
  (folder) => `agents/testing/src/${folder}/`,
);

/** Counts of a stage that failed without a failed test. */
export const RED: Counts = { passed: 0, failed: 1, skipped: 0 };

/** Files of all stages that have run, with their durations. */
export const timedFiles: TimedFile[] = [];

export interface StageFiles {
  readonly extent: Extent;
  /** Substrings of file names that select test files; none selects all. */
  readonly filters: readonly string[];
}

export async function verify(): Promise<Counts> {
  const result = await runStep({ name: "verify", run: () => runCommand("node", ["tools/verify.ts"]) });
  return result.isGreen ? NO_TESTS : RED;
}

/** Generates what tests and the type checks import. */
export function generate(): Promise<CommandResult> {
  return runStep({ name: "generate", run: () => runTurbo(["generate"]) });
}

/** Builds the console as `npm start` does, which then finds its build and makes no other. */
export function buildPages(): Promise<CommandResult> {
  return runStep({ name: "build", run: () => runCommand("node", ["apps/local/src/build-main.ts"]) });
}

interface VitestStage {
  readonly name: string;
  readonly projects: readonly string[];
  readonly workerCount: number;
  readonly files: Chosen;
  readonly mayBeNone?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

async function vitest(stage: VitestStage): Promise<Counts> {
  const { name, projects, workerCount, files, mayBeNone = false, environment = {} } = stage;
  const report = join(repositoryRoot, `test-results/${name.replaceAll(" ", "-")}.json`);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const chosen = projects.flatMap((project) => ["--project", project]);
  const args = ["run", "--allowOnly=false", ...reporters, ...chosen, `--maxWorkers=${workerCount}`];
  if (mayBeNone) args.push("--passWithNoTests");
  const given =
    files.leftOut.length === 0
      ? environment
      : { ...environment, STASHLIGHT_TEST_LEFT_OUT: files.leftOut.join(",") };
  forgetReport(report);
  let counts = NO_TESTS;
  await runStep({
    name,
    run: async () => {
      const result = await runCommand("vitest", [...args, ...files.named], { environment: given });
      counts = readCounts(report, countVitest, result.isGreen);
      timedFiles.push(...readReport(report, (results) => timesOfVitest(results, repositoryRoot)));
      const told = result.output.match(/^(?:SKIPPED|MEASURED): .*$/gm) ?? [];
      const failures = readReport(report, failuresOfVitest);
      const note = [formatCounts(counts), ...told, ...failures].join("\n  ");
      return { ...result, isGreen: counts.failed === 0, note };
    },
  });
  return counts;
}

const narrow = ({ named, leftOut }: Chosen, filters: readonly string[]): Chosen => ({
  named: [...named, ...filters],
  leftOut,
});

/** A fifth of these tests' time is spent waiting for Postgres and for processes, which one more worker uses. */
export function unitAndDatabaseTests(
  { extent, filters }: StageFiles,
  only: "unit" | "db" | null,
): Promise<Counts> {
  const names = { unit: "unit tests", db: "database tests" } as const;
  const name = only === null ? "unit and database tests" : names[only];
  // "db-*" are the other engines, where one is named in the environment.
  const projects = only === null ? ["unit", "db*"] : [only === "db" ? "db*" : only];
  const files = narrow(chooseUnitFiles(extent), filters);
  const workerCount = Math.min(3, availableParallelism() + 1);
  return vitest({ name, projects, workerCount, files, mayBeNone: filters.length > 0 });
}

/** Vault tests wait for clocks, disks and each other more than they compute, so two of them run per processor. */
const vaultWorkerCount = Math.min(4, 2 * availableParallelism());

export function vaultTests({ extent, filters }: StageFiles): Promise<Counts> {
  const files = narrow(chooseVaultFiles(extent), filters);
  return vitest({
    name: "vault tests",
    projects: ["vault"],
    workerCount: vaultWorkerCount,
    files,
    mayBeNone: filters.length > 0,
  });
}

/** Counts no tests: the number of seeds is arbitrary, and the first that fails ends the stage. */
export function simulation(extent: Extent): Promise<Counts> {
  const { from, count } = SEEDS[extent];
  const hazards = extent === "quick" ? [] : ["--all-hazards"];
  return simulate("simulation", ["main.ts", "--from", `${from}`, "--seeds", `${count}`, ...hazards]);
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

export async function endToEndTests({ extent, filters }: StageFiles): Promise<Counts> {
  const allowNone = filters.length > 0 ? ["--pass-with-no-tests"] : [];
  forgetReport(PLAYWRIGHT_REPORT);
  // A browser that cannot be found leaves no counts, which is one failure.
  let counts = RED;
  await runStep({
    name: "end-to-end tests",
    run: async () => {
      const args = [
        "--forbid-only",
        "--reporter=list,json",
        ...allowNone,
        ...chooseSpecs(extent),
        ...filters,
      ];
      const result = await runBrowserTests(args, {
        environment: { PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT },
      });
      counts = readCounts(PLAYWRIGHT_REPORT, countPlaywright, result.isGreen);
      timedFiles.push(...readReport(PLAYWRIGHT_REPORT, timesOfPlaywright));
      const failures = readReport(PLAYWRIGHT_REPORT, failuresOfPlaywright);
      const note = [formatCounts(counts), ...failures].join("\n  ");
      return { ...result, isGreen: counts.failed === 0, note };
    },
  });
  return counts;
}

/** Runs the tests that take an hour. */
export async function longTests(): Promise<Counts> {
  const seeds = await simulate("simulation", ["main.ts", "--seeds", `${LONG_SEED_COUNT}`, "--all-hazards"]);
  const mutants = await simulate("mutants", ["mutants.ts"]);
  const vaults = await vitest({
    name: "longer vault tests",
    projects: ["vault"],
    workerCount: vaultWorkerCount,
    files: { named: LONGER_VAULT_TESTS, leftOut: [] },
    environment: { STASHLIGHT_TEST_LONG: "1" },
  });
  return [mutants, vaults].reduce(addCounts, seeds);
}
