/** A vault of real processes on real disks, small enough for a test, and removed after it. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  countPorts,
  createLocalVault,
  type LocalVaultOptions,
  provideKeys,
  type VaultFile,
  type VaultNode,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { AgentProcess, type Role, scratchFolder } from "./agent-process.ts";
import { findFreePorts } from "./free-ports.ts";
import { askAdmin, type DriveHealth, type NodeHealth } from "./health.ts";
import { until } from "./wait-until.ts";

type Processes = "one" | "one a role" | "one a node";

export interface TestVaultOptions extends Partial<Omit<LocalVaultOptions, "ports" | "name">> {
  /** One process for all nodes, one per role, or one per node, which can be killed alone. */
  readonly processes?: Processes;
  /** Additional arguments for all agents. */
  readonly args?: readonly string[];
  /** Added to the environment of all agents. */
  readonly env?: Readonly<Record<string, string>>;
  /** Changes the vault file before anything is started. */
  readonly amend?: (file: VaultFile) => VaultFile;
}

const MIB = 1_048_576;
const READY_WITHIN_MS = 180_000;
const DRAINED_WITHIN_MS = 180_000;

const usual = {
  name: "test",
  scheme: { dataShardCount: 2, parityShardCount: 1 },
  podNodeCount: 3,
  stashNodeCount: 3,
  drivesPerStashNode: 1,
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 6 },
  stashVolume: { segmentBytes: 4 * MIB, segmentCount: 8 },
  pieceBytes: 2 * MIB,
} as const;

/** Creates the folder and file of a vault without starting it. */
export async function createTestVault(options: TestVaultOptions = {}): Promise<TestVault> {
  const { processes = "one a role", args = [], env = {}, amend = (file) => file, ...layout } = options;
  mkdirSync(scratchFolder, { recursive: true });
  const folder = mkdtempSync(join(scratchFolder, "vault-"));
  const local = { ...usual, ...layout };
  const ports = await findFreePorts(countPorts(local));
  const file = amend(createLocalVault({ ...local, ports }));
  return new TestVault(folder, file, { processes, args, env });
}

/** Resolves when every node is ready and known to the coordinator. */
export async function startTestVault(options: TestVaultOptions = {}): Promise<TestVault> {
  const vault = await createTestVault(options);
  try {
    vault.start(vault.nodeIds, { mayFormat: true });
    await vault.ready();
    return vault;
  } catch (error) {
    const output = vault.output();
    await vault.close();
    throw new Error(`The vault did not start.\n${output}`, { cause: error });
  }
}

export class TestVault {
  readonly folder: string;
  readonly file: VaultFile;
  readonly #processes: Processes;
  readonly #args: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  /** By node id; nodes that share a process have the same entry. */
  readonly #running = new Map<string, AgentProcess>();
  readonly #ended: { readonly nodeIds: readonly string[]; readonly process: AgentProcess }[] = [];

  constructor(
    folder: string,
    file: VaultFile,
    { processes, args, env }: Required<Pick<TestVaultOptions, "processes" | "args" | "env">>,
  ) {
    this.folder = folder;
    this.file = file;
    this.#processes = processes;
    this.#args = args;
    this.#env = env;
    writeVaultFile(this.configPath, file);
    provideKeys(this.configPath, { areAllHere: true });
  }

  get configPath(): string {
    return join(this.folder, "vault.json");
  }

  get nodeIds(): string[] {
    return this.file.nodes.map(({ id }) => id);
  }

  nodeIdsOf(role: Role): string[] {
    return this.file.nodes.filter((node) => node.role === role).map(({ id }) => id);
  }

  get s3Port(): number {
    const node = this.file.nodes.find(({ role }) => role === "coordinator");
    if (node?.role !== "coordinator") throw new Error("The vault has no coordinator.");
    return node.s3.port;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.s3Port}`;
  }

  get key(): { readonly id: string; readonly secret: string } {
    const [key] = this.file.accessKeys;
    if (key === undefined) throw new Error("The vault has no access key.");
    return key;
  }

  #node(nodeId: string): VaultNode {
    const node = this.file.nodes.find(({ id }) => id === nodeId);
    if (node === undefined) throw new Error(`The vault has no node ${nodeId}.`);
    return node;
  }

  start(nodeIds: readonly string[], { mayFormat = false } = {}): void {
    for (const group of this.#groupsOf(nodeIds)) this.#startProcess(group, mayFormat);
  }

  #groupsOf(nodeIds: readonly string[]): (readonly string[])[] {
    if (this.#processes === "one a node") return nodeIds.map((id) => [id]);
    if (this.#processes === "one") return [nodeIds];
    const roles = ["pod", "stash", "coordinator"] as const;
    const groups = roles.map((role) => nodeIds.filter((id) => this.#node(id).role === role));
    return groups.filter((ids) => ids.length > 0);
  }

  #startProcess(nodeIds: readonly string[], mayFormat: boolean): void {
    const nodes = nodeIds.flatMap((id) => ["--node", id]);
    const args = ["--config", this.configPath, ...nodes, ...this.#args, ...(mayFormat ? ["--format"] : [])];
    const started = new AgentProcess({ args, isSupervised: true, env: this.#env });
    for (const id of nodeIds) this.#running.set(id, started);
  }

  /** Ends the processes of these nodes, including other nodes in them; returns their exit codes. */
  async end(nodeIds: readonly string[], signal: "SIGKILL" | "SIGTERM"): Promise<number[]> {
    const ending = this.#processesOf(nodeIds);
    for (const process of ending) {
      const ended = [...this.#running].flatMap(([id, each]) => (each === process ? [id] : []));
      for (const id of ended) this.#running.delete(id);
      this.#ended.push({ nodeIds: ended, process });
    }
    return await Promise.all([...ending].map((process) => process.end(signal)));
  }

  /** Null while the node is not running. */
  pidOf(nodeId: string): number | null {
    return this.#running.get(nodeId)?.pid ?? null;
  }

  /** Stops the processes of these nodes until they are resumed. */
  pause(nodeIds: readonly string[]): void {
    for (const process of this.#processesOf(nodeIds)) process.pause();
  }

  resume(nodeIds: readonly string[]): void {
    for (const process of this.#processesOf(nodeIds)) process.resume();
  }

  #processesOf(nodeIds: readonly string[]): Set<AgentProcess> {
    return new Set(nodeIds.flatMap((id) => this.#running.get(id) ?? []));
  }

  kill(nodeIds: readonly string[] = this.nodeIds): Promise<number[]> {
    return this.end(nodeIds, "SIGKILL");
  }

  /** Resolves when these nodes, and every coordinator with them, are ready. */
  async ready(nodeIds: readonly string[] = this.nodeIds): Promise<void> {
    const asked = new Set([...nodeIds, ...this.nodeIdsOf("coordinator")]);
    for (const id of asked) {
      if (this.#running.has(id)) await this.#nodeReady(id);
    }
  }

  async #nodeReady(nodeId: string): Promise<void> {
    await until(
      `${nodeId} is ready`,
      async () => {
        if (this.#running.get(nodeId)?.isRunning !== true) throw new Error(`${nodeId} ended by itself.`);
        return (await this.askAdmin(nodeId, "/readyz"))?.status === 200 && this.#isKnown(nodeId);
      },
      READY_WITHIN_MS,
      () => this.askAdmin(nodeId, "/readyz"),
    );
  }

  /** Waits until a coordinator knows all running pods, because its next steps would otherwise not be what is tested. */
  async #isKnown(nodeId: string): Promise<boolean> {
    if (this.#node(nodeId).role !== "coordinator") return true;
    // Coordinators do not connect to each other.
    const others = [...this.#running.keys()].filter((id) => this.#node(id).role !== "coordinator");
    const health = await this.health(nodeId);
    const pods = this.file.nodes.flatMap((node) =>
      node.role === "pod" && others.includes(node.id) ? node.drives : [],
    );
    return (
      (health?.settledPodCount ?? 0) >= pods.length &&
      others.every((id) => health?.connectedNodeIds.includes(id))
    );
  }

  /** Sends a request with the vault's admin token. */
  askAdmin(nodeId: string, path: string, init: RequestInit = {}) {
    const token = readFileSync(join(this.folder, "admin.token"), "utf8").trim();
    const headers = { ...init.headers, authorization: `Bearer ${token}` };
    return askAdmin(this.#node(nodeId).adminPort, path, { ...init, headers });
  }

  /** Null while the node does not answer. */
  async health(nodeId: string): Promise<NodeHealth | null> {
    const answer = await this.askAdmin(nodeId, "/healthz");
    return answer === null ? null : (JSON.parse(answer.text) as NodeHealth);
  }

  async drives(role: "pod" | "stash"): Promise<DriveHealth[]> {
    const all = await Promise.all(this.nodeIdsOf(role).map((id) => this.health(id)));
    return all.flatMap((health) => health?.drives ?? []);
  }

  /** Resolves when no stash device holds anything, because everything written is durable on its pods. */
  async drained(withinMs = DRAINED_WITHIN_MS): Promise<void> {
    const look = async () => (await this.drives("stash")).map(({ log }) => log?.recordsLive ?? -1);
    const isEmpty = async () => (await look()).every((count) => count === 0);
    await until("the stash is empty", isEmpty, withinMs, look);
  }

  /** Output of all processes, ended ones first. */
  output(): string {
    const running = [...new Set(this.#running.values())].map((process) => {
      const nodeIds = [...this.#running].flatMap(([id, each]) => (each === process ? [id] : []));
      return { nodeIds, process };
    });
    return [...this.#ended, ...running]
      .map(({ nodeIds, process }) => `--- ${nodeIds.join(", ")}\n${process.output}`)
      .join("\n");
  }

  /** Ends everything and removes the data. */
  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
