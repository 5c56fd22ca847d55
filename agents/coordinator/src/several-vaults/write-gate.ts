/**
 * Starts writes of client keys in the current epoch. Holds back those of keys that the next epoch moves, from this
 * coordinator's agreement until the epoch has begun or was withdrawn.
 */
import { VaultError } from "../vault/errors.ts";
import { currentEpoch, type EpochLedger, withProposal } from "./epoch-ledger.ts";
import { type KeyName, type Segment, segmentsOf } from "./placement.ts";

export interface GatedWrite {
  /** Number of the epoch in which the key is written. */
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
  /** The ledger with the epoch to which this coordinator has agreed, or tried to. */
  #agreed: EpochLedger | null = null;
  #generation = 0;

  /** `patienceMs` is the time for which a write waits for an epoch to begin. */
  constructor({ patienceMs }: { readonly patienceMs: number }) {
    this.#patienceMs = patienceMs;
  }

  /** Null until the first ledger is known. */
  get book(): EpochLedger | null {
    return this.#book;
  }

  /**
   * Returns the segments of vaults that may hold the key. After an agreement others may already write by the next
   * epoch. Throws a VaultError while no ledger is known.
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

  /** Holds back the keys that the proposal moves; resolves when writes in progress have ended. */
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

  /** Continues with this ledger, and holds nothing back. */
  follow(book: EpochLedger): void {
    this.#book = book;
    this.#agreed = null;
    for (const over of [...this.#freed]) over();
  }
}
