/** Several vaults in memory behind one endpoint, with coordinators that agree on epochs, on a manual clock. */
import { MemoryVault } from "../../space/testing/memory-vault.ts";
import { VaultError } from "../../vault/errors.ts";
import type { VaultVerbs } from "../../vault/verbs.ts";
import { BucketMarkers } from "../bucket-markers.ts";
import type { VaultView } from "../desired-weights.ts";
import { EpochFollower } from "../epoch-follower.ts";
import { currentEpoch, type EpochLedger, packLedger, parseLedger } from "../epoch-ledger.ts";
import { Leftovers } from "../leftovers.ts";
import { BOOK, EPOCHS } from "../records.ts";
import { spreadVault } from "../spread-vault.ts";
import { WriteGate } from "../write-gate.ts";

const GIB = 2 ** 30;
export const CAPACITY_GIB = 100;

/** Thrown by everything that a killed coordinator does. */
class Killed extends Error {}

/** A coordinator's crash before or after one of its writes, given the number of writes before that. */
interface Death {
  writesBefore: number;
  readonly isAfter: boolean;
}

export interface MemoryCoordinator {
  readonly id: string;
  readonly keeper: EpochFollower;
  readonly turns: WriteGate;
  readonly leftovers: Leftovers;
  readonly verbs: VaultVerbs;
  isDead: boolean;
  death: Death | null;
}

export class MemoryEndpoint {
  readonly vaults: readonly MemoryVault[];
  /** Unreachable vaults. */
  readonly away = new Set<number>();
  /** Vaults without space for new records. */
  readonly full = new Set<number>();
  readonly freeGib: number[];
  readonly #changedMs: number[];
  readonly #copies = new Map<string, Uint8Array>();
  readonly #coordinatorIds: readonly string[];
  #lastRead: { readonly bytes: Buffer; readonly book: EpochLedger } | null = null;
  readonly coordinators = new Map<string, MemoryCoordinator>();
  nowMs = 1_000_000_000;

  constructor({ vaultCount, coordinatorIds }: { vaultCount: number; coordinatorIds: readonly string[] }) {
    this.vaults = Array.from({ length: vaultCount }, () => new MemoryVault());
    this.freeGib = this.vaults.map(() => CAPACITY_GIB / 2);
    this.#changedMs = this.vaults.map(() => 0);
    this.#coordinatorIds = coordinatorIds;
    for (const [index, vault] of this.vaults.entries()) {
      vault.before = async (verb, bucket, key) => {
        if (this.away.has(index)) throw new VaultError("unavailable");
        const isNew = verb === "put" && !bucket.startsWith(".") && !vault.keysIn(bucket).includes(key);
        if (this.full.has(index) && isNew) throw new VaultError("full");
      };
    }
  }

  get members(): { id: string; name: string }[] {
    return this.vaults.map((_, at) => ({ id: `vault-${at}`, name: `v${at}` }));
  }

  leave(vault: number): void {
    if (!this.away.has(vault)) this.#changedMs[vault] = this.nowMs;
    this.away.add(vault);
  }

  comeBack(vault: number): void {
    if (this.away.delete(vault)) this.#changedMs[vault] = this.nowMs;
  }

  #views(): VaultView[] {
    return this.vaults.map((_, vault) => ({
      isReachable: !this.away.has(vault),
      sinceMs: this.nowMs - (this.#changedMs[vault] as number),
      freeBytes: this.full.has(vault) ? 0 : (this.freeGib[vault] as number) * GIB,
      capacityBytes: CAPACITY_GIB * GIB,
    }));
  }

  /** Starts the coordinator; after a crash it begins with its stored copy of the ledger. */
  async start(id: string): Promise<MemoryCoordinator> {
    const turns = new WriteGate({ patienceMs: 0 });
    const state = { id, turns, isDead: false, death: null as Death | null };
    const vaults = this.vaults.map((vault) => mortal(vault, state));
    const [first] = vaults as [VaultVerbs];
    const nowMs = () => this.nowMs;
    const keeper = new EpochFollower({
      first,
      vaults: this.members,
      coordinatorId: id,
      coordinatorIds: () => this.#coordinatorIds,
      turns,
      views: () => this.#views(),
      isRefused: () => false,
      timing: { closeAfterMs: 5000, restMs: 30_000, withdrawAfterMs: 10_000 },
      copy: {
        read: async () => {
          const bytes = this.#copies.get(id);
          return bytes === undefined ? null : parseLedger(bytes);
        },
        write: (book) => writing(state, async () => void this.#copies.set(id, packLedger(book))),
      },
      wallMs: nowMs,
      nowMs,
      logger: { warn: () => {} },
      wait: async (ms) => {
        this.nowMs += ms;
        for (const other of this.coordinators.values()) if (other.id !== id) await this.turn(other);
      },
    });
    const markers = new BucketMarkers(vaults, () => true);
    // Versions in memory are ordered by a counter, so all are old.
    const rests = { graceMs: 0, walkEveryMs: 0, isBusy: () => false };
    const leftovers = new Leftovers({ vaults, turns, markers, nowMs, ...rests });
    const mayHaveLeftovers = leftovers.add.bind(leftovers);
    const passOver = (vault: number) => keeper.passOver(vault);
    const mayBeTakenOver = () => false;
    const wait = async () => {};
    const verbs = spreadVault({
      vaults,
      turns,
      markers,
      mayHaveLeftovers,
      passOver,
      mayBeTakenOver,
      nowMs,
      wait,
    });
    await keeper.start();
    const coordinator = Object.assign(state, { keeper, leftovers, verbs });
    this.coordinators.set(id, coordinator);
    return coordinator;
  }

  /** Lets a coordinator check the ledger and the vaults once. */
  async turn(coordinator: MemoryCoordinator): Promise<void> {
    await quietly(coordinator.keeper.turn());
    await quietly(coordinator.leftovers.turn());
  }

  async turnAll(count = 1): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      for (const coordinator of this.coordinators.values()) await this.turn(coordinator);
    }
  }

  /** Bytes of the ledger's record, even while its vault is unreachable. */
  async bookBytes(): Promise<Buffer> {
    const isAway = this.away.delete(0);
    const found = await this.vaults[0]?.get(EPOCHS, BOOK);
    if (isAway) this.away.add(0);
    return Buffer.concat(found?.parts ?? []);
  }

  /** Parses a record of the ledger only once, because tests check it often. */
  async book(): Promise<EpochLedger> {
    const bytes = await this.bookBytes();
    if (this.#lastRead === null || !bytes.equals(this.#lastRead.bytes)) {
      this.#lastRead = { bytes, book: parseLedger(bytes) };
    }
    return this.#lastRead.book;
  }

  async writeBook(book: EpochLedger): Promise<void> {
    const record = { bucket: EPOCHS, key: BOOK, bytes: packLedger(book), etag: crypto.randomUUID() };
    const how = { requestId: null };
    await this.vaults[0]?.put({ ...record, contentType: "", metadata: {} }, { type: "none" }, how);
  }

  /** True if the vault gets new keys. */
  async isOpen(vault: number): Promise<boolean> {
    return (currentEpoch(await this.book()).weights[vault] ?? 0) > 0;
  }
}

/** Tolerates refusals by vaults and crashes; any other error is a bug. */
export async function quietly(work: Promise<unknown>): Promise<"done" | "refused" | "killed"> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof VaultError) return "refused";
    if (error instanceof Killed) return "killed";
    throw error;
  }
}

type Mortal = Pick<MemoryCoordinator, "isDead" | "death">;

/** The vault as a coordinator reaches it until it is killed. */
function mortal(vault: VaultVerbs, state: Mortal): VaultVerbs {
  const alive = <Result>(read: () => Promise<Result>): Promise<Result> =>
    state.isDead ? Promise.reject(new Killed()) : read();
  return {
    head: (...args) => alive(() => vault.head(...args)),
    get: (...args) => alive(() => vault.get(...args)),
    list: (...args) => alive(() => vault.list(...args)),
    put: (...args) => writing(state, () => vault.put(...args)),
    delete: (...args) => writing(state, () => vault.delete(...args)),
  };
}

async function writing<Result>(state: Mortal, write: () => Promise<Result>): Promise<Result> {
  const { death } = state;
  if (death !== null) death.writesBefore -= 1;
  const isLast = death !== null && death.writesBefore < 0;
  if (isLast && !death.isAfter) state.isDead = true;
  if (state.isDead) throw new Killed();
  const result = await write();
  if (isLast) state.isDead = true;
  if (state.isDead) throw new Killed();
  return result;
}
