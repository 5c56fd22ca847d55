import { join } from "node:path";
import { chromiumFlags, findChromium } from "../chromium.ts";
import { type CommandOptions, type CommandResult, runCommand } from "./command.ts";
import { repositoryRoot } from "./environment.ts";

/** Runs Playwright's specs in a Chromium that is found or installed first. */
export async function runBrowserTests(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const path = await findChromium({
    cacheFolder: join(repositoryRoot, "node_modules/.cache/stashlight"),
    environment: process.env,
    say: (line) => console.log(line),
  });
  const environment = {
    ...options.environment,
    CHROMIUM_PATH: path,
    CHROMIUM_FLAGS: chromiumFlags().join(" "),
  };
  return runCommand("playwright", ["test", "--config", "e2e/playwright.config.ts", ...args], {
    ...options,
    environment,
  });
}
