/**
 * `npm test [-- --only unit|db|vault|sim|e2e|verify] [filter ...]`: what every commit runs, in minutes; with a stage or
 * filters, all tests of them. `npm run test:full` runs the same and then all other tests; `npm run test:long` runs the
 * tests that take an hour. Every stage runs even when an earlier one is red, unless it needs that stage's output; the
 * last line counts all tests of all runners.
 */
import { availableParallelism } from "node:os";
import { endChildrenOnSignal } from "./run/command.ts";
import { addCounts, type Counts, formatCounts, NO_TESTS } from "./run/counts.ts";
import type { Extent } from "./run/quick-tests.ts";
import { formatSlowest } from "./run/slowest-files.ts";
import { parseTestArguments, type TestArguments } from "./run/test-arguments.ts";
import {
  buildPages,
  endToEndTests,
  generate,
  longTests,
  RED,
  simulation,
  timedFiles,
  unitAndDatabaseTests,
  vaultTests,
  verify,
} from "./run/test-stages.ts";

const SLOWEST_FILE_COUNT = 10;

/**
 * Vault tests leave one of two processors idle for half of their time, and browser tests for a sixth, which another stage
 * uses. On one processor their tests would wait for each other instead.
 */
const STAGES_AT_A_TIME = Math.min(2, availableParallelism());

type Stage = () => Promise<Counts>;

async function runAll(args: TestArguments): Promise<Counts> {
  const { only, extents } = args;
  if (only === "verify") return verify();
  if (only === "sim") return simulation("all");
  const generated = await generate();
  if (!generated.isGreen) return RED;
  if (args.isLong) return longTests();
  const pages = Promise.withResolvers<boolean>();
  // The build changes files that the type checks read.
  const verifyAndBuild = async (): Promise<Counts> => {
    const verified = only === null ? await verify() : NO_TESTS;
    const { isGreen } = await buildPages();
    pages.resolve(isGreen);
    return isGreen ? verified : addCounts(verified, RED);
  };
  let counts = NO_TESTS;
  for (const [number, extent] of extents.entries()) {
    const { first, then } = listStages(args, extent, pages.promise);
    if (number === 0 && (only === null || only === "e2e")) first.unshift(verifyAndBuild);
    if (extent === "rest") console.log("The rest of the full run:");
    for (const stages of [first, then]) counts = addCounts(counts, await runStages(stages));
  }
  return counts;
}

/**
 * Lists the stages in the order in which they begin. Browsers beside vaults would leave neither enough of two processors
 * for what clients wait for.
 */
function listStages({ only, filters }: TestArguments, extent: Extent, pages: Promise<boolean>) {
  const files = { extent, filters };
  const first: Stage[] = [];
  const then: Stage[] = [];
  if (only === null || only === "unit" || only === "db") first.push(() => unitAndDatabaseTests(files, only));
  if (only === null || only === "vault") first.push(() => vaultTests(files));
  if (only === null || only === "e2e") {
    then.push(async () => {
      if (await pages) return endToEndTests(files);
      console.log("not run end-to-end tests (there is no build to test)");
      return NO_TESTS;
    });
  }
  // Parts of file names choose among test files, and the simulation has none.
  if (only === null && filters.length === 0) then.push(() => simulation(extent));
  return { first, then };
}

async function runStages(stages: readonly Stage[]): Promise<Counts> {
  const waiting = stages.values();
  let counts = NO_TESTS;
  const runInTurn = async (): Promise<void> => {
    for (const stage of waiting) {
      const found = await stage();
      counts = addCounts(counts, found);
    }
  };
  await Promise.all(Array.from({ length: STAGES_AT_A_TIME }, runInTurn));
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
