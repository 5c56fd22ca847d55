/** An agent as a process of its own, whose output is kept for the case that a test fails. */
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
   * Agents end when the channel to their supervisor does, so none survives a test run that was killed. Without a
   * supervisor they report on their error stream what keeps them from starting.
   */
  readonly isSupervised: boolean;
  /** A command that runs another one, before the agent's own: the agent is then on another machine's network. */
  readonly commandBefore?: readonly string[];
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>;
}

const agentsFolder = resolve(dirname(fileURLToPath(import.meta.url)), "../../..");
/** Beside the sources rather than in a temporary folder, which is often one that has no O_DIRECT. */
export const scratchFolder = join(agentsFolder, "testing/node_modules/.test");
declare module "vitest" {
  interface ProvidedContext {
    /**
     * Path of the agents and the command line as nodes get them, in one file that tools/pack/test-program.ts makes
     * before the tests. From its sources each of a thousand agents would take half a second of a processor to start.
     */
    program: string;
  }
}

export const program = inject("program");

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
    const child = spawn(command, [...before, program, "agent", ...args], {
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

  /** The last of what it wrote, both streams together. */
  get output(): string {
    return this.#output;
  }

  get errorOutput(): string {
    return this.#errorOutput;
  }

  /** Resolves with the exit code, -1 for a process that a signal ended. */
  exitCode(): Promise<number> {
    return this.#exited;
  }

  /** Stops the process, as a debugger or a paused machine does, until it is resumed. */
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
