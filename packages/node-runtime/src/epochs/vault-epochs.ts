/**
 * The epoch of the vault that a process uses. A later one is written to the vault's file first, so that the process
 * also knows it after a crash, and is then passed to the nodes, which keep running.
 */
import {
  inEpoch,
  isSameEpoch,
  parseVaultEpoch,
  parseVaultFile,
  readRawVaultFile,
  toVaultEpoch,
  type VaultEpoch,
  type VaultFile,
  VaultFileError,
  type VaultNode,
  writeVaultFile,
} from "../config/index.ts";

/** A node of this process that adopts epochs. */
export interface EpochFollower {
  readonly nodeId: string;
  /** Throws a VaultFileError, before anything has changed, if the node cannot take part in that epoch. */
  check?(node: VaultNode): void;
  adopt(file: VaultFile, node: VaultNode): void;
}

export interface VaultEpochsOptions {
  readonly path: string;
  readonly file: VaultFile;
  /**
   * Called for a node of this process that is no longer part of the vault, or is now on another machine. The others
   * continue.
   */
  readonly dismissed: (nodeId: string, sentence: string) => void;
}

export class VaultEpochs {
  readonly #options: VaultEpochsOptions;
  readonly #followers = new Set<EpochFollower>();
  #file: VaultFile;
  #current: VaultEpoch;

  constructor(options: VaultEpochsOptions) {
    this.#options = options;
    this.#file = options.file;
    this.#current = toVaultEpoch(readRawVaultFile(options.path));
  }

  /** The vault's file with absolute paths. */
  get file(): VaultFile {
    return this.#file;
  }

  get current(): VaultEpoch {
    return this.#current;
  }

  /**
   * Passes epochs to the node until the returned function is called. Another epoch may come while a node starts, so it
   * names the file that it started with, and adopts the current one if that is different.
   */
  follow(follower: EpochFollower, begunWith: VaultFile): () => void {
    this.#followers.add(follower);
    if (this.#file !== begunWith) this.#tell(follower, begunWith);
    return () => void this.#followers.delete(follower);
  }

  /**
   * Adopts a later epoch, or the current one again. Throws a VaultFileError with the reason if it is refused; with
   * `isTrial` nothing changes in any case.
   */
  take(value: unknown, { isTrial = false } = {}): void {
    const next = parseVaultEpoch(value);
    if (!this.#isNews(next)) return;
    const { path } = this.#options;
    const written = readRawVaultFile(path);
    // Another process of this machine, which shares the file, has already written a later epoch.
    if (written.epoch > next.epoch) throw new VaultFileError(tooLate(written.epoch, next.epoch));
    const raw = inEpoch(written, next, path);
    const file = parseVaultFile(JSON.stringify(raw), path);
    for (const follower of this.#followers) {
      const node = findNode(file, follower.nodeId);
      if (node !== undefined) follower.check?.(node);
    }
    if (!isTrial) this.#adopt(raw, file, next);
  }

  #isNews(next: VaultEpoch): boolean {
    const { clusterId, epoch } = this.#current;
    if (next.clusterId !== clusterId) {
      throw new VaultFileError(
        `The epoch belongs to the vault ${next.clusterId}, but this node to ${clusterId}.`,
      );
    }
    if (next.epoch < epoch) {
      throw new VaultFileError(tooLate(epoch, next.epoch));
    }
    if (next.epoch > epoch) return true;
    if (isSameEpoch(next, this.#current)) return false;
    throw new VaultFileError(
      `Another change of the vault has become epoch ${epoch} meanwhile; check it, and run your command again.`,
    );
  }

  #adopt(raw: VaultFile, file: VaultFile, next: VaultEpoch): void {
    const { path } = this.#options;
    const before = this.#file;
    writeVaultFile(path, raw);
    this.#file = file;
    this.#current = next;
    for (const follower of [...this.#followers]) this.#tell(follower, before);
  }

  #tell(follower: EpochFollower, before: VaultFile): void {
    const { nodeId } = follower;
    const { dismissed } = this.#options;
    const file = this.#file;
    const [old, node] = [findNode(before, nodeId), findNode(file, nodeId)];
    if (node === undefined) dismissed(nodeId, describeDeparture(nodeId));
    else if (old !== undefined && isElsewhere(old, node))
      dismissed(nodeId, `Another machine has taken the place of the node ${nodeId}.`);
    else follower.adopt(file, node);
  }
}

export const describeDeparture = (nodeId: string): string =>
  `The node ${nodeId} is no longer part of the vault.`;

const tooLate = (inForce: number, given: number): string =>
  `Epoch ${inForce} is in force here, so epoch ${given} is too late.`;

const findNode = ({ nodes }: VaultFile, nodeId: string) => nodes.find(({ id }) => id === nodeId);

function isElsewhere(old: VaultNode, node: VaultNode): boolean {
  return node.publicKey !== old.publicKey || node.host !== old.host || node.port !== old.port;
}
