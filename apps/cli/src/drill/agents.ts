/** The agents of a vault as processes of ours: one for all pods, one for all stash nodes, one for the coordinators. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { VaultFile } from "@stashlight/agent/config";
import { askAdmin } from "@stashlight/agent/durability";
import type { ProcessReport } from "@stashlight/contracts/process";
import type { VaultAccess } from "../vault/access.ts";

/** Why a vault could not be started, in a sentence; the exit code is then 1. */
export class DrillError extends Error {
  override readonly name = "DrillError";
}

export interface AgentsOptions {
  readonly projectDirectory: string;
  readonly vault: VaultAccess;
  readonly logFolder: string;
  /** Makes volumes on drives that have none. */
  readonly mayFormat: boolean;
}

const ROLES = ["pod", "stash", "coordinator"] as const;
type Role = (typeof ROLES)[number];

/** Each drive may wait in a system call of its own. */
const THREADS_BESIDE_DRIVES = 3;
const THREAD_COUNT_MAX = 64;
const READY_WITHIN_MS = 60_000;
const POLL_MS = 100;
const EVIDENCE_LINE_COUNT = 5;

export class Agents {
  readonly #options: AgentsOptions;
  #children: ChildProcess[] = [];

  constructor(options: AgentsOptions) {
    this.#options = options;
    mkdirSync(options.logFolder, { recursive: true });
  }

  /** Resolves when the vault takes uploads. Rejects with a DrillError, as when the agents are killed meanwhile. */
  async start(): Promise<void> {
    this.#children = ROLES.map((role) => this.#spawn(role));
    await Promise.all(this.#children.map((child, at) => this.#untilStarted(child, ROLES[at] as Role)));
    const { coordinator } = this.#options.vault;
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (!(await isReady(coordinator))) {
      if (this.#children.some(isEnded)) throw new DrillError("An agent ended before the vault was ready.");
      if (performance.now() > deadlineMs) {
        throw new DrillError(
          `The vault was not ready after ${READY_WITHIN_MS / 1000} s; see ${this.#options.logFolder}.`,
        );
      }
      await delay(POLL_MS);
    }
  }

  /** Ends all of them at once and without warning, as a power cut does. */
  async kill(): Promise<void> {
    await this.#end((child) => child.kill("SIGKILL"));
  }

  async stop(): Promise<void> {
    await this.#end((child) => child.kill("SIGTERM"));
  }

  async #end(signal: (child: ChildProcess) => void): Promise<void> {
    const running = this.#children.filter((child) => !isEnded(child));
    const ended = running.map((child) => once(child, "exit"));
    running.forEach(signal);
    await Promise.all(ended);
  }

  #spawn(role: Role): ChildProcess {
    const { projectDirectory, vault, mayFormat } = this.#options;
    const ids = vault.file.nodes.filter((node) => node.role === role).map(({ id }) => id);
    const log = openSync(this.#logOf(role), "a", 0o600);
    const args = ["--config", vault.path, ...ids.flatMap((id) => ["--node", id])];
    if (mayFormat && role !== "coordinator") args.push("--format");
    try {
      // In a group of its own, so that Ctrl-C reaches us alone; it ends when its channel to us closes.
      return spawn(process.execPath, [join(projectDirectory, `agents/${role}/src/main.ts`), ...args], {
        env: { ...process.env, UV_THREADPOOL_SIZE: String(threadCount(vault.file, role)) },
        detached: true,
        stdio: ["ignore", log, log, "ipc"],
      });
    } finally {
      closeSync(log);
    }
  }

  async #untilStarted(child: ChildProcess, role: Role): Promise<void> {
    const report = await new Promise<ProcessReport | null>((resolve) => {
      child.once("message", (message) => resolve(message as ProcessReport));
      child.once("error", () => resolve(null));
      child.once("exit", () => resolve(null));
    });
    if (report?.type === "ready") return;
    if (report?.type === "failed") throw new DrillError(report.message);
    const lines = readFileSync(this.#logOf(role), "utf8").trimEnd().split("\n").slice(-EVIDENCE_LINE_COUNT);
    throw new DrillError(`The ${role} agent ended as it started:\n${lines.join("\n")}`);
  }

  #logOf(role: Role): string {
    return join(this.#options.logFolder, `${role}.log`);
  }
}

function threadCount({ nodes }: VaultFile, role: Role): number {
  const driveCount = nodes.reduce(
    (sum, node) => sum + (node.role === role && node.role !== "coordinator" ? node.drives.length : 0),
    0,
  );
  return Math.min(THREAD_COUNT_MAX, driveCount + THREADS_BESIDE_DRIVES);
}

function isEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function isReady(node: VaultAccess["coordinator"]): Promise<boolean> {
  const answer = await askAdmin(node, "/readyz");
  return answer.type === "answered" && answer.status === 200;
}
