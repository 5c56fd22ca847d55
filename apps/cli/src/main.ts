/** `npm run stashlight -- ...`: the command line. */
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { isBundled } from "@stashlight/contracts/process/entry";
import { DiskError } from "@stashlight/disk-benchmark";
import { VaultFileError } from "@stashlight/node-runtime/config";
import { S3ClientError } from "@stashlight/s3/client";
import { SetupError } from "@stashlight/vault-setup";
import { parseCommand } from "./arguments.ts";
import { compareBenches } from "./bench/compare/compare.ts";
import { runBench } from "./bench/run.ts";
import type { BenchCompareCommand, BenchRunCommand, Command } from "./commands.ts";
import { compareRuns } from "./disk/compare/compare.ts";
import { runDisk } from "./disk/run.ts";
import { DrillError } from "./drill/agents.ts";
import { runFullDrill } from "./drill/full.ts";
import type { DrillSurroundings } from "./drill/place.ts";
import { runPowerCutDrill } from "./drill/power-cut.ts";
import { runDrives } from "./drives/run.ts";
import { runEncryption } from "./encryption/run.ts";
import { help } from "./help.ts";
import { makeKeys } from "./keys/keys.ts";
import { previewLifecycle } from "./lifecycle/lifecycle.ts";
import { runLoad } from "./load/run-load.ts";
import { runGiveUp } from "./lost/give-up.ts";
import { showLost } from "./lost/lost.ts";
import { runOperation } from "./operate/run.ts";
import { showPlanFromLog } from "./plan/from-log.ts";
import { showExample, showPlan } from "./plan/plan.ts";
import { restartAgents } from "./restart/restart.ts";
import { createScreen } from "./screen.ts";
import { runScrub } from "./scrub/scrub.ts";
import { createFromLayout, makeBundle } from "./setup/create.ts";
import { joinMachine } from "./setup/join.ts";
import { renewCertificates } from "./setup/renew.ts";
import { runMachine } from "./setup/run.ts";
import { showStatus } from "./status/status.ts";
import { UsageError } from "./usage-error.ts";
import { runVerify } from "./verify/verify.ts";

/** An installed bundle has no data folder beside it, so it uses the working directory. */
const projectDirectory = isBundled() ? process.cwd() : resolve(import.meta.dirname, "../../..");
const terminal = createScreen(process.stdout);
const screen = { ...terminal, say: (text: string) => terminal.say(asStarted(text)) };
// `stashlight vault status | head` closes the pipe early, which is no error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

async function run(command: Command): Promise<number> {
  switch (command.name) {
    case "help":
      screen.say(help);
      return 0;
    case "status":
      return await showStatus(command, { say: screen.say, environment: process.env });
    case "load":
      return await runLoad(command, screen, interruption());
    case "verify":
      return await runVerify(command, screen);
    case "keys":
      return makeKeys(command, screen.say);
    case "create":
      return await createFromLayout(command, { say: screen.say, complain });
    case "bundle":
      return await makeBundle(command, screen.say);
    case "renew":
      return await renewCertificates(command, { say: screen.say, complain });
    case "join":
      return await joinMachine(command, { screen, complain, interrupted: interruption() });
    case "run":
      return await runMachine(command, { say: screen.say, interrupted: interruption() });
    case "replace-drive":
    case "replace-machine":
    case "rebuild":
    case "add-coordinator":
    case "add-stash":
    case "drain":
    case "remove":
      return await runOperation(command, screen, interruption());
    case "restart":
      return await restartAgents(command, screen, interruption());
    case "scrub":
      return await runScrub(command, screen, interruption());
    case "lost":
      return await showLost(command, screen.say);
    case "lifecycle":
      return await previewLifecycle(command, { say: screen.say });
    case "give-up":
      return await runGiveUp(command, { screen, confirm: confirmation() });
    case "encryption":
      return await runEncryption(command, { say: screen.say, confirm: confirmation(), nowMs: Date.now });
    case "plan":
      return await showPlan(command, { ...screen, complain, stdin: process.stdin });
    case "plan-from-log":
      return await showPlanFromLog(command, { ...screen, complain, stdin: process.stdin });
    case "plan-example":
      return showExample(screen.say);
    case "drill-power-cut":
      return await runPowerCutDrill(command, drillSurroundings());
    case "drill-full":
      return await runFullDrill(command, drillSurroundings());
    case "disk-check":
    case "disk-sweep":
      return await runDisk(command, { screen, complain, interrupted: interruption(), now: () => new Date() });
    case "disk-compare":
      return await compareRuns(command, screen.say);
    case "drives-import":
    case "drives-list":
    case "drives-mark":
      return await runDrives(command, { screen, environment: process.env });
    case "bench-compare":
    case "bench-run":
      return await runBenchCommand(command);
  }
}

async function runBenchCommand(command: BenchRunCommand | BenchCompareCommand): Promise<number> {
  if (command.name === "bench-compare") return await compareBenches(command, { say: screen.say, complain });
  const environment = process.env;
  return await runBench(command, { screen, complain, environment, interrupted: interruption() });
}

function drillSurroundings(): DrillSurroundings {
  const parentFolder = join(projectDirectory, ".stashlight");
  return { projectDirectory, parentFolder, screen, interrupted: interruption(), random: Math.random };
}

const confirmation = () => (process.stdin.isTTY ? question : null);

async function question(text: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await lines.question(text);
  } finally {
    lines.close();
  }
}

function complain(line: string): void {
  process.stderr.write(`${asStarted(line)}\n`);
}

/** Messages name a command as in the source tree; an installed program has its own name. */
function asStarted(text: string): string {
  return isBundled() ? text.replaceAll(/npm run (?:--silent )?stashlight -- /g, "stashlight ") : text;
}

/** The first Ctrl-C ends the work cleanly, a second ends the process. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => interrupted.abort());
  return interrupted.signal;
}

/** Prints one sentence for errors that the user can fix; the exit code is 2 for most invalid arguments. */
function fail(error: unknown): void {
  const isMistake =
    error instanceof UsageError || error instanceof VaultFileError || error instanceof SetupError;
  const isExpected =
    isMistake || error instanceof S3ClientError || error instanceof DrillError || error instanceof DiskError;
  screen.draw("");
  complain(`${isExpected ? (error as Error).message : (error as Error).stack}`);
  process.exitCode = error instanceof UsageError ? error.exitCode : isMistake ? 2 : 1;
}

async function main(): Promise<void> {
  try {
    const surroundings = { projectDirectory, currentDirectory: process.cwd() };
    process.exitCode = await run(parseCommand(process.argv.slice(2), surroundings));
  } catch (error) {
    fail(error);
  }
}

void main();
