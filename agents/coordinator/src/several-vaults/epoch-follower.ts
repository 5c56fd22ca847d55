/**
 * Tracks the epochs for this coordinator, and creates new ones: reads the ledger in the first vault, follows other
 * coordinators' proposals, and proposes what the vaults' space and reachability require (epoch-ledger.ts,
 * desired-weights.ts).
 *
 * An agreement is on the coordinator's own disk before it is in the ledger. So a coordinator can start without the
 * first vault: no epoch begins without its agreement.
 */
import type { UploadHeader } from "@stashlight/write-path";
import type { Logger } from "pino";
import { VaultError } from "../vault/errors.ts";
import type { VaultVerbs } from "../vault/verbs.ts";
import { type DesiredEpoch, desiredEpoch, type ReweightTiming, type VaultView } from "./desired-weights.ts";
import {
  agree,
  currentEpoch,
  type EpochLedger,
  firstLedger,
  isMergeable,
  isSeenByAll,
  merge,
  packLedger,
  parseLedger,
  propose,
  see,
  withCoordinators,
  withdraw,
  withVaults,
} from "./epoch-ledger.ts";
import { coordinatorsWithoutRecord } from "./ledger-readers.ts";
import { BOOK, EPOCHS } from "./records.ts";
import { conditionOn } from "./stored-etag.ts";
import type { WriteGate } from "./write-gate.ts";

export interface EpochFollowerOptions {
  /** The vault that holds the ledger's record. */
  readonly first: Pick<VaultVerbs, "head" | "get" | "put">;
  readonly vaults: readonly { readonly id: string; readonly name: string }[];
  readonly coordinatorId: string;
  /** All coordinators listed in the first vault's file. */
  readonly coordinatorIds: () => readonly string[];
  readonly turns: WriteGate;
  readonly views: () => readonly VaultView[];
  /** True if the vault does not belong behind this endpoint, so that its space does not count. */
  readonly isRefused: (vault: number) => boolean;
  readonly timing: ReweightTiming & {
    /** Time after which a coordinator withdraws a proposal that it agreed to and that has not become an epoch. */
    readonly withdrawAfterMs: number;
  };
  /** This coordinator's copy of the ledger. `write` resolves when the copy is durable. */
  readonly copy: {
    readonly read: () => Promise<EpochLedger | null>;
    readonly write: (book: EpochLedger) => Promise<void>;
  };
  readonly logger: Pick<Logger, "warn">;
  /** The wall clock, for times in the ledger, and a monotonic clock. */
  readonly wallMs: () => number;
  readonly nowMs: () => number;
  readonly wait: (durationMs: number) => Promise<unknown>;
}

interface ReadLedger {
  readonly book: EpochLedger;
  readonly header: UploadHeader | null;
}

const STEP_COUNT_MAX = 8;
const PASSED_OVER_EVERY_MS = 200;
/** Interval for checking whether coordinators that cannot read a merged ledger have been updated. */
const READERS_EVERY_MS = 10_000;

export class EpochFollower {
  readonly #options: EpochFollowerOptions;
  #read: ReadLedger | null = null;
  /** When this coordinator agreed to the current proposal, on the monotonic clock. */
  #agreedMs: number | null = null;
  /** Vaults that refused a write for lack of space. */
  readonly #full = new Set<number>();
  #trouble: string | null = null;
  /** Null until determined. */
  #mergeWaitsFor: readonly string[] | null = null;
  #readersAskedMs = Number.NEGATIVE_INFINITY;
  /** Serialises the rounds. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: EpochFollowerOptions) {
    this.#options = options;
  }

  /** Reason why these vaults cannot be served together; null if none is known. */
  get trouble(): string | null {
    return this.#trouble;
  }

  /** Coordinators of an earlier version, which prevent epochs from being merged. */
  get mergeWaitsFor(): readonly string[] {
    return this.#mergeWaitsFor ?? [];
  }

  /** Starts from the copy on this coordinator's disk, if there is one. */
  async start(): Promise<void> {
    const book = await this.#options.copy.read();
    if (book === null) return;
    await this.#hold(book);
  }

  /** Holds back the keys that a proposal moves, once this coordinator has agreed to it. */
  async #hold(book: EpochLedger): Promise<void> {
    const { turns, coordinatorId } = this.#options;
    turns.follow(book);
    if (book.proposal?.agreedBy.includes(coordinatorId)) await turns.hold(book);
  }

  /** Reads the ledger, and acts on it and on the state of the vaults. Rejects with a VaultError. */
  turn(): Promise<void> {
    const turn = this.#last.then(
      () => this.#turn(),
      () => this.#turn(),
    );
    this.#last = turn;
    return turn;
  }

  async #turn(): Promise<void> {
    await this.#refresh();
    for (let count = 0; count < STEP_COUNT_MAX; count += 1) {
      await this.#askReaders();
      const next = this.#next();
      if (next === null) return;
      await this.#change(next);
    }
  }

  /**
   * Marks the vault as full. Resolves with true when other vaults accept its keys, and with false if they have no space
   * either; rejects with a VaultError if that is unknown, or if the other coordinators do not follow in time.
   */
  async passOver(vault: number): Promise<boolean> {
    const { views, isRefused, timing, wait, nowMs } = this.#options;
    const mayTake = (index: number) => index !== vault && !this.#full.has(index) && !isRefused(index);
    const others = views().filter((_, index) => mayTake(index));
    const mayHaveRoom = others.some(({ isReachable, freeBytes }) => isReachable && freeBytes > 0);
    if (!mayHaveRoom) return refusedBy(others);
    this.#full.add(vault);
    for (
      const untilMs = nowMs() + timing.withdrawAfterMs;
      nowMs() < untilMs;
      await wait(PASSED_OVER_EVERY_MS)
    ) {
      await this.turn();
      const { book } = this.#options.turns;
      if (book !== null && (currentEpoch(book).weights[vault] ?? 0) === 0) return true;
      if (this.#read?.book.proposal === null && this.#next() === null) {
        // The other vaults are too full to receive more keys in any epoch.
        this.#full.delete(vault);
        return refusedBy(others);
      }
    }
    throw new VaultError("unavailable");
  }

  async #refresh(): Promise<void> {
    const { first } = this.#options;
    const header = await first.head(EPOCHS, BOOK);
    const isKnown = this.#read !== null && this.#read.header?.etag === header?.etag;
    if (isKnown && !this.#options.turns.isHolding) return;
    if (header === null) {
      this.#read = { book: this.#firstBook(), header };
      return;
    }
    const found = await first.get(EPOCHS, BOOK);
    if (found === null) throw new VaultError("unavailable");
    await this.#follow({ book: parseLedger(Buffer.concat(found.parts)), header: found.upload });
  }

  #firstBook(): EpochLedger {
    const { vaults, coordinatorIds, wallMs } = this.#options;
    const [first] = vaults as [EpochFollowerOptions["vaults"][number]];
    return firstLedger(first, coordinatorIds(), wallMs());
  }

  async #follow(read: ReadLedger): Promise<void> {
    const { turns, copy, coordinatorId } = this.#options;
    this.#trouble = troubleWith(read.book, this.#options.vaults);
    if (this.#trouble !== null) throw new VaultError("unavailable");
    const hasAgreed = read.book.proposal?.agreedBy.includes(coordinatorId) === true;
    if (!hasAgreed) this.#agreedMs = null;
    this.#read = read;
    // An attempt to agree with an unknown outcome may still appear in the ledger later.
    if (!hasAgreed && turns.isHolding && isSameProposal(read.book, turns.book)) return;
    if (turns.book !== null && JSON.stringify(turns.book) === JSON.stringify(read.book)) return;
    await copy.write(read.book);
    if (hasAgreed) return await this.#hold(read.book);
    turns.follow(read.book);
  }

  async #askReaders(): Promise<void> {
    const { first, coordinatorId, nowMs } = this.#options;
    const { book, header } = this.#read as ReadLedger;
    if (header === null || !isMergeable(book)) {
      this.#mergeWaitsFor = null;
      return;
    }
    const isAsked = this.#mergeWaitsFor !== null && nowMs() - this.#readersAskedMs < READERS_EVERY_MS;
    if (isAsked) return;
    this.#mergeWaitsFor = await coordinatorsWithoutRecord(first, coordinatorId, book.coordinatorIds);
    this.#readersAskedMs = nowMs();
  }

  /** The ledger after this coordinator's next step; null if there is none. */
  #next(): EpochLedger | null {
    const { coordinatorId, vaults, coordinatorIds, views, timing, wallMs, nowMs } = this.#options;
    const { book, header } = this.#read as ReadLedger;
    const joined = withCoordinators(withVaults(book, vaults), coordinatorIds());
    if (joined !== book || header === null) return joined;
    const { proposal } = book;
    if (proposal === null) {
      if (isMergeable(book) && this.#mergeWaitsFor?.length === 0) return merge(book);
      const wish = desiredEpoch(book, this.#viewsWithFull(views()), timing, wallMs());
      return wish === null ? null : propose(book, wish satisfies DesiredEpoch, wallMs());
    }
    if (!proposal.seenBy.includes(coordinatorId)) return see(book, coordinatorId);
    if (!isSeenByAll(book)) return null;
    if (!proposal.agreedBy.includes(coordinatorId)) return agree(book, coordinatorId, wallMs());
    this.#agreedMs ??= nowMs();
    return nowMs() - this.#agreedMs > timing.withdrawAfterMs ? withdraw(book) : null;
  }

  /** A vault that has refused a write counts as full until it has much space again. */
  #viewsWithFull(views: readonly VaultView[]): VaultView[] {
    return views.map((view, vault) => {
      const isOpen = (currentEpoch((this.#read as ReadLedger).book).weights[vault] ?? 0) > 0;
      if (!isOpen) this.#full.delete(vault);
      return this.#full.has(vault) ? { ...view, freeBytes: 0 } : view;
    });
  }

  /**
   * Replaces the ledger with a conditional write. Before this coordinator agrees, it waits until no write that the new
   * epoch forbids is in progress; if the outcome of the ledger's write is unknown, keys stay held back until the ledger
   * shows it.
   */
  async #change(book: EpochLedger): Promise<void> {
    const { first, turns, copy, coordinatorId, logger } = this.#options;
    const { book: before, header } = this.#read as ReadLedger;
    const isAgreement =
      before.proposal !== null && isSeenByAll(before) && !before.proposal.agreedBy.includes(coordinatorId);
    if (isAgreement) {
      await copy.write(agreedBy(before, coordinatorId));
      await turns.hold(before);
      this.#agreedMs = this.#options.nowMs();
    }
    const etag = `${currentEpoch(before).number}-${crypto.randomUUID()}`;
    const record = {
      bucket: EPOCHS,
      key: BOOK,
      etag,
      contentType: "",
      metadata: {},
      bytes: packLedger(book),
    };
    try {
      // The epoch that passes over a full vault must be written even if that vault is the first.
      const how = { requestId: null, isPatient: true, isVital: true };
      const { upload } = await first.put(record, conditionOn(header), how);
      if (header === null) {
        const vaults = book.vaults.map(({ name }) => name);
        logger.warn({ vaults }, "the first vault had no ledger of epochs, so all keys are in that vault");
      }
      await this.#follow({ book, header: upload });
    } catch (error) {
      if (!(error instanceof VaultError) || error.code === "unavailable") throw error;
      // Another coordinator was faster.
      this.#read = null;
      await this.#refresh();
    }
  }
}

/** An unreachable vault may have space, so the client should retry. */
function refusedBy(others: readonly VaultView[]): false {
  if (others.every(({ isReachable }) => isReachable)) return false;
  throw new VaultError("unavailable");
}

/** The copy for the disk, from which a restart knows that the coordinator has agreed, or is about to. */
function agreedBy(book: EpochLedger, coordinatorId: string): EpochLedger {
  if (book.proposal === null) return book;
  return { ...book, proposal: { ...book.proposal, agreedBy: [...book.proposal.agreedBy, coordinatorId] } };
}

function isSameProposal({ proposal }: EpochLedger, held: EpochLedger | null): boolean {
  const other = held?.proposal;
  if (proposal === null || other == null) return false;
  return proposal.sinceMs === other.sinceMs && String(proposal.weights) === String(other.weights);
}

/** A vault keeps its index forever, so the files must be listed in the order in which the vaults joined. */
function troubleWith({ vaults }: EpochLedger, given: EpochFollowerOptions["vaults"]): string | null {
  const isSame = vaults.every(({ id }, at) => given[at]?.id === id);
  if (isSame) return null;
  const names = vaults.map(({ name }) => name).join(", ");
  return `The vaults ${names} are behind this endpoint; start the coordinator with their files in this order, followed by those of new vaults.`;
}
