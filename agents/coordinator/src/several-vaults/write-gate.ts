/**
 * Lets writes of client keys begin by the present epoch, and holds back those of keys that the next one moves, from the
 * moment at which this coordinator agrees to it until it has begun or was withdrawn.
 */
import { VaultError } from "../vault/errors.ts";
import { currentEpoch, type EpochLedger, withProposal } from "./epoch-ledger.ts";
import { type KeyName, type Segment, segmentsOf } from "./placement.ts";

export interface GatedWrite {
  /** The number of the epoch by which the key is written. */
  readonly epoch: number;
  readonly segments: readonly Segment[];
  end(): void;
}

export class WriteGate {
  readonly #open = new Set<{ readonly generation: number }>();
  readonly #drained = new Set<() => void>();
  readonly #freed = new Set<() => void>();
  readonly #patienceMs: number;
  #book: EpochLedger | null = null;
  /** The book with the epoch to which this coordinator has agreed, or tried to. */
  #agreed: EpochLedger | null = null;
  #generation = 0;

  /** `patienceMs`: how long a write waits for an epoch to begin. */
  constructor({ patienceMs }: { readonly patienceMs: number }) {
    this.#patienceMs = patienceMs;
  }

  /** Null until the first book is known. */
  get book(): EpochLedger | null {
    return this.#book;
  }

  /**
   * Vaults that may hold the key. From the moment of an agreement on, others may write by the next epoch. Throws a
   * VaultError while no book is known.
   */
  segments(name: KeyName): readonly Segment[] {
    return segmentsOf(this.#agreed ?? this.#known(), name);
  }

  #known(): EpochLedger {
    if (this.#book === null) throw new VaultError("unavailable");
    return this.#book;
  }

  /** Rejects with a VaultError if the key moves and its epoch does not begin in time. */
  async begin(name: KeyName): Promise<GatedWrite> {
    if (this.#isMoving(name)) await this.#freedWithin();
    if (this.#isMoving(name)) throw new VaultError("unavailable");
    const book = this.#known();
    const open = { generation: this.#generation };
    this.#open.add(open);
    return {
      epoch: currentEpoch(book).number,
      segments: this.segments(name),
      end: () => {
        this.#open.delete(open);
        for (const look of [...this.#drained]) look();
      },
    };
  }

  #isMoving(name: KeyName): boolean {
    if (this.#agreed === null || this.#book === null) return false;
    return segmentsOf(this.#book, name)[0]?.vault !== segmentsOf(this.#agreed, name)[0]?.vault;
  }

  #freedWithin(): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        clearTimeout(timer);
        this.#freed.delete(over);
        resolve();
      };
      const timer = setTimeout(over, this.#patienceMs);
      this.#freed.add(over);
    });
  }

  /** Holds back the keys that the book's proposal moves; resolves when the writes that were under way have ended. */
  async hold(book: EpochLedger): Promise<void> {
    this.#agreed = withProposal(book);
    this.#generation += 1;
    const generation = this.#generation;
    const isDrained = (): boolean => [...this.#open].every((open) => open.generation >= generation);
    if (isDrained()) return;
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isDrained()) return;
        this.#drained.delete(look);
        resolve();
      };
      this.#drained.add(look);
    });
  }

  get isHolding(): boolean {
    return this.#agreed !== null;
  }

  /** Goes on by this book, with nothing held back. */
  follow(book: EpochLedger): void {
    this.#book = book;
    this.#agreed = null;
    for (const over of [...this.#freed]) over();
  }
}
