import { type ChildProcess, spawn } from "node:child_process";
import { repositoryRoot, toolEnvironment } from "./environment.ts";

export interface CommandResult {
  readonly isGreen: boolean;
  /** The command's output on both streams, in order of arrival. */
  readonly output: string;
  /** A few words for the line of the step, such as how many tests it ran. */
  readonly note?: string;
}

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Shows the output as it arrives instead of keeping it. */
  readonly live?: boolean;
}

const running = new Set<ChildProcess>();
let isEnding = false;

/** Runs a command of node_modules/.bin (or of the system) in the root folder, without stdin. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  if (isEnding) return Promise.resolve({ isGreen: false, output: "Interrupted.\n" });
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: repositoryRoot,
      env: toolEnvironment(options.environment),
      stdio: options.live ? ["ignore", "inherit", "inherit"] : ["ignore", "pipe", "pipe"],
    });
    running.add(child);
    const chunks: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => chunks.push(text));
    }
    child.on("error", (error) => {
      running.delete(child);
      chunks.push(`${command} could not be started: ${error.message}\n`);
      resolve({ isGreen: false, output: chunks.join("") });
    });
    child.on("close", (code, signal) => {
      running.delete(child);
      if (signal) chunks.push(`${command} was ended by ${signal}.\n`);
      resolve({ isGreen: code === 0, output: chunks.join("") });
    });
  });
}

/** Runs the tasks of every package that has them, from turbo's cache where nothing changed. */
export function runTurbo(tasks: readonly string[]): Promise<CommandResult> {
  const args = [
    "run",
    ...tasks,
    "--continue",
    "--output-logs=errors-only",
    "--log-order=grouped",
    "--no-color",
  ];
  return runCommand("turbo", args);
}

/**
 * Passes SIGINT and SIGTERM on to the children, so that none outlives this process. `interrupt` replaces SIGINT for
 * children that end only on SIGTERM, such as turbo: it assumes that its tasks got the SIGINT as well.
 */
export function endChildrenOnSignal(interrupt: NodeJS.Signals = "SIGINT"): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      isEnding = true;
      for (const child of running) child.kill(signal === "SIGINT" ? interrupt : signal);
    });
  }
}
