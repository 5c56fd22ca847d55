/**
 * `pnpm test:changed [--base REF]`: unit and database tests, without the long ones, of the packages that a change can
 * break: those with a file that differs from the base, and all that depend on them. The base is where this branch left
 * its upstream. A package whose inputs are as they were when its tests last passed is not run again.
 */
import { spawnSync } from "node:child_process";
import { endChildrenOnSignal, runCommand } from "./run/command.ts";
import { repositoryRoot } from "./run/environment.ts";
import { parseToolArguments } from "./run/tool-arguments.ts";

const USAGE =
  "Usage: npm run test:changed -- [--base REF], which tests what differs from REF, by default the upstream branch";
const { values } = parseToolArguments(USAGE, { options: { base: { type: "string" } } });

function git(...args: string[]): string | null {
  const { status, stdout } = spawnSync("git", args, { cwd: repositoryRoot, encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}

/** Null without git or an upstream: then every package is considered, and turbo's cache alone decides. */
function findBase(): string | null {
  if (values.base !== undefined) return values.base;
  const upstream =
    git("rev-parse", "--abbrev-ref", "@{upstream}") ?? git("rev-parse", "--abbrev-ref", "origin/HEAD");
  return upstream === null ? null : git("merge-base", "HEAD", upstream);
}

endChildrenOnSignal("SIGTERM");
const base = findBase();
const affected = base === null ? [] : ["--affected"];
const environment: Record<string, string> = base === null ? {} : { TURBO_SCM_BASE: base };
const tasks = ["run", "test", "--continue", "--concurrency=2", "--output-logs=errors-only", "--no-color"];
const { isGreen } = await runCommand("turbo", [...tasks, ...affected], { environment, live: true });
console.log("Not run: long tests, vaults, the simulation and browser specs. `npm run test:full` runs them.");
if (!isGreen) process.exitCode = 1;
