/**
 * Routes messages: to a machine of this node, to another node of this process, or over the connection to the node that
 * has the address. A message that cannot be delivered is lost, which every machine tolerates.
 */
import {
  authoriseByRole,
  connectTo,
  type EndpointOptions,
  listen,
  type NodeIdentity,
  type Peer,
  type Received,
  type TransportEvent,
  type TransportServer,
  type TransportSnapshot,
} from "@stashlight/transport";
import type { Address, Message } from "@stashlight/write-path";
import { calls, nodeAddresses, type VaultFile, type VaultNode } from "../config/index.ts";
import type { NodeCredentials } from "../credentials/credentials.ts";
import type { ProcessLinks } from "./process-links.ts";

export interface Receiver {
  receive(from: Address, message: Message): void;
}

export interface SwitchboardOptions {
  readonly file: VaultFile;
  readonly node: VaultNode;
  readonly bootId: number;
  readonly credentials: Pick<NodeCredentials, "keys" | "tls" | "onChange">;
  /** Links to the other nodes of this process. */
  readonly links: ProcessLinks;
  /** Set if no receiver of this node keeps a payload beyond its call of `receive`. */
  readonly arePayloadsLent?: boolean;
  readonly observe: (event: TransportEvent) => void;
}

interface CalledNode {
  readonly peer: Peer;
  /** Address at which the node is called. */
  readonly place: string;
}

/** The nodes of the current epoch, including this one. */
interface KnownNodes {
  readonly file: VaultFile;
  readonly node: VaultNode;
  readonly nodeIdByAddress: ReadonlyMap<Address, string>;
  readonly addressesByNodeId: ReadonlyMap<string, ReadonlySet<Address>>;
}

/** Time within which nodes should learn of an epoch, as in the simulation (packages/simulation/src/world/epochs.ts). */
const LEARNT_WITHIN_MS = 2000;

export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #local = new Map<Address, Receiver>();
  readonly #peers = new Map<string, CalledNode>();
  #known: KnownNodes;
  #server: TransportServer | null = null;
  #lateness: NodeJS.Timeout | null = null;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
    this.#known = readKnownNodes(options.file, options.node);
  }

  /** Directs messages for this address to the receiver from now on. */
  connect(address: Address, receiver: Receiver): void {
    this.#local.set(address, receiver);
  }

  /** Drops all later messages to this address. */
  disconnect(address: Address): void {
    this.#local.delete(address);
  }

  /** Listens for calls, and calls the nodes that this one has to call. Rejects if the port is taken. */
  async start(): Promise<void> {
    const { node, links } = this.#options;
    this.#server = await listen({ ...this.#endpoint(), host: node.host, port: node.port });
    links.up(node.id, (from, to, message) => this.#local.get(to)?.receive(from, message));
    this.#callOthers();
    const { credentials } = this.#options;
    credentials.onChange(() => {
      const { keys, tls } = credentials;
      const peers = [...this.#peers.values()].map(({ peer }) => peer);
      for (const end of [this.#server, ...peers]) end?.renew({ keys, tls });
    });
  }

  /**
   * Adopts another epoch: calls nodes that are new or have moved, and ends connections to those that left. Connected
   * nodes are notified, and have some seconds to learn of the epoch themselves.
   */
  adopt(file: VaultFile): void {
    const node = file.nodes.find(({ id }) => id === this.#options.node.id);
    if (node === undefined) return;
    this.#known = readKnownNodes(file, node);
    if (this.#server === null) return;
    this.#callOthers();
    this.#server.tellEpoch();
    for (const { peer } of this.#peers.values()) peer.tellEpoch();
    if (this.#lateness !== null) clearTimeout(this.#lateness);
    this.#lateness = setTimeout(() => {
      this.#server?.refuseOlderEpochs();
      for (const { peer } of this.#peers.values()) peer.refuseOlderEpoch();
    }, LEARNT_WITHIN_MS);
  }

  #callOthers(): void {
    const { links } = this.#options;
    const { file, node } = this.#known;
    const called = file.nodes.filter((other) => calls(file, node, other) && !links.joins(other.id));
    for (const [nodeId, { peer, place }] of this.#peers) {
      if (called.some((other) => other.id === nodeId && nodeAddress(other) === place)) continue;
      this.#peers.delete(nodeId);
      void peer.close();
    }
    for (const other of called) {
      const { id: nodeId, host, port } = other;
      if (this.#peers.has(nodeId)) continue;
      const peer = connectTo({ ...this.#endpoint(), nodeId, host, port });
      this.#peers.set(nodeId, { peer, place: nodeAddress(other) });
    }
  }

  /** Each message is checked against the current epoch; `credentials` has the keys of the same epoch. */
  #endpoint(): EndpointOptions {
    const { observe, credentials, arePayloadsLent = false } = this.#options;
    return {
      identity: this.#identity(),
      keys: credentials.keys,
      tls: credentials.tls,
      authorise: this.#authorise(),
      epochOf: () => this.#known.file.epoch,
      receive: ({ from, to, message }: Received) => this.#local.get(to)?.receive(from, message),
      arePayloadsLent,
      observe,
    };
  }

  #identity(): NodeIdentity {
    const { file, node, bootId } = this.#options;
    return { clusterId: file.clusterId, nodeId: node.id, bootId };
  }

  #authorise() {
    const nobody: ReadonlySet<Address> = new Set();
    return authoriseByRole({
      addressesOf: (nodeId) => this.#known.addressesByNodeId.get(nodeId) ?? nobody,
      isServed: (address) => this.#local.has(address),
    });
  }

  send(from: Address, to: Address, message: Message): void {
    const local = this.#local.get(to);
    if (local) {
      queueMicrotask(() => local.receive(from, message));
      return;
    }
    const nodeId = this.#known.nodeIdByAddress.get(to);
    if (nodeId === undefined) return;
    const { links } = this.#options;
    if (links.joins(nodeId)) {
      links.send(nodeId, from, to, message);
      return;
    }
    const peer = this.#peers.get(nodeId)?.peer;
    if (peer) peer.send({ from, to, message });
    else this.#server?.send(nodeId, { from, to, message });
  }

  /** Returns true if a message to this address would be sent at once. */
  canReach(to: Address): boolean {
    const nodeId = this.#known.nodeIdByAddress.get(to);
    if (this.#local.has(to)) return true;
    if (nodeId === undefined) return false;
    const { links } = this.#options;
    if (links.joins(nodeId)) return links.isUp(nodeId);
    return this.#peers.get(nodeId)?.peer.isConnected ?? this.#server?.nodeIds().includes(nodeId) ?? false;
  }

  /** Returns the ids of connected nodes, including those of this process. */
  connectedNodeIds(): string[] {
    const { links } = this.#options;
    const { file, node } = this.#known;
    const talksTo = (other: VaultNode): boolean => calls(file, node, other) || calls(file, other, node);
    const here = file.nodes.filter((other) => links.isUp(other.id) && talksTo(other));
    const called = [...this.#peers.values()].map(({ peer }) => peer).filter(({ isConnected }) => isConnected);
    return [
      ...here.map(({ id }) => id),
      ...called.map(({ nodeId }) => nodeId),
      ...(this.#server?.nodeIds() ?? []),
    ];
  }

  snapshots(): TransportSnapshot[] {
    const all = [...this.#peers.values()].map(({ peer }) => peer.snapshot());
    return this.#server === null ? all : [...all, this.#server.snapshot()];
  }

  async close(): Promise<void> {
    if (this.#lateness !== null) clearTimeout(this.#lateness);
    this.#options.links.down(this.#options.node.id);
    await Promise.all([...this.#peers.values()].map(({ peer }) => peer.close()));
    await this.#server?.close();
  }
}

function readKnownNodes(file: VaultFile, node: VaultNode): KnownNodes {
  const addressesByNodeId = new Map(
    file.nodes.map((other) => [other.id, new Set(nodeAddresses(file, other))] as const),
  );
  const nodeIdByAddress = new Map(
    [...addressesByNodeId].flatMap(([nodeId, addresses]) =>
      [...addresses].map((address) => [address, nodeId] as const),
    ),
  );
  return { file, node, nodeIdByAddress, addressesByNodeId };
}

const nodeAddress = ({ host, port, publicKey }: VaultNode): string => `${host}:${port} ${publicKey}`;
