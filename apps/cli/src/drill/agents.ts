/** Agents of a vault, each role in its own processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type ProcessReport, resolveEntry } from "@stashlight/contracts/process";
import type { VaultFile } from "@stashlight/node-runtime/config";
import { askAdmin } from "@stashlight/node-runtime/durability";
import { type AgentLaunch, agentEntry, agentLaunches, nodeIdsByRole } from "@stashlight/node-runtime/launch";
import type { VaultAccess } from "../vault/access.ts";

/** Reason that a vault could not be started; the exit code is then 1. */
export class DrillError extends Error {
  override readonly name = "DrillError";
}

export interface AgentsOptions {
  readonly projectDirectory: string;
  readonly vault: VaultAccess;
  readonly logFolder: string;
  /** Creates volumes on drives without one. */
  readonly mayFormat: boolean;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;
const EVIDENCE_LINE_COUNT = 5;

export class Agents {
  readonly #options: AgentsOptions;
  readonly #launches: readonly AgentLaunch[];
  /** Keyed by launch name; ended agents stay until they are started again. */
  readonly #children = new Map<string, ChildProcess>();
  readonly #peakBytes = new Map<string, number>();

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#launches = listAgentLaunches(options.vault.file);
    mkdirSync(options.logFolder, { recursive: true, mode: 0o700 });
  }

  get names(): string[] {
    return this.#launches.map(({ name }) => name);
  }

  /** Agents that are not running, because they were killed or exited. */
  get endedNames(): string[] {
    return this.names.filter((name) => !this.#isRunning(name));
  }

  /**
   * Starts the agents that are not running, and resolves when the vault accepts uploads. Rejects with a DrillError, for
   * example if the agents are killed in the process.
   */
  async start(): Promise<void> {
    const ended = this.endedNames;
    const missing = this.#launches.filter(({ name }) => ended.includes(name));
    for (const launch of missing) this.#children.set(launch.name, this.#spawn(launch));
    await Promise.all(missing.map(({ name }) => this.#untilStarted(name)));
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (!(await isReady(this.#options.vault))) {
      if (this.endedNames.length > 0) throw new DrillError("An agent ended before the vault was ready.");
      if (performance.now() > deadlineMs) {
        throw new DrillError(
          `The vault was not ready after ${READY_WITHIN_MS / 1000} s; see ${this.#options.logFolder}.`,
        );
      }
      await delay(POLL_MS);
    }
  }

  /** Ends these agents at once and without warning, like a power cut. */
  async kill(names: readonly string[] = this.names): Promise<void> {
    await this.#end(names, "SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end(this.names, "SIGTERM");
  }

  /** Peak resident memory of each agent's processes, by agent name. */
  peakResidentBytes(): ReadonlyMap<string, number> {
    for (const name of this.names) this.#notePeak(name);
    return new Map(this.names.map((name) => [name, this.#peakBytes.get(name) ?? 0]));
  }

  #notePeak(name: string): void {
    const pid = this.#children.get(name)?.pid;
    if (pid === undefined || !this.#isRunning(name)) return;
    const kib = Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
    this.#peakBytes.set(name, Math.max(this.#peakBytes.get(name) ?? 0, kib * 1024));
  }

  #isRunning(name: string): boolean {
    const child = this.#children.get(name);
    return child !== undefined && child.exitCode === null && child.signalCode === null;
  }

  async #end(names: readonly string[], signal: NodeJS.Signals): Promise<void> {
    const running = names.filter((name) => this.#isRunning(name));
    for (const name of running) this.#notePeak(name);
    const children = running.flatMap((name) => this.#children.get(name) ?? []);
    const ended = children.map((child) => once(child, "exit"));
    for (const child of children) child.kill(signal);
    await Promise.all(ended);
  }

  #spawn({ name, nodeIds, nodeFlags, env }: AgentLaunch): ChildProcess {
    const { projectDirectory, vault, mayFormat } = this.#options;
    const log = openSync(this.#logOf(name), "a", 0o600);
    const entry = resolveEntry("agent", pathToFileURL(join(projectDirectory, agentEntry)));
    const program = [fileURLToPath(entry.file), ...entry.args];
    const args = ["--config", vault.path, ...nodeIds.flatMap((id) => ["--node", id])];
    if (mayFormat) args.push("--format");
    try {
      // In its own process group, so that Ctrl-C reaches only the parent; the agent ends when its channel to the parent
      // closes.
      return spawn(process.execPath, [...nodeFlags, ...program, ...args], {
        env: { ...process.env, ...env },
        detached: true,
        stdio: ["ignore", log, log, "ipc"],
      });
    } finally {
      closeSync(log);
    }
  }

  async #untilStarted(name: string): Promise<void> {
    const child = this.#children.get(name) as ChildProcess;
    const report = await new Promise<ProcessReport | null>((resolve) => {
      child.once("message", (message) => resolve(message as ProcessReport));
      child.once("error", () => resolve(null));
      child.once("exit", () => resolve(null));
    });
    if (report?.type === "ready") return;
    if (report?.type === "failed") throw new DrillError(report.message);
    const lines = readFileSync(this.#logOf(name), "utf8").trimEnd().split("\n").slice(-EVIDENCE_LINE_COUNT);
    throw new DrillError(`The process ${name} exited at start:\n${lines.join("\n")}`);
  }

  #logOf(name: string): string {
    return join(this.#options.logFolder, `${name}.log`);
  }
}

function listAgentLaunches({ nodes }: VaultFile): AgentLaunch[] {
  const stashDeviceCount = nodes.reduce(
    (sum, node) => sum + (node.role === "stash" ? node.drives.length : 0),
    0,
  );
  const nodeIds = nodeIdsByRole(nodes);
  return agentLaunches({ nodeIds, stashDeviceCount, processorCount: availableParallelism(), isDrill: true });
}

async function isReady({ coordinator, admin }: VaultAccess): Promise<boolean> {
  const answer = await askAdmin(coordinator, "/readyz", { access: admin });
  return answer.type === "answered" && answer.status === 200;
}
