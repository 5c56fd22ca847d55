/** `pnpm e2e [Playwright's own arguments]`: builds the console if its sources changed and runs the browser specs. */
import { runBrowserTests } from "./run/browser-tests.ts";
import { endChildrenOnSignal } from "./run/command.ts";
import { buildPages, generate } from "./run/test-stages.ts";

endChildrenOnSignal();
const generated = await generate();
const build = generated.isGreen ? await buildPages() : generated;
try {
  const tests = build.isGreen ? await runBrowserTests(process.argv.slice(2), { live: true }) : build;
  if (!tests.isGreen) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
