/**
 * A vault on its own network: one machine per node, TLS on every connection, a client's machine and a second
 * coordinator.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  countPorts,
  createLocalVault,
  provideKeys,
  type VaultFile,
  type VaultNode,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { createAuthority } from "@stashlight/transport/testing";
import { AgentProcess, scratchFolder } from "../../harness/agent-process.ts";
import { until } from "../../harness/wait-until.ts";
import { Network } from "./network.ts";
import { StationProcess } from "./station-process.ts";

const MIB = 1_048_576;
const READY_WITHIN_MS = 170_000;
const FIRST_PORT = 20_300;
/** Longer than the vault may take to answer: it waits for its stash, for its pods, and for abandoned work to end. */
const PATIENCE_MS = 25_000;

const shape = {
  name: "lab",
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 5,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
  podVolume: { segmentBytes: 2 * MIB, segmentCount: 10 },
  stashVolume: { segmentBytes: MIB, segmentCount: 8 },
  pieceBytes: 2 * MIB,
} as const;

const bucket = "lab";

/** Link between the second coordinator and all others, in each direction. */
export const farAway = { delayMs: 40, jitterMs: 4, lossPercent: 0.2, reorderPercent: 1 };

export class Lab {
  readonly network: Network;
  readonly file: VaultFile;
  /** Client on its own machine, which uses the first coordinator. */
  readonly client: StationProcess;
  readonly #folder: string;
  readonly #agents: ReadonlyMap<string, AgentProcess>;
  readonly #stations: StationProcess[] = [];

  private constructor(network: Network, folder: string, file: VaultFile, mayFormat: boolean) {
    this.network = network;
    this.file = file;
    this.#folder = folder;
    this.#agents = new Map(file.nodes.map((node) => [node.id, this.#start(node, mayFormat)]));
    this.client = this.station("client", "coordinator-1", { prefix: "client-" });
  }

  /** Resolves when uploads are accepted. */
  static async create(): Promise<Lab> {
    mkdirSync(scratchFolder, { recursive: true });
    const folder = mkdtempSync(join(scratchFolder, "lab-"));
    const plan = createLocalVault({ ...shape, ports: listPorts(countPorts(shape)) });
    const withSecond = { ...plan, nodes: [...plan.nodes, secondCoordinator(plan)] };
    const machines = [...withSecond.nodes.map(({ id }) => id), "client"];
    const network = await Network.create(machines, {
      folder,
      distant: { "coordinator-2": farAway },
      near: { delayMs: 0.6, jitterMs: 0.4, lossPercent: 0.05, reorderPercent: 0.5 },
    });
    try {
      const file = onMachines(folder, withSecond, network);
      writeVaultFile(join(folder, "vault.json"), file);
      const lab = new Lab(
        network,
        folder,
        provideKeys(join(folder, "vault.json"), { areAllHere: true }),
        true,
      );
      try {
        await lab.ready();
        await lab.client.prepare();
      } catch (error) {
        throw new Error(`The vault did not start.\n${lab.output()}`, { cause: error });
      }
      return lab;
    } catch (error) {
      await network.close();
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  #start({ id }: VaultNode, mayFormat: boolean): AgentProcess {
    const args = [
      "--config",
      join(this.#folder, "vault.json"),
      "--node",
      id,
      ...(mayFormat ? ["--format"] : []),
    ];
    return new AgentProcess({ args, isSupervised: true, commandBefore: this.network.commandOn(id) });
  }

  station(
    machine: string,
    coordinatorId: string,
    { prefix = "client-", concurrency = 8 } = {},
  ): StationProcess {
    const settings = {
      configPath: join(this.#folder, "vault.json"),
      coordinatorId,
      bucket,
      prefix,
      concurrency,
      patienceMs: PATIENCE_MS,
    };
    const station = new StationProcess(this.network.commandOn(machine), settings);
    this.#stations.push(station);
    return station;
  }

  /** Resolves when both coordinators are connected with all other nodes, and every pod has settled. */
  async ready(coordinatorIds: readonly string[] = ["coordinator-1", "coordinator-2"]): Promise<void> {
    const others = this.file.nodes.filter(({ role }) => role !== "coordinator");
    const { dataShardCount, parityShardCount } = this.file.scheme;
    for (const id of coordinatorIds) {
      await until(
        `${id} reaches all nodes`,
        async () => {
          const health = await this.client.health(id);
          return (
            health !== null &&
            (health.settledPodCount ?? 0) >= dataShardCount + parityShardCount &&
            others.every((other) => health.connectedNodeIds.includes(other.id))
          );
        },
        READY_WITHIN_MS,
        () => this.client.health(id),
      );
    }
  }

  /** Latest output of all agents. */
  output(): string {
    return [...this.#agents].map(([id, { output }]) => `--- ${id}\n${output}`).join("\n");
  }

  async close(): Promise<void> {
    await Promise.all(this.#stations.map((station) => station.close()));
    await Promise.all([...this.#agents.values()].map((agent) => agent.end("SIGKILL")));
    await this.network.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Every machine has its own address, so nodes may use the same ports. */
function listPorts(count: number): number[] {
  return Array.from({ length: count }, (_, at) => FIRST_PORT + at);
}

function secondCoordinator({ nodes }: VaultFile): VaultNode {
  const first = nodes.find((node) => node.role === "coordinator");
  if (first?.role !== "coordinator") throw new Error("The plan has no coordinator.");
  return { ...first, id: "coordinator-2", stateFolder: "coordinator-2/state" };
}

function onMachines(folder: string, plan: VaultFile, network: Network): VaultFile {
  const authority = createAuthority(`lab ${plan.clusterId}`);
  const nodes = plan.nodes.map((node): VaultNode => {
    const { ca, cert, key } = authority.issue(node.id);
    writeFileSync(join(folder, "ca.pem"), ca);
    writeFileSync(join(folder, `${node.id}.pem`), cert);
    writeFileSync(join(folder, `${node.id}.key`), key, { mode: 0o600 });
    const tls = { cert: `${node.id}.pem`, key: `${node.id}.key` };
    const host = network.addressOf(node.id);
    return node.role === "coordinator"
      ? { ...node, host, tls, s3: { ...node.s3, host, tls } }
      : { ...node, host, tls };
  });
  return { ...plan, ca: "ca.pem", nodes };
}
