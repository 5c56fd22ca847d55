import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandResult, runCommand } from "../run/command.ts";
import { repositoryRoot } from "../run/environment.ts";

/** Runs the pnpm version of package.json, which npx fetched when it installed the dependencies. */
function runPnpm(args: readonly string[], folder = repositoryRoot): Promise<CommandResult> {
  const { packageManager } = JSON.parse(readFileSync(join(repositoryRoot, "package.json"), "utf8"));
  const environment = { CI: "true" };
  return runCommand("npx", ["-y", packageManager, "--dir", folder, "--config.pm-on-fail=ignore", ...args], {
    environment,
  });
}

/** Throws with its output on failure. */
export async function needPnpm(args: readonly string[], folder?: string): Promise<string> {
  const { isGreen, output } = await runPnpm(args, folder);
  if (!isGreen) throw new Error(`pnpm ${args[0]} failed:\n${output}`);
  return output;
}
