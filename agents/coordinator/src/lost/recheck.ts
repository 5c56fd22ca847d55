/**
 * Forgets lost objects that have been deleted or overwritten. Their pods drop the remains without asking again, so the
 * coordinator would otherwise list them for a quarter of an hour.
 */
import type { LostObject } from "@stashlight/write-path";
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";

export interface LostRecheckOptions {
  readonly vault: Pick<Vault, "head" | "lostObjects" | "forgetLost">;
  readonly everyMs: number;
}

/** Few enough not to slow down clients; the next round continues. */
const PER_ROUND_MAX = 50;

export class LostRecheck {
  readonly #options: LostRecheckOptions;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #lastChecked: string | null = null;

  constructor(options: LostRecheckOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#turn(), this.#options.everyMs);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  async #turn(): Promise<void> {
    await this.round();
    if (!this.#isStopped) this.start();
  }

  async round(): Promise<void> {
    const { vault } = this.#options;
    for (const { shortage } of this.#next(vault.lostObjects())) {
      if (this.#isStopped) return;
      const { bucket, key, uploadId } = shortage.upload;
      this.#lastChecked = uploadId;
      try {
        const present = await vault.head(bucket, key);
        if (present?.uploadId !== uploadId) vault.forgetLost(uploadId);
      } catch (error) {
        // A vault that cannot answer now proves nothing about the object.
        if (!(error instanceof VaultError)) throw error;
      }
    }
  }

  /** Sorts by id, starting after the one checked last. */
  #next(lost: readonly LostObject[]): LostObject[] {
    const last = this.#lastChecked;
    const inOrder = lost.toSorted((a, b) =>
      a.shortage.upload.uploadId < b.shortage.upload.uploadId ? -1 : 1,
    );
    const from = last === null ? 0 : inOrder.findIndex(({ shortage }) => shortage.upload.uploadId > last);
    const at = Math.max(from, 0);
    return [...inOrder.slice(at), ...inOrder.slice(0, at)].slice(0, PER_ROUND_MAX);
  }
}
