/**
 * Rows of numbers, one for each record that a log holds, in chunks outside V8's heap: the place of the record or, if
 * an `Entry` represents it, the seat of that entry. Rows are added chunk by chunk and reused, so that growth copies
 * nothing.
 */
import { RECORD_ALIGN_BYTES } from "./format.ts";
import { KEY_WORDS } from "./record-key.ts";

/** Place of a record, as its row keeps it. */
export interface RowPlace {
  readonly slot: number;
  readonly offset: number;
  readonly bytes: number;
  readonly lsn: number;
  /** Index among the cells of its segment. */
  readonly cell: number;
}

/** Seat of a record that rests. */
export const NO_SEAT = -1;

const CHUNK_ROWS = 2048;
const CHUNK_SHIFT = 11;
/** Words of the upload id; after them come the shard index, with the slot in its upper bits, and the place. */
const ID_WORDS = KEY_WORDS - 1;
const SHARD_AND_SLOT = ID_WORDS;
/** Offset in units of the alignment of records; the seat of a record that is awake. */
const OFFSET_OR_SEAT = 5;
/** Size of a record in units of its alignment, 0 for a free row; the highest bit marks a record as awake. */
const SIZE = 6;
const LSN_LOW = 7;
const LSN_HIGH = 8;
const CELL = 9;
const ROW_WORDS = 10;
/** In a free row: the next free row plus one. */
const NEXT_FREE = 0;
const AWAKE = 0x80000000;
const SIZE_BITS = 0x7fffffff;
const TWO_32 = 2 ** 32;

export class RecordRows {
  readonly #chunks: Uint32Array[] = [];
  /** Number of rows ever used, including those that are free again. */
  #count = 0;
  /** The row that became free last, plus one; 0 if there is none. */
  #firstFree = 0;

  /** Number of rows that take memory, free ones included. */
  get count(): number {
    return this.#count;
  }

  /** Creates the row of a record that rests. */
  add(words: Uint32Array, { slot, offset, bytes, lsn, cell }: RowPlace): number {
    const row = this.#take();
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    for (let word = 0; word < ID_WORDS; word++) chunk[at + word] = words[word] as number;
    chunk[at + SHARD_AND_SLOT] = (words[SHARD_AND_SLOT] as number) | (slot << 16);
    chunk[at + OFFSET_OR_SEAT] = offset / RECORD_ALIGN_BYTES;
    chunk[at + SIZE] = bytes / RECORD_ALIGN_BYTES;
    chunk[at + LSN_LOW] = lsn % TWO_32;
    chunk[at + LSN_HIGH] = lsn / TWO_32;
    chunk[at + CELL] = cell;
    return row;
  }

  #take(): number {
    const free = this.#firstFree - 1;
    if (free >= 0) {
      this.#firstFree = this.#word(free, NEXT_FREE);
      return free;
    }
    if (this.#count === this.#chunks.length * CHUNK_ROWS) {
      this.#chunks.push(new Uint32Array(CHUNK_ROWS * ROW_WORDS));
    }
    return this.#count++;
  }

  free(row: number): void {
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    chunk[at + SIZE] = 0;
    chunk[at + NEXT_FREE] = this.#firstFree;
    this.#firstFree = row + 1;
  }

  /** Notes the seat of a record that wakes. */
  wake(row: number, seat: number): void {
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    chunk[at + OFFSET_OR_SEAT] = seat;
    chunk[at + SIZE] = (chunk[at + SIZE] as number) | AWAKE;
  }

  rest(row: number, offset: number): void {
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    chunk[at + OFFSET_OR_SEAT] = offset / RECORD_ALIGN_BYTES;
    chunk[at + SIZE] = (chunk[at + SIZE] as number) & SIZE_BITS;
  }

  /** Returns the seat of a record that is awake, or NO_SEAT. */
  seatOf(row: number): number {
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    return (chunk[at + SIZE] as number) >= AWAKE ? (chunk[at + OFFSET_OR_SEAT] as number) : NO_SEAT;
  }

  bytesOf(row: number): number {
    return (this.#word(row, SIZE) & SIZE_BITS) * RECORD_ALIGN_BYTES;
  }

  cellOf(row: number): number {
    return this.#word(row, CELL);
  }

  lsnOf(row: number): number {
    return this.#word(row, LSN_HIGH) * TWO_32 + this.#word(row, LSN_LOW);
  }

  slotOf(row: number): number {
    return this.#word(row, SHARD_AND_SLOT) >>> 16;
  }

  /** Offset of a record that rests. */
  offsetOf(row: number): number {
    return this.#word(row, OFFSET_OR_SEAT) * RECORD_ALIGN_BYTES;
  }

  /** Returns true if the row is of the record with this key. */
  hasKey(row: number, words: Uint32Array): boolean {
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    for (let word = 0; word < ID_WORDS; word++) if (chunk[at + word] !== words[word]) return false;
    return ((chunk[at + SHARD_AND_SLOT] as number) & 0xffff) === words[SHARD_AND_SLOT];
  }

  /** Writes the words of the record's key. */
  readKey(row: number, words: Uint32Array): void {
    const chunk = this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array;
    const at = (row % CHUNK_ROWS) * ROW_WORDS;
    for (let word = 0; word < ID_WORDS; word++) words[word] = chunk[at + word] as number;
    words[SHARD_AND_SLOT] = (chunk[at + SHARD_AND_SLOT] as number) & 0xffff;
  }

  #word(row: number, word: number): number {
    return (this.#chunks[row >>> CHUNK_SHIFT] as Uint32Array)[
      (row % CHUNK_ROWS) * ROW_WORDS + word
    ] as number;
  }
}
