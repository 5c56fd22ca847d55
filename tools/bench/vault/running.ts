/** A vault for a benchmark: 20 pods, 7 stash nodes of 3 drives, a coordinator, as processes on this machine's disk. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  countPorts,
  createEncryptionKeys,
  createLocalVault,
  ENCRYPTION_KEY_FILE,
  findFreePorts,
  type LocalVaultOptions,
  loadVaultFile,
  provideKeys,
  type VaultFile,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { askAdmin, readAdminAccess } from "@stashlight/node-runtime/durability";
import {
  type AgentLaunch,
  agentEntry,
  agentLaunches,
  measureSyncMs,
  nodeIdsByRole,
} from "@stashlight/node-runtime/launch";
import { repositoryRoot } from "../../run/environment.ts";
import { withTls } from "./with-tls.ts";

const MIB = 1_048_576;
/** Enough to read ten million records. */
const READY_WITHIN_MS = 3_600_000;

const shape = {
  name: "bench",
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
  pieceBytes: 8 * MIB,
};

/** Enough for a few hundred objects of a mebibyte. */
export const benchVolumes = {
  podVolume: { segmentBytes: 32 * MIB, segmentCount: 6 },
  stashVolume: { segmentBytes: 16 * MIB, segmentCount: 6 },
};

const stashDeviceCount = shape.stashNodeCount * shape.drivesPerStashNode;

export type BenchVaultOptions = Pick<LocalVaultOptions, "podVolume" | "stashVolume"> & {
  readonly podModel?: LocalVaultOptions["podModel"];
  /** Replaces 16 + 4 shards on 20 pods. */
  readonly shape?: Pick<
    LocalVaultOptions,
    "scheme" | "podNodeCount" | "stashNodeCount" | "drivesPerStashNode"
  >;
  readonly isStashEnabled?: boolean;
  /** Nodes use TLS, and so do clients. */
  readonly isTls?: boolean;
  /** New buckets are encrypted by the vault's key. */
  readonly isEncrypted?: boolean;
  /** CPU count to assume when choosing the process layout. */
  readonly processorCount?: number;
  /** Flags of Node.js, beside those of the launch. */
  readonly nodeFlags?: readonly string[];
};

/** Gives the vault a key of its own, with which new buckets are encrypted. */
function withEncryption(folder: string, file: VaultFile): VaultFile {
  createEncryptionKeys(join(folder, ENCRYPTION_KEY_FILE), file.clusterId, Date.now());
  return { ...file, encryption: { keyFile: ENCRYPTION_KEY_FILE, newBuckets: "AES256" } };
}

export class BenchVault {
  readonly folder: string;
  readonly file: VaultFile;
  readonly #nodeFlags: readonly string[];
  readonly #processorCount: number;
  /** Keyed by launch name. */
  readonly #children = new Map<string, ChildProcess>();

  private constructor(
    folder: string,
    file: VaultFile,
    { nodeFlags = [], processorCount = availableParallelism() }: Partial<BenchVaultOptions>,
  ) {
    this.folder = folder;
    this.file = file;
    this.#nodeFlags = nodeFlags;
    this.#processorCount = processorCount;
  }

  static async create(folder: string, options: BenchVaultOptions): Promise<BenchVault> {
    mkdirSync(folder, { recursive: true });
    const {
      isStashEnabled = true,
      isTls = false,
      isEncrypted = false,
      podModel,
      podVolume,
      stashVolume,
    } = options;
    const volumes = { podVolume, stashVolume };
    const model = podModel === undefined ? {} : { podModel };
    const layout = { ...shape, ...options.shape };
    const ports = await findFreePorts(countPorts(layout), Math.random);
    const plain = { ...createLocalVault({ ...layout, ...volumes, ...model, ports }), isStashEnabled };
    const connected = isTls ? withTls(folder, plain) : plain;
    const file = isEncrypted ? withEncryption(folder, connected) : connected;
    const vault = new BenchVault(folder, file, options);
    writeVaultFile(vault.path, file);
    provideKeys(vault.path, { areAllHere: true });
    await vault.start(["--format"]);
    return vault;
  }

  get path(): string {
    return join(this.folder, "vault.json");
  }

  /** Resolves with the elapsed time when uploads are accepted. */
  async start(more: readonly string[] = []): Promise<number> {
    const startMs = performance.now();
    for (const { name, nodeIds, nodeFlags, env } of await this.#launches()) {
      const nodes = nodeIds.flatMap((id) => ["--node", id]);
      const log = openSync(join(this.folder, `${name}.log`), "a");
      const args = [
        ...nodeFlags,
        ...this.#nodeFlags,
        join(repositoryRoot, agentEntry),
        "--config",
        this.path,
        ...nodes,
        ...more,
      ];
      const child = spawn(process.execPath, args, {
        env: { ...process.env, ...env },
        stdio: ["ignore", log, log],
      });
      this.#children.set(name, child);
    }
    await this.#untilReady(startMs + READY_WITHIN_MS);
    return performance.now() - startMs;
  }

  async #launches(): Promise<AgentLaunch[]> {
    const nodeIds = nodeIdsByRole(this.file.nodes);
    const syncMs = await measureSyncMs(this.folder);
    return agentLaunches({ nodeIds, stashDeviceCount, processorCount: this.#processorCount, syncMs });
  }

  processes(): { readonly name: string; readonly pid: number }[] {
    return [...this.#children].flatMap(([name, { pid }]) => (pid === undefined ? [] : [{ name, pid }]));
  }

  /** Reads the /metrics page of each node with the role. */
  async metricsOf(role: VaultFile["nodes"][number]["role"]): Promise<string[]> {
    const headers = { authorization: `Bearer ${this.#adminToken()}` };
    const nodes = this.file.nodes.filter((node) => node.role === role);
    return await Promise.all(
      nodes.map(async ({ host, adminPort }) => {
        return await (await fetch(`http://${host}:${adminPort}/metrics`, { headers })).text();
      }),
    );
  }

  #adminToken(): string {
    return readFileSync(join(this.folder, "admin.token"), "utf8").trim();
  }

  async #untilReady(deadlineMs: number): Promise<void> {
    const file = loadVaultFile(this.path);
    const access = readAdminAccess(file);
    for (const node of file.nodes.toReversed()) {
      for (;;) {
        const answer = await askAdmin(node, "/readyz", { access });
        if (answer.type === "answered" && answer.status === 200) break;
        if (performance.now() > deadlineMs)
          throw new Error(`Node ${node.id} was not ready in time; see ${this.folder}.`);
        await delay(20);
      }
    }
  }

  /**
   * Resident megabytes and CPU seconds of all agents together. The pages of Node's own executable count in each process
   * that maps them; in `proportionalMb` they count once.
   */
  cost(): { residentMb: number; proportionalMb: number; cpuSeconds: number } {
    let residentKb = 0;
    let proportionalKb = 0;
    let cpuSeconds = 0;
    for (const { pid } of this.processes()) {
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
    const children = [...this.#children.values()];
    const ended = children.map((child) => new Promise((resolve) => child.once("exit", resolve)));
    for (const child of children) child.kill(signal);
    await Promise.all(ended);
    this.#children.clear();
  }

  async remove(): Promise<void> {
    await this.stop("SIGKILL");
    rmSync(this.folder, { recursive: true });
  }
}
