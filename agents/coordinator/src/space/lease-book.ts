/** Reads the leases of other coordinators, and separates live ones from stale ones. */
import type { UploadHeader } from "@stashlight/write-path";
import type { VaultVerbs } from "../vault/verbs.ts";
import { type Held, type HeldByName, LEASES, parseLease } from "./large-object-holds.ts";
import type { SpaceTiming } from "./timing.ts";

export interface LeaseBookOptions {
  readonly vault: VaultVerbs;
  readonly timing: SpaceTiming;
  readonly nowMs: () => number;
  /** Key of this coordinator's own lease, which is skipped because its holds are known directly. */
  readonly ownKey: string;
}

interface SeenLease {
  readonly order: string;
  readonly sinceMs: number;
  readonly holds: ReturnType<typeof parseLease>;
}

const PAGE_KEY_COUNT = 1000;

export class LeaseBook {
  readonly #options: LeaseBookOptions;
  #seen: ReadonlyMap<string, SeenLease> = new Map();

  constructor(options: LeaseBookOptions) {
    this.#options = options;
  }

  /**
   * Returns the holds in live leases, and deletes stale ones. Rejects with a VaultError, after which nothing may be
   * collected.
   */
  async read(): Promise<HeldByName> {
    const { vault, timing, nowMs, ownKey } = this.#options;
    const seen = new Map<string, SeenLease>();
    for (let after = ""; ; ) {
      const page = await vault.list(LEASES, { prefix: "", after, keyCountMax: PAGE_KEY_COUNT });
      for (const upload of page.uploads) {
        if (upload.key === ownKey) continue;
        const lease = await this.#look(upload);
        if (nowMs() - lease.sinceMs < timing.leaseStaleMs) seen.set(upload.key, lease);
        else await vault.delete(LEASES, upload.key);
      }
      if (!page.isTruncated) break;
      after = page.uploads.at(-1)?.key ?? after;
    }
    this.#seen = seen;
    return byNameOf(seen.values());
  }

  async #look({ key, order }: UploadHeader): Promise<SeenLease> {
    const before = this.#seen.get(key);
    if (before?.order === order) return before;
    const { vault, nowMs } = this.#options;
    const found = await vault.get(LEASES, key);
    const holds = found === null ? [] : parseLease(Buffer.concat(found.parts));
    return { order, sinceMs: nowMs(), holds };
  }
}

function byNameOf(leases: Iterable<SeenLease>): HeldByName {
  const byName = new Map<string, Held[]>();
  for (const { holds } of leases) {
    for (const { nameHash, held } of holds) {
      const ofName = byName.get(nameHash);
      if (ofName === undefined) byName.set(nameHash, [held]);
      else ofName.push(held);
    }
  }
  return byName;
}
