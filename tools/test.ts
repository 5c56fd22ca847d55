/**
 * `npm test [-- --only unit|db|vault|sim|e2e|verify] [filter ...]`: what every commit runs, in minutes; with a stage or
 * filters, all tests of them. `npm run test:full` runs the same and then all other tests; `npm run test:long` runs the
 * tests that take an hour. Every stage runs even when an earlier one is red, unless it needs that stage's output; the
 * last line counts all tests of all runners.
 */
import { type CommandResult, endChildrenOnSignal } from "./run/command.ts";
import { addCounts, type Counts, formatCounts, NO_TESTS } from "./run/counts.ts";
import type { Extent } from "./run/quick-tests.ts";
import { formatSlowest } from "./run/slowest-files.ts";
import { parseTestArguments, type TestArguments } from "./run/test-arguments.ts";
import {
  build,
  endToEndTests,
  longTests,
  RED,
  simulation,
  timedFiles,
  unitAndDatabaseTests,
  vaultTests,
  verify,
} from "./run/test-stages.ts";

const SLOWEST_FILE_COUNT = 10;

async function runAll(args: TestArguments): Promise<Counts> {
  const { only, extents } = args;
  if (only === "verify") return verify();
  if (only === "sim") return simulation("all");
  if (args.isLong) return runLong();
  let counts = only === null ? await verify() : NO_TESTS;
  const built = await build(only === null || only === "e2e");
  if (!built.isGreen) counts = addCounts(counts, RED);
  for (const extent of extents) counts = addCounts(counts, await runExtent(args, extent, built));
  return counts;
}

async function runLong(): Promise<Counts> {
  const { isGreen } = await build(false);
  return addCounts(isGreen ? NO_TESTS : RED, await longTests());
}

async function runExtent(
  { only, filters }: TestArguments,
  extent: Extent,
  built: CommandResult,
): Promise<Counts> {
  const files = { extent, filters };
  let counts = NO_TESTS;
  const add = async (stage: Promise<Counts>): Promise<void> => {
    counts = addCounts(counts, await stage);
  };
  if (extent === "rest") console.log("The rest of the full run:");
  if (only === null || only === "unit" || only === "db") await add(unitAndDatabaseTests(files, only));
  if (only === null || only === "vault") await add(vaultTests(files));
  // Substrings of file names select test files, and the simulation has none.
  if (only === null && filters.length === 0) await add(simulation(extent));
  if (only === null || only === "e2e") {
    if (built.isGreen) await add(endToEndTests(files));
    else console.log("not run end-to-end tests (there is no build to test)");
  }
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
