/**
 * Holds on the large objects that this coordinator's requests read or write, so that no collector deletes their pieces
 * (timing.ts has the argument). Longer holds are named in one record, the coordinator's lease, which other coordinators
 * read, and which is stored again before they consider it stale. If the lease cannot be stored, reads continue without
 * its protection.
 */
import { hash, randomBytes } from "node:crypto";
import type { ObjectName } from "@stashlight/s3";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import type { SpaceTiming } from "./timing.ts";

/** An internal bucket; clients cannot name a bucket that begins with a dot. */
export const LEASES = ".leases";

/**
 * `read`: the bodies of one version of an object, by its upload id. `write`: one body that is in no list yet, by its
 * own id. `completion`: all parts of a multipart upload, by its upload id.
 */
export interface Held {
  readonly kind: "read" | "write" | "completion";
  readonly id: string;
}

export interface Hold {
  /** Records that the holder is making progress. */
  touch(): void;
  release(): void;
}

/** Holds by the hash of the object's name. */
export type HeldByName = ReadonlyMap<string, Iterable<Held>>;

interface OpenHold {
  readonly nameHash: string;
  readonly held: Held;
  readonly sinceMs: number;
  touchedMs: number;
}

/** Far more than the concurrent requests of a coordinator; a full lease is 400 kB. */
const HOLD_COUNT_MAX = 4096;

export interface HoldsOptions {
  readonly vault: VaultVerbs;
  readonly timing: SpaceTiming;
  readonly nowMs: () => number;
}

export class Holds {
  readonly leaseKey = randomBytes(16).toString("hex");
  readonly #options: HoldsOptions;
  readonly #open = new Set<OpenHold>();
  /** By body id. */
  readonly #writers = new Map<string, OpenHold>();
  #leased: { readonly text: string; readonly storedMs: number } | null = null;
  #mayHaveLease = false;
  #restUntilMs = Number.NEGATIVE_INFINITY;
  #isRefreshing = false;
  #leasedCount = 0;
  #failedLeaseCount = 0;
  #refusedCount = 0;

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /** Number of holds in the lease. */
  get leasedCount(): number {
    return this.#leasedCount;
  }

  /** Number of failed attempts to store the lease. */
  get failedLeaseCount(): number {
    return this.#failedLeaseCount;
  }

  /** Number of holds beyond the limit. */
  get refusedCount(): number {
    return this.#refusedCount;
  }

  /** At the limit a reader continues without a hold, and a writer is refused with a VaultError. */
  hold(name: ObjectName, held: Held): Hold {
    if (this.#open.size >= HOLD_COUNT_MAX) {
      this.#refusedCount += 1;
      if (held.kind !== "read") throw new VaultError("unavailable");
      return { touch: () => {}, release: () => {} };
    }
    const nowMs = this.#options.nowMs();
    const open = { nameHash: hashOfName(name), held, sinceMs: nowMs, touchedMs: nowMs };
    this.#open.add(open);
    if (held.kind === "write") this.#writers.set(held.id, open);
    return {
      touch: () => {
        open.touchedMs = this.#options.nowMs();
      },
      release: () => this.#release(open),
    };
  }

  #release(open: OpenHold): void {
    this.#open.delete(open);
    if (open.held.kind === "write") this.#writers.delete(open.held.id);
  }

  /** Holds of this coordinator's own requests. */
  byName(): HeldByName {
    const byName = new Map<string, Held[]>();
    for (const { nameHash, held } of this.#open) {
      const ofName = byName.get(nameHash);
      if (ofName === undefined) byName.set(nameHash, [held]);
      else ofName.push(held);
    }
    return byName;
  }

  /** True if a request of this coordinator writes the body and has not yet stored a list that names it. */
  isWriting(bodyId: string): boolean {
    return this.#writers.has(bodyId);
  }

  /** Ends the hold of a body's writer, because a list names the body or its request has failed. */
  endWriting(bodyId: string): void {
    const writer = this.#writers.get(bodyId);
    if (writer !== undefined) this.#release(writer);
  }

  /** Throws if the body's writer stalled for so long that its pieces may have been collected. */
  checkFresh(bodyId: string): void {
    const writer = this.#writers.get(bodyId);
    if (writer === undefined) return;
    const pausedMs = this.#options.nowMs() - writer.touchedMs;
    if (pausedMs > this.#options.timing.writerPauseMsMax) throw new VaultError("unavailable");
  }

  /** Stores the lease if it is due or has changed, and deletes it when it would be empty; called every round. */
  async refresh(): Promise<void> {
    if (this.#isRefreshing || this.#options.nowMs() < this.#restUntilMs) return;
    this.#isRefreshing = true;
    try {
      await this.#refresh();
    } catch {
      this.#failedLeaseCount += 1;
      this.#restUntilMs = this.#options.nowMs() + this.#options.timing.leaseAfterMs / 2;
    } finally {
      this.#isRefreshing = false;
    }
  }

  async #refresh(): Promise<void> {
    const { vault, timing } = this.#options;
    const nowMs = this.#options.nowMs();
    const lasting = [...this.#open].filter(({ sinceMs }) => nowMs - sinceMs >= timing.leaseAfterMs);
    if (lasting.length === 0) {
      this.#leasedCount = 0;
      this.#leased = null;
      if (this.#mayHaveLease) await vault.delete(LEASES, this.leaseKey);
      this.#mayHaveLease = false;
      return;
    }
    const text = JSON.stringify(lasting.map(nameOfHold).sort());
    const isDue = nowMs - (this.#leased?.storedMs ?? 0) >= timing.leaseRefreshMs;
    if (text === this.#leased?.text && !isDue) return;
    this.#mayHaveLease = true;
    const record = { bucket: LEASES, key: this.leaseKey, etag: "", contentType: "", metadata: {} };
    await vault.put({ ...record, bytes: Buffer.from(text) }, { type: "none" }, { requestId: null });
    this.#leased = { text, storedMs: nowMs };
    this.#leasedCount = lasting.length;
    // The lease shows every collector that these writers are alive.
    for (const hold of lasting) hold.touchedMs = Math.max(hold.touchedMs, nowMs);
  }
}

function nameOfHold({ nameHash, held: { kind, id } }: OpenHold): string {
  return [nameHash, kind, id].join("/");
}

export function hashOfName({ bucket, key }: ObjectName): string {
  return hash("sha256", `${bucket}/${key}`).slice(0, 32);
}

/** Parses the holds that a stored lease names. */
export function parseLease(bytes: Uint8Array): { readonly nameHash: string; readonly held: Held }[] {
  const names = JSON.parse(Buffer.from(bytes).toString()) as string[];
  return names.map((name) => {
    const [nameHash = "", kind, id = ""] = name.split("/");
    return { nameHash, held: { kind: kind as Held["kind"], id } };
  });
}
