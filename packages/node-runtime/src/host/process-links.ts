import type { Address, Message } from "@stashlight/write-path";

/** Delivers a message to an address of the node. */
export type Deliver = (from: Address, to: Address, message: Message) => void;

interface Waiting {
  readonly nodeId: string;
  readonly from: Address;
  readonly to: Address;
  readonly message: Message;
}

/**
 * Limit on messages for a node that has not started, equal to the transport's limit on messages without a connection.
 */
const EARLY_COUNT_MAX = 16_384;

/**
 * The links between nodes that share a process. Messages are passed by reference and in order, after the current step
 * of the sender. Those for a node that has not started wait until it has: some are sent once, at startup, and not again
 * for half a minute. Messages for a node that has stopped are lost, as on a network.
 */
export class ProcessLinks {
  /** Messages that wait for each node to start; null once it has started. */
  readonly #early: Map<string, Waiting[] | null>;
  readonly #started = new Map<string, Deliver>();
  #waiting: Waiting[] = [];

  /** `nodeIds` contains all nodes of the process. */
  constructor(nodeIds: readonly string[]) {
    this.#early = new Map(nodeIds.map((id) => [id, []]));
  }

  /** Returns true if the node shares this process, so that no connection to it is needed. */
  joins(nodeId: string): boolean {
    return this.#early.has(nodeId);
  }

  isUp(nodeId: string): boolean {
    return this.#started.has(nodeId);
  }

  up(nodeId: string, deliver: Deliver): void {
    this.#started.set(nodeId, deliver);
    const early = this.#early.get(nodeId) ?? [];
    this.#early.set(nodeId, null);
    for (const waiting of early) this.#push(waiting);
  }

  down(nodeId: string): void {
    this.#started.delete(nodeId);
  }

  send(nodeId: string, from: Address, to: Address, message: Message): void {
    const early = this.#early.get(nodeId) ?? null;
    const waiting = { nodeId, from, to, message };
    if (early === null) this.#push(waiting);
    else if (early.length < EARLY_COUNT_MAX) early.push(waiting);
  }

  #push(waiting: Waiting): void {
    this.#waiting.push(waiting);
    if (this.#waiting.length === 1) queueMicrotask(() => this.#deliver());
  }

  /** Messages sent during delivery are delivered in the next microtask. */
  #deliver(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    for (const { nodeId, from, to, message } of messages) this.#started.get(nodeId)?.(from, to, message);
  }
}
