/**
 * Forgets lost objects that have been deleted or overwritten. Their pods drop the remains without asking again, so the
 * coordinator would otherwise list them for a quarter of an hour. A new one is listed only once the vault still shows
 * it: after a restart, pods ask about objects whose deletion they had not yet written.
 */
import type { LostObject } from "@stashlight/write-path";
import { VaultError } from "../vault/errors.ts";
import type { Vault } from "../vault/vault.ts";

export interface LostRecheckOptions {
  readonly vault: Pick<Vault, "head" | "lostObjects" | "forgetLost">;
  readonly everyMs: number;
  /** Clock in which `sinceMs` is measured. */
  readonly nowMs: () => number;
}

const CONFIRM_EVERY_MS = 1_000;
/** Age at which an object is listed even if the vault cannot answer whether it still exists. */
const LISTED_ANYWAY_MS = 10_000;
/** Few enough not to slow down clients; the next round continues. */
const PER_ROUND_MAX = 50;

export class LostRecheck {
  readonly #options: LostRecheckOptions;
  readonly #confirmed = new Set<string>();
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  #lastChecked: string | null = null;
  #roundAtMs: number;

  constructor(options: LostRecheckOptions) {
    this.#options = options;
    this.#roundAtMs = options.nowMs() + options.everyMs;
  }

  start(): void {
    const waitMs = Math.min(CONFIRM_EVERY_MS, this.#options.everyMs);
    this.#timer = setTimeout(() => void this.#turn(), waitMs);
  }

  stop(): void {
    this.#isStopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Lost objects that still exist, or whose existence has been unknown for a while. */
  listed(): LostObject[] {
    const { vault, nowMs } = this.#options;
    const anywayMs = nowMs() - LISTED_ANYWAY_MS;
    return vault
      .lostObjects()
      .filter(({ shortage, sinceMs }) => this.#isConfirmed(shortage) || sinceMs <= anywayMs);
  }

  async #turn(): Promise<void> {
    const { nowMs, everyMs } = this.#options;
    if (nowMs() < this.#roundAtMs) await this.confirm();
    else {
      await this.round();
      this.#roundAtMs = nowMs() + everyMs;
    }
    if (!this.#isStopped) this.start();
  }

  /** Checks objects that were found since the last round. */
  async confirm(): Promise<void> {
    const isNew = ({ shortage }: LostObject) => !this.#isConfirmed(shortage);
    await this.#check(this.#options.vault.lostObjects().filter(isNew).slice(0, PER_ROUND_MAX));
  }

  async round(): Promise<void> {
    const lost = this.#options.vault.lostObjects();
    const ids = new Set(lost.map(({ shortage }) => shortage.upload.uploadId));
    for (const id of this.#confirmed) if (!ids.has(id)) this.#confirmed.delete(id);
    for (const each of this.#next(lost)) {
      this.#lastChecked = each.shortage.upload.uploadId;
      await this.#check([each]);
    }
  }

  #isConfirmed({ upload }: LostObject["shortage"]): boolean {
    return this.#confirmed.has(upload.uploadId);
  }

  async #check(objects: readonly LostObject[]): Promise<void> {
    const { vault } = this.#options;
    for (const { shortage } of objects) {
      if (this.#isStopped) return;
      const { bucket, key, uploadId } = shortage.upload;
      try {
        const present = await vault.head(bucket, key);
        if (present?.uploadId === uploadId) this.#confirmed.add(uploadId);
        else vault.forgetLost(uploadId);
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
