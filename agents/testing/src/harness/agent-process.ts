/** An agent in its own process, whose output is kept in case a test fails. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join, resolve } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";

export type Role = "pod" | "stash" | "coordinator";

export interface AgentProcessOptions {
  readonly args: readonly string[];
  /**
   * Agents end with the channel to their supervisor, so none survives a killed test run. Without a supervisor they
   * report on stderr what keeps them from starting.
   */
  readonly isSupervised: boolean;
  /** Command that precedes the agent's own, to run the agent on another machine's network. */
  readonly commandBefore?: readonly string[];
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
}

const agentsFolder = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** Beside the sources, because temporary folders often lack O_DIRECT. */
export const scratchFolder = join(agentsFolder, "testing/node_modules/.test");
declare module "vitest" {
  interface ProvidedContext {
    /**
     * The agents and the command line as nodes get them, in one file that tools/pack/test-program.ts builds before the
     * tests. From source, each of a thousand agents would take half a second of processor time to start.
     */
    program: string;
  }
}

export const program = inject("program");

/**
 * The flags of a process with all nodes (packages/node-runtime/src/launch.ts), because tests start small vaults. Without
 * them collecting garbage takes a fifth of an agent's processor time.
 */
const nodeFlags = [
  "--max-semi-space-size=8",
  "--initial-old-space-size=192",
  "--external-memory-accounted-in-global-limit",
];

const OUTPUT_CHARACTERS_MAX = 60_000;
const alive = new Set<ChildProcess>();

process.once("exit", () => {
  for (const child of alive) child.kill("SIGKILL");
});

export class AgentProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number>;
  #output = "";
  #errorOutput = "";

  constructor({ args, isSupervised, commandBefore = [], env = {} }: AgentProcessOptions) {
    const [command = execPath, ...before] = [...commandBefore, execPath];
    const child = spawn(command, [...before, ...nodeFlags, program, "agent", ...args], {
      env: { ...process.env, ...env },
      stdio: isSupervised ? ["ignore", "pipe", "pipe", "ipc"] : ["ignore", "pipe", "pipe"],
    });
    alive.add(child);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#keep(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errorOutput += text;
      this.#keep(text);
    });
    this.#child = child;
    this.#exited = once(child, "close").then(([code]) => {
      alive.delete(child);
      return code ?? -1;
    });
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-OUTPUT_CHARACTERS_MAX);
  }

  get pid(): number | null {
    return this.#child.pid ?? null;
  }

  get isRunning(): boolean {
    return alive.has(this.#child);
  }

  /** The last output of both streams together. */
  get output(): string {
    return this.#output;
  }

  get errorOutput(): string {
    return this.#errorOutput;
  }

  /** Resolves with the exit code; -1 if a signal ended the process. */
  exitCode(): Promise<number> {
    return this.#exited;
  }

  /** Stops the process until it is resumed, as a debugger or a paused machine does. */
  pause(): void {
    this.#child.kill("SIGSTOP");
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  /** Resolves with the exit code. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number> {
    this.#child.kill(signal);
    return await this.#exited;
  }
}
