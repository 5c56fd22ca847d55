/**
 * Machines as network namespaces on one switch, a bridge in a separate namespace, without a connection to outside.
 * Faults are those of cables and switches: no process is notified, and no connection is reset.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { execPath } from "node:process";
import { ip } from "./ip.ts";
import { abandonedNamespaces, namespacesWith, ownPrefix, removeNamespaces } from "./namespaces.ts";
import { connectByTaps, findWireKind, shapeByNetem, type WireKind, type WireShape } from "./wire.ts";

/** Range reserved for network tests (RFC 2544). */
const SUBNET = "198.18.0";
const FIRST_HOST = 10;
/** No machine has this address, so packets sent to it are lost. */
const NOBODY = "02:00:00:00:00:01";
const SWITCH = "switch";

export interface NetworkOptions {
  /** Removed with the network if this process ends before it has closed the network. */
  readonly folder: string;
  /** Machines at the end of a slow wire of this shape, if such wires can be created here. */
  readonly distant: Readonly<Record<string, WireShape>>;
  /** Shape of all other wires, for netem only. */
  readonly near: WireShape;
}

export class Network {
  /** Kind of slow wires; null if this machine supports none, so that all wires are fast. */
  wireKind: WireKind | null = null;
  readonly #prefix: string;
  readonly #keeper: ChildProcess;
  /** Names of the machines, in the order of their addresses. */
  readonly #machines: readonly string[];

  private constructor(prefix: string, keeper: ChildProcess, machines: readonly string[]) {
    this.#prefix = prefix;
    this.#keeper = keeper;
    this.#machines = machines;
  }

  static async create(machines: readonly string[], options: NetworkOptions): Promise<Network> {
    await removeNamespaces(abandonedNamespaces());
    const prefix = ownPrefix();
    const args = [join(import.meta.dirname, "cleanup-process.ts"), prefix, options.folder];
    const keeper = spawn(execPath, args, { detached: true, stdio: ["pipe", "ignore", "inherit"] });
    const network = new Network(prefix, keeper, machines);
    try {
      await network.#build(options);
      return network;
    } catch (error) {
      await network.close();
      throw error;
    }
  }

  async #build({ distant, near }: NetworkOptions): Promise<void> {
    const wires = this.#namespaceOf(SWITCH);
    ip(
      ...[SWITCH, ...this.#machines].map((name) => `netns add ${this.#namespaceOf(name)}`),
      `-n ${wires} link set lo up`,
      `-n ${wires} link add lan type bridge`,
      `-n ${wires} link set lan up`,
      // Connects the machines of the other half during a partition.
      `-n ${wires} link add elsewhere type bridge`,
      `-n ${wires} link set elsewhere up`,
    );
    this.wireKind = findWireKind(wires);
    for (const machine of this.#machines) await this.#connectNew(machine, distant[machine], near);
  }

  async #connectNew(machine: string, distant: WireShape | undefined, near: WireShape): Promise<void> {
    const wires = this.#namespaceOf(SWITCH);
    const namespace = this.#namespaceOf(machine);
    const port = this.#portOf(machine);
    if (distant !== undefined && this.wireKind === "taps") {
      await connectByTaps(wires, { near: port, far: "far" }, distant);
      ip(`-n ${wires} link set far netns ${namespace} name eth0`);
    } else ip(`-n ${wires} link add ${port} type veth peer name eth0 netns ${namespace}`);
    ip(
      `-n ${wires} link set ${port} master lan up`,
      `-n ${namespace} link set lo up`,
      `-n ${namespace} link set eth0 up`,
      `-n ${namespace} addr add ${this.addressOf(machine)}/24 dev eth0`,
    );
    if (this.wireKind !== "netem") return;
    shapeByNetem(namespace, "eth0", distant ?? near);
    shapeByNetem(wires, port, distant ?? near);
  }

  addressOf(machine: string): string {
    return `${SUBNET}.${FIRST_HOST + this.#numberOf(machine)}`;
  }

  /** Command prefix that runs another command on this machine. */
  commandOn(machine: string): readonly string[] {
    return ["ip", "netns", "exec", this.#namespaceOf(machine)];
  }

  /** Pulls the machine's cable at the switch; its interface stays up. */
  cutOff(...machines: readonly string[]): void {
    this.#plug(machines, "nomaster");
  }

  /** Moves these machines behind another switch, so that they reach only each other. */
  moveElsewhere(...machines: readonly string[]): void {
    this.#plug(machines, "master elsewhere");
  }

  connect(...machines: readonly string[]): void {
    this.#plug(machines, "master lan");
  }

  /** Drops everything between the two, in both directions. Both still reach all others. */
  separate(one: string, other: string): void {
    this.#deafen(one, other);
    this.#deafen(other, one);
  }

  rejoin(one: string, other: string): void {
    this.#undeafen(one, other);
    this.#undeafen(other, one);
  }

  /** Drops all packets from `from` to `to`; the other direction works. */
  #deafen(from: string, to: string): void {
    const place = `${this.addressOf(to)} dev eth0`;
    ip(`-n ${this.#namespaceOf(from)} neigh replace ${place} lladdr ${NOBODY} nud permanent`);
  }

  #undeafen(from: string, to: string): void {
    ip(`-n ${this.#namespaceOf(from)} neigh del ${this.addressOf(to)} dev eth0`);
  }

  #plug(machines: readonly string[], where: string): void {
    const wires = this.#namespaceOf(SWITCH);
    ip(...machines.map((machine) => `-n ${wires} link set ${this.#portOf(machine)} ${where}`));
  }

  #namespaceOf(machine: string): string {
    return `${this.#prefix}${machine}`;
  }

  #portOf(machine: string): string {
    return `port${this.#numberOf(machine)}`;
  }

  #numberOf(machine: string): number {
    const at = this.#machines.indexOf(machine);
    if (at < 0) throw new Error(`There is no machine ${machine}.`);
    return at;
  }

  /** Ends everything running on the machines, and removes them. */
  async close(): Promise<void> {
    await removeNamespaces(namespacesWith(this.#prefix));
    const ended = once(this.#keeper, "exit");
    this.#keeper.stdin?.end();
    await ended;
  }
}
