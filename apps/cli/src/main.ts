/** `npm run stashlight -- ...`: the command line. */
import { join, resolve } from "node:path";
import { VaultFileError } from "@stashlight/agent/config";
import { S3ClientError } from "@stashlight/s3/client";
import { type Command, help, parseCommand, UsageError } from "./arguments.ts";
import { DrillError } from "./drill/agents.ts";
import { runDrill } from "./drill/power-cut.ts";
import { runLoad } from "./load/load.ts";
import { showExample, showPlan } from "./plan/plan.ts";
import { createScreen } from "./screen.ts";
import { showStatus } from "./status/status.ts";
import { runVerify } from "./verify/verify.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");
const screen = createScreen(process.stdout);

async function run(command: Command): Promise<number> {
  switch (command.name) {
    case "help":
      screen.say(help);
      return 0;
    case "status":
      return await showStatus(command, screen.say);
    case "load":
      return await runLoad(command, screen, interruption());
    case "verify":
      return await runVerify(command, screen);
    case "plan":
      return await showPlan(command, { ...screen, complain, stdin: process.stdin });
    case "plan-example":
      return showExample(screen.say);
    case "drill": {
      const interrupted = interruption();
      const parentFolder = join(projectDirectory, ".stashlight");
      return await runDrill(command, {
        ...{ projectDirectory, parentFolder, screen, interrupted },
        random: Math.random,
      });
    }
  }
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The first Ctrl-C ends the work in order, a further one ends the process. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}

/** One sentence for what a person can mend; the exit code is 2 for most mistakes in what was asked. */
function fail(error: unknown): void {
  const isMistake = error instanceof UsageError || error instanceof VaultFileError;
  const isExpected = isMistake || error instanceof S3ClientError || error instanceof DrillError;
  screen.draw("");
  complain(`${isExpected ? (error as Error).message : (error as Error).stack}`);
  process.exitCode = error instanceof UsageError ? error.exitCode : isMistake ? 2 : 1;
}

try {
  const surroundings = { projectDirectory, currentDirectory: process.cwd() };
  process.exitCode = await run(parseCommand(process.argv.slice(2), surroundings));
} catch (error) {
  fail(error);
}
