/**
 * `node tools/test-package.ts [--watch] [FOLDER]`: unit and database tests of one package, by default of the current
 * folder, without the long ones. The `test` script of each package, which turbo runs and caches. `--watch` runs unit
 * tests again on every change.
 */
import { relative, resolve } from "node:path";
import { endChildrenOnSignal, runCommand } from "./run/command.ts";
import { repositoryRoot } from "./run/environment.ts";
import { LONG_TESTS } from "./run/quick-tests.ts";
import { parseToolArguments } from "./run/tool-arguments.ts";

const USAGE = "Usage: npm run test:watch -- FOLDER, for example packages/planner";
const { values, positionals } = parseToolArguments(USAGE, {
  allowPositionals: true,
  options: { watch: { type: "boolean", default: false } },
});
const folder = relative(repositoryRoot, resolve(positionals[0] ?? "."));
if (folder === "" || folder.startsWith("..")) {
  console.error(`Name the package to test. ${USAGE}`);
  process.exit(1);
}
const projects = values.watch ? ["unit"] : ["unit", "db*"];
const mode = values.watch ? ["watch"] : ["run", "--maxWorkers=1", "--passWithNoTests", "--allowOnly=false"];
endChildrenOnSignal();
const chosen = projects.flatMap((project) => ["--project", project]);
const { isGreen } = await runCommand("vitest", [...mode, ...chosen, `${folder}/`], {
  live: true,
  environment: { STASHLIGHT_TEST_LEFT_OUT: LONG_TESTS.join(",") },
});
if (!isGreen) process.exitCode = 1;
