/**
 * Finds the record that a key means. A log may hold millions, of which few are in use at a time: the others *rest* as
 * rows of numbers, found by a table of open addressing, because an object and a text for each took most of the time and
 * the memory of a start. A record wakes, and is an `Entry`, when its key is requested, and rests again after that.
 */
import assert from "node:assert/strict";
import { RECORD_ALIGN_BYTES } from "./format.ts";
import { KEY_WORDS, keyOfWords, recordKeyWord } from "./record-key.ts";
import { Entry, type Segment } from "./segment.ts";

/** A record that recovery has read whole, and of which the log holds no other copy. */
export interface RestingRecord {
  /** Words of the keys, in sequence. */
  readonly words: Uint32Array;
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: number;
  readonly lsn: number;
  /** Number under which recovery stored the record's data. */
  readonly number: number;
}

const NO_COPIES: readonly number[] = [];
const ROWS_AT_FIRST = 1024;
const NOT_FOUND = -1;
/** Size of a row that is free; 0 is that of a record that is awake. */
const FREE = 0xffffffff;

export class RecordIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #segments: readonly Segment[];
  #rows = new Rows(ROWS_AT_FIRST);
  /** Rows that were ever used. */
  #rowCount = 0;
  readonly #freeRows: number[] = [];
  #restingCount = 0;
  /** Every entry was once a row. */
  #haveAllRows = true;
  /** One more than a row, at its hash or after it; 0 for an empty slot. */
  #table = new Int32Array(2 * ROWS_AT_FIRST);
  readonly #words = new Uint32Array(KEY_WORDS);

  /** `segments` by their slots. */
  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
  }

  get size(): number {
    return this.#entries.size + this.#restingCount;
  }

  /** Rows that take memory. */
  get rowCount(): number {
    return this.#rowCount;
  }

  has(key: string): boolean {
    return this.#entries.has(key) || this.#restingRow(key) !== NOT_FOUND;
  }

  get(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    if (entry !== undefined) return entry;
    const row = this.#restingRow(key);
    return row === NOT_FOUND ? undefined : this.#wake(row);
  }

  /** The key's earlier record is awake by now, because its replacement required a lookup. */
  set(key: string, entry: Entry): void {
    const row = this.#rowOf(key);
    const isResting = row !== NOT_FOUND && (this.#rows.sizes[row] as number) > 0;
    assert(!isResting, "A record that rests is not replaced unseen.");
    this.#haveAllRows &&= row !== NOT_FOUND;
    this.#entries.set(key, entry);
  }

  /** Deletes a record that is awake, with its row. */
  delete(key: string): void {
    if (!this.#entries.delete(key)) return;
    const place = this.#placeOfKey(key);
    const row = (this.#table[place] as number) - 1;
    if (row === NOT_FOUND) return;
    this.#freePlace(place);
    this.#rows.sizes[row] = FREE;
    this.#freeRows.push(row);
  }

  /** False if the log knows the key already; the caller then looks up its record. */
  rest(record: RestingRecord): boolean {
    const { words, segment, offset, bytes, lsn, number } = record;
    if (!this.#haveAllRows && this.#entries.has(keyOfWords(words, 0))) return false;
    this.#reserve();
    const place = this.#placeOf(words);
    if (this.#table[place] !== 0) return false;
    segment.cells.push(this.#fill(this.#newRow(words, place), { segment, offset, bytes, lsn, number }));
    return true;
  }

  /** Has a record rest again to whose entry nothing else refers. */
  restAgain(entry: Entry): void {
    const { key, segment, offset } = entry;
    const { cells } = segment;
    const at = this.#indexOfCell(cells, offset);
    assert(this.#entries.get(key) === entry && cells[at] === entry, "A record rests in its own place.");
    this.#reserve();
    const place = this.#placeOfKey(key);
    const known = (this.#table[place] as number) - 1;
    const row = known === NOT_FOUND ? this.#newRow(this.#words, place) : known;
    cells[at] = this.#fill(row, entry);
    this.#entries.delete(key);
  }

  /** Makes space for a row. */
  #reserve(): void {
    if (2 * (this.#rowCount + 1) > this.#table.length) this.#grow();
  }

  /** The row of a key at its free position in the table. */
  #newRow(words: Uint32Array, place: number): number {
    const row = this.#freeRows.pop() ?? this.#rowCount++;
    this.#table[place] = row + 1;
    this.#rows.words.set(words, row * KEY_WORDS);
    return row;
  }

  #fill(row: number, { segment, offset, bytes, lsn, number }: Omit<RestingRecord, "words">): number {
    const rows = this.#rows;
    rows.offsets[row] = offset / RECORD_ALIGN_BYTES;
    rows.sizes[row] = bytes / RECORD_ALIGN_BYTES;
    rows.lsns[row] = lsn;
    rows.slots[row] = segment.slot;
    rows.numbers[row] = number;
    this.#restingCount++;
    return row;
  }

  /** Moves later rows of the chain back, so that no search ends before them. */
  #freePlace(place: number): void {
    const table = this.#table;
    const mask = table.length - 1;
    let hole = place;
    for (let at = (place + 1) & mask; table[at] !== 0; at = (at + 1) & mask) {
      const home = hashKey(this.#rows.words, ((table[at] as number) - 1) * KEY_WORDS) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      table[hole] = table[at] as number;
      hole = at;
    }
    table[hole] = 0;
  }

  /** All records of the segment, awake. */
  entriesOf({ cells }: Segment): Entry[] {
    return cells.map((cell) => {
      const isResting = typeof cell === "number";
      return isResting ? this.#wake(cell) : cell;
    });
  }

  /** The record of a cell; a resting one keeps resting, and the result is a copy that the index does not mean. */
  look(cell: Entry | number): Entry {
    return typeof cell === "number" ? this.#entryOf(cell) : cell;
  }

  /** Returns true if a key means the record of this cell. */
  isMeant(cell: Entry | number): boolean {
    return typeof cell === "number" || this.#entries.get(cell.key) === cell;
  }

  /** Bytes that compaction keeps of a cell. */
  keptBytesOf(cell: Entry | number): number {
    if (typeof cell === "number") return (this.#rows.sizes[cell] as number) * RECORD_ALIGN_BYTES;
    return cell.isKept ? cell.bytes : 0;
  }

  /** Number under which recovery stored the record's data. */
  numberOf(cell: Entry | number): number {
    return typeof cell === "number" ? (this.#rows.numbers[cell] as number) : cell.number;
  }

  #restingRow(key: string): number {
    const row = this.#restingCount === 0 ? NOT_FOUND : this.#rowOf(key);
    return row !== NOT_FOUND && (this.#rows.sizes[row] as number) > 0 ? row : NOT_FOUND;
  }

  /** Finds the row of a record that rests or has rested. */
  #rowOf(key: string): number {
    return this.#rowCount === 0 ? NOT_FOUND : (this.#table[this.#placeOfKey(key)] as number) - 1;
  }

  #placeOfKey(key: string): number {
    for (let at = 0; at < KEY_WORDS; at++) this.#words[at] = recordKeyWord(key, at);
    return this.#placeOf(this.#words);
  }

  /** Position of this key's row in the table, resting or woken, or its free position. */
  #placeOf(words: Uint32Array): number {
    const table = this.#table;
    const mask = table.length - 1;
    const known = this.#rows.words;
    let place = hashKey(words, 0) & mask;
    for (let row = table[place] as number; row !== 0; row = table[place] as number) {
      const start = (row - 1) * KEY_WORDS;
      let at = 0;
      while (at < KEY_WORDS && known[start + at] === words[at]) at++;
      if (at === KEY_WORDS) return place;
      place = (place + 1) & mask;
    }
    return place;
  }

  #grow(): void {
    this.#rows = this.#rows.larger();
    const table = new Int32Array(2 * this.#table.length);
    const mask = table.length - 1;
    for (let row = 0; row < this.#rowCount; row++) {
      if (this.#rows.sizes[row] === FREE) continue;
      let place = hashKey(this.#rows.words, row * KEY_WORDS) & mask;
      while (table[place] !== 0) place = (place + 1) & mask;
      table[place] = row + 1;
    }
    this.#table = table;
  }

  #entryOf(row: number): Entry {
    const { words, slots, offsets, sizes, lsns, numbers } = this.#rows;
    const key = keyOfWords(words, row * KEY_WORDS);
    const segment = this.#segments[slots[row] as number] as Segment;
    const offset = (offsets[row] as number) * RECORD_ALIGN_BYTES;
    const bytes = (sizes[row] as number) * RECORD_ALIGN_BYTES;
    const entry = new Entry(key, segment, offset, bytes, lsns[row] as number, NO_COPIES);
    entry.isReadable = true;
    entry.number = numbers[row] as number;
    return entry;
  }

  #wake(row: number): Entry {
    const entry = this.#entryOf(row);
    const { cells } = entry.segment;
    cells[this.#indexOfCell(cells, entry.offset)] = entry;
    this.#rows.sizes[row] = 0;
    this.#restingCount--;
    this.#entries.set(entry.key, entry);
    return entry;
  }

  /** Cells are in the order of their offsets. */
  #indexOfCell(cells: readonly (Entry | number)[], offset: number): number {
    let [low, high] = [0, cells.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const cell = cells[middle] as Entry | number;
      const isNumber = typeof cell === "number";
      const its = isNumber ? (this.#rows.offsets[cell] as number) * RECORD_ALIGN_BYTES : cell.offset;
      if (its < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Columns; a size of 0 marks a record as awake. */
class Rows {
  readonly words: Uint32Array;
  readonly offsets: Uint32Array;
  readonly sizes: Uint32Array;
  readonly lsns: Float64Array;
  readonly slots: Uint16Array;
  readonly numbers: Uint32Array;

  constructor(count: number) {
    this.words = new Uint32Array(count * KEY_WORDS);
    this.offsets = new Uint32Array(count);
    this.sizes = new Uint32Array(count);
    this.lsns = new Float64Array(count);
    this.slots = new Uint16Array(count);
    this.numbers = new Uint32Array(count);
  }

  larger(): Rows {
    const rows = new Rows(2 * this.sizes.length);
    rows.words.set(this.words);
    rows.offsets.set(this.offsets);
    rows.sizes.set(this.sizes);
    rows.lsns.set(this.lsns);
    rows.slots.set(this.slots);
    rows.numbers.set(this.numbers);
    return rows;
  }
}

/** The last step of MurmurHash3 over each word: upload ids are drawn at random, or made by counting in a test. */
function hashKey(words: Uint32Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + KEY_WORDS; at++) {
    hash = Math.imul(hash ^ (words[at] as number), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash;
}
