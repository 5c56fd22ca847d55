/** What recovery found, read from the shelf record by record when somebody asks: a log may hold millions. */
import type { RecordHeader } from "./format.ts";
import type { HeaderShelf } from "./record-header.ts";
import type { Entry } from "./segment.ts";

/** `key` is the very text that the log itself keeps, so that it costs nothing to keep it too. */
export interface RecoveredRecord extends RecordHeader {
  readonly key: string;
  /** Of what it says of its upload: records that differ in that have another hash, but for one in 2^32. */
  readonly uploadHash: number;
}

export class RecoveredRecords implements Iterable<RecoveredRecord> {
  readonly #entries: readonly Entry[];
  readonly #shelf: HeaderShelf;

  constructor(entries: readonly Entry[], shelf: HeaderShelf) {
    this.#entries = entries;
    this.#shelf = shelf;
  }

  get length(): number {
    return this.#entries.length;
  }

  *[Symbol.iterator](): Generator<RecoveredRecord> {
    for (const entry of this.#entries) yield this.#shelf.at(entry.shelfAt, entry.key);
  }

  get(key: string): RecoveredRecord | undefined {
    const entry = this.#entries.find((each) => each.key === key);
    return entry && this.#shelf.at(entry.shelfAt, key);
  }
}
