/**
 * Rows of numbers in pages, one for each record that a log holds: the place of the record or, if an `Entry` represents
 * it, the seat of that entry. A page whose rows are all free is freed.
 */
import { PAGE_WORDS, type Page, type PageMemory } from "@stashlight/paged-memory";
import { RECORD_ALIGN_BYTES } from "./format.ts";
import { KEY_WORDS } from "./record-key.ts";

/** Place of a record, as stored in its row. */
export interface RowPlace {
  readonly slot: number;
  readonly offset: number;
  readonly bytes: number;
  readonly lsn: number;
  /** Index among the cells of its segment. */
  readonly cell: number;
}

/** State of rows apart from their pages. */
export interface SavedRows {
  readonly pages: Int32Array;
  readonly open: Int32Array;
}

/** Seat of a record that rests. */
export const NO_SEAT = -1;

/** Words of the upload id; after them come the shard index, with the slot in its upper bits, and the place. */
const ID_WORDS = KEY_WORDS - 1;
const SHARD_AND_SLOT = ID_WORDS;
/** Offset in units of the alignment of records; the seat of a record that is awake. */
const OFFSET_OR_SEAT = 5;
/** Size of a record in units of its alignment; the highest bit marks a record as awake. */
const SIZE = 6;
const LSN_LOW = 7;
const LSN_HIGH = 8;
const CELL = 9;
const ROW_WORDS = 10;
/** In a free row: the index of the next free row of its page plus one. */
const NEXT_FREE = 0;
const AWAKE = 0x80000000;
const SIZE_BITS = 0x7fffffff;
const TWO_32 = 2 ** 32;

/** At the end of a page: the number of its rows in use, and the number of rows used so far. */
const USED_COUNT = PAGE_WORDS - 1;
const EVER_COUNT = PAGE_WORDS - 2;
/** Index of the row of a page that became free last, plus one; 0 if there is none. */
const FIRST_FREE = PAGE_WORDS - 3;
const ROWS_PER_PAGE = Math.floor(FIRST_FREE / ROW_WORDS);
/** Bits of a row's number that are its index in its page; the others are the index of the page. */
const INDEX_BITS = Math.ceil(Math.log2(ROWS_PER_PAGE));
const INDEX_MASK = 2 ** INDEX_BITS - 1;
const NO_PAGE = -1;

const wordsBefore = (row: number): number => (row & INDEX_MASK) * ROW_WORDS;

export class RecordRows {
  readonly #memory: PageMemory;
  readonly #pages: Page[] = [];
  /** Indices of the pages that have a free row, or were freed. */
  readonly #open: number[] = [];

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  save(): SavedRows {
    return { pages: Int32Array.from(this.#pages), open: Int32Array.from(this.#open) };
  }

  restore({ pages, open }: SavedRows): void {
    for (const page of pages) this.#pages.push(page);
    for (const index of open) this.#open.push(index);
  }

  /** Creates the row of a record that rests. */
  add(words: Uint32Array, { slot, offset, bytes, lsn, cell }: RowPlace): number {
    const index = this.#openIndex();
    const rows = this.#memory.change(this.#pages[index] as Page).words;
    const row = (index << INDEX_BITS) | this.#take(rows);
    const at = wordsBefore(row);
    for (let word = 0; word < ID_WORDS; word++) rows[at + word] = words[word] as number;
    rows[at + SHARD_AND_SLOT] = (words[SHARD_AND_SLOT] as number) | (slot << 16);
    rows[at + OFFSET_OR_SEAT] = offset / RECORD_ALIGN_BYTES;
    rows[at + SIZE] = bytes / RECORD_ALIGN_BYTES;
    rows[at + LSN_LOW] = lsn % TWO_32;
    rows[at + LSN_HIGH] = lsn / TWO_32;
    rows[at + CELL] = cell;
    return row;
  }

  /** Returns the index of a page that has a free row. */
  #openIndex(): number {
    if (this.#open.length === 0) this.#open.push(this.#pages.push(NO_PAGE) - 1);
    const index = this.#open[this.#open.length - 1] as number;
    if (this.#pages[index] === NO_PAGE) this.#pages[index] = this.#memory.allocate();
    return index;
  }

  /** Takes a free row of the last open page; returns its index in the page. */
  #take(rows: Uint32Array): number {
    let index = (rows[FIRST_FREE] as number) - 1;
    if (index >= 0) rows[FIRST_FREE] = rows[index * ROW_WORDS + NEXT_FREE] as number;
    else {
      index = rows[EVER_COUNT] as number;
      rows[EVER_COUNT] = index + 1;
    }
    const usedCount = (rows[USED_COUNT] as number) + 1;
    rows[USED_COUNT] = usedCount;
    if (usedCount === ROWS_PER_PAGE) this.#open.pop();
    return index;
  }

  free(row: number): void {
    const index = row >>> INDEX_BITS;
    const page = this.#pages[index] as Page;
    const { words } = this.#memory.change(page);
    const usedCount = (words[USED_COUNT] as number) - 1;
    if (usedCount === ROWS_PER_PAGE - 1) this.#open.push(index);
    words[USED_COUNT] = usedCount;
    words[wordsBefore(row) + NEXT_FREE] = words[FIRST_FREE] as number;
    words[FIRST_FREE] = (row & INDEX_MASK) + 1;
    if (usedCount > 0) return;
    this.#pages[index] = NO_PAGE;
    this.#memory.free(page);
  }

  /** Notes the seat of a record that wakes. */
  wake(row: number, seat: number): void {
    const rows = this.#change(row);
    const at = wordsBefore(row);
    rows[at + OFFSET_OR_SEAT] = seat;
    rows[at + SIZE] = (rows[at + SIZE] as number) | AWAKE;
  }

  rest(row: number, offset: number): void {
    const rows = this.#change(row);
    const at = wordsBefore(row);
    rows[at + OFFSET_OR_SEAT] = offset / RECORD_ALIGN_BYTES;
    rows[at + SIZE] = (rows[at + SIZE] as number) & SIZE_BITS;
  }

  /** Returns the seat of a record that is awake, or NO_SEAT. */
  seatOf(row: number): number {
    const rows = this.#look(row);
    const at = wordsBefore(row);
    return (rows[at + SIZE] as number) >= AWAKE ? (rows[at + OFFSET_OR_SEAT] as number) : NO_SEAT;
  }

  bytesOf(row: number): number {
    return ((this.#look(row)[wordsBefore(row) + SIZE] as number) & SIZE_BITS) * RECORD_ALIGN_BYTES;
  }

  /** Returns the place of a record that rests. */
  placeOf(row: number): RowPlace {
    const rows = this.#look(row);
    const at = wordsBefore(row);
    return {
      slot: (rows[at + SHARD_AND_SLOT] as number) >>> 16,
      offset: (rows[at + OFFSET_OR_SEAT] as number) * RECORD_ALIGN_BYTES,
      bytes: ((rows[at + SIZE] as number) & SIZE_BITS) * RECORD_ALIGN_BYTES,
      lsn: (rows[at + LSN_HIGH] as number) * TWO_32 + (rows[at + LSN_LOW] as number),
      cell: rows[at + CELL] as number,
    };
  }

  /** Returns true if the row is of the record with this key. */
  hasKey(row: number, words: Uint32Array): boolean {
    const rows = this.#look(row);
    const at = wordsBefore(row);
    for (let word = 0; word < ID_WORDS; word++) if (rows[at + word] !== words[word]) return false;
    return ((rows[at + SHARD_AND_SLOT] as number) & 0xffff) === words[SHARD_AND_SLOT];
  }

  /** Writes the words of the record's key. */
  readKey(row: number, words: Uint32Array): void {
    const rows = this.#look(row);
    const at = wordsBefore(row);
    for (let word = 0; word < ID_WORDS; word++) words[word] = rows[at + word] as number;
    words[SHARD_AND_SLOT] = (rows[at + SHARD_AND_SLOT] as number) & 0xffff;
  }

  #look(row: number): Uint32Array {
    return this.#memory.look(this.#pages[row >>> INDEX_BITS] as Page).words;
  }

  #change(row: number): Uint32Array {
    return this.#memory.change(this.#pages[row >>> INDEX_BITS] as Page).words;
  }
}
