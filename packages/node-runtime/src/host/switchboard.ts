/**
 * Where messages go: to a machine of this node, to a node of this process, or over the connection to the node that has
 * the address. A message that cannot be delivered is lost, which every machine reckons with.
 */
import {
  authoriseByRole,
  connectTo,
  listen,
  type NodeIdentity,
  type Peer,
  type Received,
  type TransportEvent,
  type TransportServer,
  type TransportSnapshot,
} from "@stashlight/transport";
import type { Address, Message } from "@stashlight/write-path";
import { addressesOf, calls, type VaultFile, type VaultNode } from "../config/index.ts";
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
  /** To the other nodes of this process. */
  readonly links: ProcessLinks;
  /** No receiver of this node keeps a payload beyond its call of `receive`. */
  readonly arePayloadsLent?: boolean;
  readonly observe: (event: TransportEvent) => void;
}

export class Switchboard {
  readonly #options: SwitchboardOptions;
  readonly #local = new Map<Address, Receiver>();
  readonly #nodeIdByAddress = new Map<Address, string>();
  readonly #peers = new Map<string, Peer>();
  #server: TransportServer | null = null;

  constructor(options: SwitchboardOptions) {
    this.#options = options;
    for (const other of options.file.nodes) {
      for (const address of addressesOf(options.file, other)) this.#nodeIdByAddress.set(address, other.id);
    }
  }

  /** From here on messages to this address are its receiver's. */
  connect(address: Address, receiver: Receiver): void {
    this.#local.set(address, receiver);
  }

  /** Waits for calls, and calls those nodes that this one is to call. Rejects when the port is taken. */
  async start(): Promise<void> {
    const { file, node, links, observe, credentials, arePayloadsLent = false } = this.#options;
    const common = {
      identity: this.#identity(),
      keys: credentials.keys,
      tls: credentials.tls,
      authorise: this.#authorise(),
      receive: ({ from, to, message }: Received) => this.#local.get(to)?.receive(from, message),
      arePayloadsLent,
      observe,
    };
    this.#server = await listen({ ...common, host: node.host, port: node.port });
    links.up(node.id, (from, to, message) => this.#local.get(to)?.receive(from, message));
    for (const other of file.nodes) {
      if (!calls(file, node, other) || links.joins(other.id)) continue;
      const { id: nodeId, host, port } = other;
      this.#peers.set(nodeId, connectTo({ ...common, nodeId, host, port }));
    }
    credentials.onChange(() => {
      const { keys, tls } = credentials;
      for (const end of [this.#server, ...this.#peers.values()]) end?.renew({ keys, tls });
    });
  }

  #identity(): NodeIdentity {
    const { file, node, bootId } = this.#options;
    return { clusterId: file.clusterId, nodeId: node.id, bootId };
  }

  #authorise() {
    const { file } = this.#options;
    const byNode = new Map(file.nodes.map((other) => [other.id, new Set(addressesOf(file, other))]));
    const nobody: ReadonlySet<Address> = new Set();
    return authoriseByRole({
      addressesOf: (nodeId) => byNode.get(nodeId) ?? nobody,
      isServed: (address) => this.#local.has(address),
    });
  }

  send(from: Address, to: Address, message: Message): void {
    const local = this.#local.get(to);
    if (local) {
      queueMicrotask(() => local.receive(from, message));
      return;
    }
    const nodeId = this.#nodeIdByAddress.get(to);
    if (nodeId === undefined) return;
    const { links } = this.#options;
    if (links.joins(nodeId)) {
      links.send(nodeId, from, to, message);
      return;
    }
    const peer = this.#peers.get(nodeId);
    if (peer) peer.send({ from, to, message });
    else this.#server?.send(nodeId, { from, to, message });
  }

  /** Whether a message to this address would be on its way at once. */
  canReach(to: Address): boolean {
    const nodeId = this.#nodeIdByAddress.get(to);
    if (this.#local.has(to)) return true;
    if (nodeId === undefined) return false;
    const { links } = this.#options;
    if (links.joins(nodeId)) return links.isUp(nodeId);
    return this.#peers.get(nodeId)?.isConnected ?? this.#server?.nodeIds().includes(nodeId) ?? false;
  }

  /** Nodes that this one has a connection with, those of this process among them. */
  connectedNodeIds(): string[] {
    const { file, node, links } = this.#options;
    const talksTo = (other: VaultNode): boolean => calls(file, node, other) || calls(file, other, node);
    const here = file.nodes.filter((other) => links.isUp(other.id) && talksTo(other));
    const called = [...this.#peers.values()].filter(({ isConnected }) => isConnected);
    return [
      ...here.map(({ id }) => id),
      ...called.map(({ nodeId }) => nodeId),
      ...(this.#server?.nodeIds() ?? []),
    ];
  }

  snapshots(): TransportSnapshot[] {
    const all = [...this.#peers.values()].map((peer) => peer.snapshot());
    return this.#server === null ? all : [...all, this.#server.snapshot()];
  }

  async close(): Promise<void> {
    this.#options.links.down(this.#options.node.id);
    await Promise.all([...this.#peers.values()].map((peer) => peer.close()));
    await this.#server?.close();
  }
}
