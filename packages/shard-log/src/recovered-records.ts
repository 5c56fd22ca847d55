/** What recovery found, read from the shelf record by record when somebody asks: a log may hold millions. */
import type { RecordHeader } from "./format.ts";
import type { HeaderShelf } from "./record-header.ts";
import type { RecordIndex } from "./record-index.ts";

/** What it says is read when it is asked for, `key` too. */
export interface RecoveredRecord extends RecordHeader {
  readonly key: string;
  /** Of what it says of its upload: records that differ in that have another hash, but for one in 2^32. */
  readonly uploadHash: number;
  /** Whether this key names a record of the same upload. */
  isOfUploadOf(key: string): boolean;
}

export class RecoveredRecords implements Iterable<RecoveredRecord> {
  readonly #places: readonly number[];
  readonly #shelf: HeaderShelf;
  readonly #index: RecordIndex;

  /** `places` are those on the shelf of the records that live and can be read. */
  constructor(places: readonly number[], shelf: HeaderShelf, index: RecordIndex) {
    this.#places = places;
    this.#shelf = shelf;
    this.#index = index;
  }

  get length(): number {
    return this.#places.length;
  }

  *[Symbol.iterator](): Generator<RecoveredRecord> {
    for (const place of this.#places) yield this.#shelf.at(place);
  }

  /** To be asked before the log is. */
  get(key: string): RecoveredRecord | undefined {
    const cell = this.#index.cellOf(key);
    if (cell === undefined || (typeof cell !== "number" && cell.isBad)) return undefined;
    return this.#shelf.at(this.#index.shelfAtOf(cell));
  }
}
