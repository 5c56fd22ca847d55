/** `npm run stashlight -- ...`: the command line. */
import { join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { isBundled } from "@stashlight/contracts/process";
import { DiskError } from "@stashlight/disk-benchmark";
import { VaultFileError } from "@stashlight/node-runtime/config";
import { S3ClientError } from "@stashlight/s3/client";
import { SetupError } from "@stashlight/vault-setup";
import { type Command, parseCommand } from "./arguments.ts";
import { compareBenches } from "./bench/compare/compare.ts";
import { runBench } from "./bench/run.ts";
import { compareRuns } from "./disk/compare/compare.ts";
import { runDisk } from "./disk/run.ts";
import { DrillError } from "./drill/agents.ts";
import type { DrillSurroundings } from "./drill/drill-location.ts";
import { runFullDrill } from "./drill/full.ts";
import { runPowerCutDrill } from "./drill/power-cut.ts";
import { runDrives } from "./drives/run.ts";
import { runEncryption } from "./encryption/run.ts";
import { help } from "./help.ts";
import { makeKeys } from "./keys/keys.ts";
import { previewLifecycle } from "./lifecycle/lifecycle.ts";
import { runLoad } from "./load/run-load.ts";
import { runGiveUp } from "./lost/give-up.ts";
import { showLost } from "./lost/lost.ts";
import { addCoordinator } from "./operate/coordinators.ts";
import { changeQuarantine } from "./operate/quarantine.ts";
import { replaceDrive } from "./operate/replace-drive.ts";
import { replaceMachine } from "./operate/replace-machine.ts";
import { showRebuild } from "./operate/set-rebuild.ts";
import { addStash, drain, removeNode } from "./operate/stash-servers.ts";
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
const environment = process.env;
const terminal = createScreen(process.stdout);
const say = (text: string): void => terminal.say(asStarted(text));
const screen = { ...terminal, say };
// `stashlight vault status | head` closes the pipe early, which is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

type Runs = {
  readonly [Name in Command["name"]]: (
    command: Extract<Command, { readonly name: Name }>,
  ) => number | Promise<number>;
};

/** Each resolves to the exit code. */
const runs: Runs = {
  help: () => {
    say(help);
    return 0;
  },
  status: (command) => showStatus(command, { say, environment }),
  load: (command) => runLoad(command, screen, interruption()),
  verify: (command) => runVerify(command, screen),
  keys: (command) => makeKeys(command, say),
  create: (command) => createFromLayout(command, { say, complain }),
  bundle: (command) => makeBundle(command, say),
  renew: (command) => renewCertificates(command, { say, complain }),
  join: (command) => joinMachine(command, { screen, complain, interrupted: interruption() }),
  run: (command) => runMachine(command, { say, interrupted: interruption() }),
  "replace-drive": (command) => replaceDrive(command, screen, interruption()),
  "replace-machine": (command) => replaceMachine(command, screen, interruption()),
  rebuild: (command) => showRebuild(command, screen, interruption()),
  restart: (command) => restartAgents(command, screen, interruption()),
  "add-coordinator": (command) => addCoordinator(command, screen),
  "add-stash": (command) => addStash(command, screen),
  drain: (command) => drain(command, screen, interruption()),
  remove: (command) => removeNode(command, screen),
  quarantine: (command) => changeQuarantine(command, screen),
  release: (command) => changeQuarantine(command, screen),
  scrub: (command) => runScrub(command, screen, interruption()),
  lost: (command) => showLost(command, say),
  lifecycle: (command) => previewLifecycle(command, { say }),
  "give-up": (command) => runGiveUp(command, { screen, confirm: findConfirmation() }),
  encryption: (command) => runEncryption(command, { say, confirm: findConfirmation(), nowMs: Date.now }),
  plan: (command) => showPlan(command, { ...screen, complain, stdin: process.stdin }),
  "plan-from-log": (command) => showPlanFromLog(command, { ...screen, complain, stdin: process.stdin }),
  "plan-example": () => showExample(say),
  "drill-power-cut": (command) => runPowerCutDrill(command, drillSurroundings()),
  "drill-full": (command) => runFullDrill(command, drillSurroundings()),
  "disk-check": (command) => runDisk(command, diskSurroundings()),
  "disk-sweep": (command) => runDisk(command, diskSurroundings()),
  "disk-compare": (command) => compareRuns(command, say),
  "drives-import": (command) => runDrives(command, { screen, environment }),
  "drives-list": (command) => runDrives(command, { screen, environment }),
  "drives-mark": (command) => runDrives(command, { screen, environment }),
  "bench-compare": (command) => compareBenches(command, { say, complain }),
  "bench-run": (command) => runBench(command, { screen, complain, environment, interrupted: interruption() }),
};

const run = (command: Command): number | Promise<number> =>
  (runs[command.name] as (command: Command) => number | Promise<number>)(command);

const diskSurroundings = () => ({ screen, complain, interrupted: interruption(), now: () => new Date() });

const findConfirmation = () => (process.stdin.isTTY ? question : null);

function drillSurroundings(): DrillSurroundings {
  const parentFolder = join(projectDirectory, ".stashlight");
  return { projectDirectory, parentFolder, screen, interrupted: interruption(), random: Math.random };
}

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

/** The first Ctrl-C ends the work cleanly; a second one ends the process. */
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
