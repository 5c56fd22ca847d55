/**
 * Sends the vault's latest epoch to every node. A coordinator has the token of the admin pages, so it can read and
 * replace nodes' epochs, even on nodes that others ignore because their epoch is old. All coordinators do this, in any
 * order.
 */
import type { VaultEpochs } from "@stashlight/node-runtime";
import type { VaultNode } from "@stashlight/node-runtime/config";
import {
  type AdminAccess,
  type AskAdmin,
  announceEpoch,
  askEpoch,
  fetchEpoch,
} from "@stashlight/node-runtime/durability";

export interface EpochSpreaderOptions {
  readonly ownNodeId: string;
  readonly epochs: Pick<VaultEpochs, "current" | "file" | "take">;
  readonly access: AdminAccess;
  /** Called with the reason when a node refuses the epoch, or this node refuses a later one. */
  readonly onTrouble: (nodeId: string, sentence: string) => void;
  /** Uses HTTP by default. */
  readonly ask?: AskAdmin;
  readonly everyMs?: number;
}

/** Interval at which nodes that were down are notified; running nodes are notified at once. */
const EVERY_MS = 2000;

export class EpochSpreader {
  readonly #options: EpochSpreaderOptions;
  readonly #stopped = new AbortController();
  #next: NodeJS.Timeout | null = null;
  #isRunning = false;
  /** True if another round was requested during the current one. */
  #isAgain = false;

  constructor(options: EpochSpreaderOptions) {
    this.#options = options;
  }

  start(): void {
    this.#next = setInterval(() => void this.round(), this.#options.everyMs ?? EVERY_MS);
  }

  stop(): void {
    this.#stopped.abort();
    if (this.#next !== null) clearInterval(this.#next);
  }

  /** Notifies all nodes in parallel, so that they differ for as short a time as possible. */
  async round(): Promise<void> {
    if (this.#isRunning) {
      this.#isAgain = true;
      return;
    }
    this.#isRunning = true;
    const { epochs, ownNodeId } = this.#options;
    const others = epochs.file.nodes.filter(({ id }) => id !== ownNodeId);
    await Promise.all(others.map((node) => this.#bring(node)));
    this.#isRunning = false;
    if (!this.#isAgain || this.#stopped.signal.aborted) return;
    this.#isAgain = false;
    await this.round();
  }

  async #bring(node: VaultNode): Promise<void> {
    const { epochs, access, ask, onTrouble } = this.#options;
    const asking = { access, ask, signal: this.#stopped.signal };
    const epoch = await askEpoch(node, asking);
    if (epoch === null || epoch === epochs.current.epoch) return;
    if (epoch < epochs.current.epoch) {
      const told = await announceEpoch(node, epochs.current, asking);
      if (told.type === "refused") onTrouble(node.id, told.sentence);
      return;
    }
    // The vault may have changed while this coordinator was down.
    const later = await fetchEpoch(node, asking);
    if (later === null || this.#stopped.signal.aborted) return;
    try {
      epochs.take(later);
    } catch (error) {
      onTrouble(node.id, (error as Error).message);
    }
  }
}
