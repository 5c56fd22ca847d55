/** A vault for a bench: 20 pods, 7 stash nodes of 3 drives, a coordinator, as processes on this machine's disk. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  createLocalVault,
  findFreePorts,
  type LocalVaultOptions,
  portCountOf,
  type VaultFile,
} from "@stashlight/agent/config";
import { type AgentLaunch, agentLaunches } from "@stashlight/agent/launch";
import { repositoryRoot } from "../../run/environment.ts";

const MIB = 1_048_576;
const READY_WITHIN_MS = 120_000;

const shape = {
  name: "bench",
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
  pieceBytes: 8 * MIB,
};

const stashDeviceCount = shape.stashNodeCount * shape.drivesPerStashNode;

export type BenchVaultOptions = Pick<LocalVaultOptions, "podVolume" | "stashVolume"> & {
  readonly podModel?: LocalVaultOptions["podModel"];
  readonly isStashEnabled?: boolean;
};

export class BenchVault {
  readonly folder: string;
  readonly file: VaultFile;
  #children: ChildProcess[] = [];

  private constructor(folder: string, file: VaultFile) {
    this.folder = folder;
    this.file = file;
  }

  static async create(folder: string, options: BenchVaultOptions): Promise<BenchVault> {
    mkdirSync(folder, { recursive: true });
    const { isStashEnabled = true, podModel, ...volumes } = options;
    const model = podModel === undefined ? {} : { podModel };
    const ports = await findFreePorts(portCountOf(shape), Math.random);
    const file = { ...createLocalVault({ ...shape, ...volumes, ...model, ports }), isStashEnabled };
    const vault = new BenchVault(folder, file);
    writeFileSync(vault.path, JSON.stringify(file, null, 2), { mode: 0o600 });
    await vault.start(["--format"]);
    return vault;
  }

  get path(): string {
    return join(this.folder, "vault.json");
  }

  /** Resolves when uploads are taken; says how long that took. */
  async start(more: readonly string[] = []): Promise<number> {
    const startMs = performance.now();
    this.#children = this.#launches().map(({ role, name, nodeIds, entry, nodeFlags, env }) => {
      const nodes = nodeIds.flatMap((id) => ["--node", id]);
      const log = openSync(join(this.folder, `${name}.log`), "a");
      const args = [...nodeFlags, join(repositoryRoot, entry), "--config", this.path, ...nodes];
      return spawn(process.execPath, role === "coordinator" ? args : [...args, ...more], {
        env: { ...process.env, ...env },
        stdio: ["ignore", log, log],
      });
    });
    await this.#untilReady(startMs + READY_WITHIN_MS);
    return performance.now() - startMs;
  }

  #launches(): AgentLaunch[] {
    const idsOf = (role: VaultFile["nodes"][number]["role"]): string[] =>
      this.file.nodes.filter((node) => node.role === role).map(({ id }) => id);
    const nodeIds = { pod: idsOf("pod"), stash: idsOf("stash"), coordinator: idsOf("coordinator") };
    return agentLaunches({ nodeIds, stashDeviceCount, processorCount: availableParallelism() });
  }

  async #untilReady(deadlineMs: number): Promise<void> {
    for (const { host, adminPort, id } of this.file.nodes.toReversed()) {
      while (!(await isReady(`http://${host}:${adminPort}/readyz`))) {
        if (performance.now() > deadlineMs)
          throw new Error(`Node ${id} was not ready in time; see ${this.folder}.`);
        await delay(20);
      }
    }
  }

  /**
   * Resident megabytes and processor seconds of all agents together. The pages of Node's own program count in each
   * process that maps them; in `proportionalMb` they count once.
   */
  cost(): { residentMb: number; proportionalMb: number; cpuSeconds: number } {
    let residentKb = 0;
    let proportionalKb = 0;
    let cpuSeconds = 0;
    for (const { pid } of this.#children) {
      const memory = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      residentKb += Number(/^Rss:\s+(\d+)/m.exec(memory)?.[1]);
      proportionalKb += Number(/^Pss:\s+(\d+)/m.exec(memory)?.[1]);
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      // User and system time are in ticks of a hundredth of a second.
      cpuSeconds += (Number(stat[11]) + Number(stat[12])) / 100;
    }
    return { residentMb: residentKb / 1000, proportionalMb: proportionalKb / 1000, cpuSeconds };
  }

  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const ended = this.#children.map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of this.#children) child.kill(signal);
    await Promise.all(ended);
    this.#children = [];
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.folder, { recursive: true });
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
