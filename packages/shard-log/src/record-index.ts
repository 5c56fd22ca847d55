/**
 * Finds the record that a key refers to. A log may hold millions of records, of which few are in use at a time. Each
 * has a row of numbers in pages of limited memory; a record with only a row *rests*. A record that is about to change
 * wakes, and an `Entry` represents it until it rests again.
 *
 * A page that cannot be read interrupts any call, which may leave the index half changed. The log then fails
 * (`Volume.interrupted`), and its next opening builds another index.
 */
import assert from "node:assert/strict";
import { NOT_FOUND, OrderedTable, type PageMemory, type SavedTable } from "@stashlight/paged-memory";
import { DEAD } from "./cells.ts";
import { hashKey, KEY_WORDS, keyOfWords, recordKeyWord } from "./record-key.ts";
import { NO_SEAT, RecordRows, type SavedRows } from "./record-rows.ts";
import { Entry, type Segment } from "./segment.ts";

/** A record that recovery has read completely, and whose only copy in the log is this one. */
export interface RestingRecord {
  /** Words of the key. */
  readonly words: Uint32Array;
  readonly segment: Segment;
  readonly offset: number;
  readonly bytes: number;
  readonly lsn: number;
}

/** A record that is awake although nothing is in progress: it is damaged, or older copies of it are on the medium. */
export interface SavedEntry
  extends Pick<
    Entry,
    | "key"
    | "offset"
    | "bytes"
    | "lsn"
    | "olderCopies"
    | "row"
    | "cell"
    | "seat"
    | "isBad"
    | "isHeaderBad"
    | "isLossConfirmed"
  > {
  readonly slot: number;
}

/** State of an index apart from its pages. */
export interface SavedIndex {
  readonly rows: SavedRows;
  readonly table: SavedTable;
  readonly size: number;
  readonly seatCount: number;
  readonly awake: readonly SavedEntry[];
}

const NO_COPIES: readonly number[] = [];

export class RecordIndex {
  readonly #segments: readonly Segment[];
  readonly #memory: PageMemory;
  readonly #rows: RecordRows;
  /** Rows by the first words and the hashes of their keys. */
  #table: OrderedTable;
  /** Entries of the records that are awake, by their seats. */
  readonly #seats: (Entry | null)[] = [];
  readonly #freeSeats: number[] = [];
  #size = 0;
  /**
   * The key that was searched last, with its words, the first of them and its hash. Ids begin with their time, so the
   * first words of new keys are close together.
   */
  #key = "";
  readonly #words = new Uint32Array(KEY_WORDS);
  #order = 0;
  #hash = 0;
  readonly #isOfKey = (row: number): boolean => this.#rows.hasKey(row, this.#words);

  /** `segments[i]` is the segment in slot i. */
  constructor(segments: readonly Segment[], memory: PageMemory) {
    this.#segments = segments;
    this.#memory = memory;
    this.#rows = new RecordRows(memory);
    this.#table = new OrderedTable(memory);
  }

  /** Nothing may be in progress: each record that is awake is readable, and its key refers to it. */
  save(): SavedIndex {
    const awake = this.awakeEntries().map((entry): SavedEntry => {
      assert(entry.isMeant && entry.isReadable && entry.previous === null, "A record is saved at rest.");
      const { key, segment, offset, bytes, lsn, olderCopies, row, cell, seat } = entry;
      const { isBad, isHeaderBad, isLossConfirmed } = entry;
      const place = { key, slot: segment.slot, offset, bytes, lsn, olderCopies, row, cell, seat };
      return { ...place, isBad, isHeaderBad, isLossConfirmed };
    });
    const [rows, table] = [this.#rows.save(), this.#table.save()];
    return { rows, table, size: this.#size, seatCount: this.#seats.length, awake };
  }

  /** Continues an index whose pages the memory adopts before they are used. */
  restore({ rows, table, size, seatCount, awake }: SavedIndex): void {
    this.#rows.restore(rows);
    this.#table = new OrderedTable(this.#memory, table);
    this.#size = size;
    for (let seat = 0; seat < seatCount; seat++) this.#seats.push(null);
    for (const saved of awake) {
      const { key, slot, offset, bytes, lsn, olderCopies } = saved;
      const entry = new Entry(key, this.#segments[slot] as Segment, offset, bytes, lsn, olderCopies);
      const { row, cell, seat, isBad, isHeaderBad, isLossConfirmed } = saved;
      Object.assign(entry, { row, cell, seat, isBad, isHeaderBad, isLossConfirmed });
      entry.isReadable = true;
      entry.isMeant = true;
      this.#seats[seat] = entry;
    }
    for (let seat = 0; seat < seatCount; seat++) if (this.#seats[seat] === null) this.#freeSeats.push(seat);
  }

  /** Number of keys. */
  get size(): number {
    return this.#size;
  }

  /** Number of records that are objects on the heap. */
  get awakeCount(): number {
    return this.#seats.length - this.#freeSeats.length;
  }

  has(key: string): boolean {
    this.#memory.relax();
    return this.#rowOf(key) !== NOT_FOUND;
  }

  /** Returns the record of a key, awake. */
  get(key: string): Entry | undefined {
    this.#memory.relax();
    const row = this.#rowOf(key);
    return row === NOT_FOUND ? undefined : (this.#seated(row) ?? this.#wake(row, key));
  }

  /** Returns the record of a key; a resting one keeps resting, and the result is a copy that does not change. */
  look(key: string): Entry | undefined {
    this.#memory.relax();
    const row = this.#rowOf(key);
    return row === NOT_FOUND ? undefined : (this.#seated(row) ?? this.#entryOf(row, key));
  }

  /** Enters the record that its key refers to from now on. The record that it replaces, if any, must be awake. */
  add(entry: Entry): void {
    this.#memory.relax();
    const known = this.#rowOf(entry.key);
    const row = this.#enter(entry);
    entry.isMeant = true;
    if (known === NOT_FOUND) {
      this.#table.add(this.#order, this.#hash, row);
      this.#size++;
    } else {
      const previous = this.#seated(known);
      assert(previous !== null, "A record must be awake before it is replaced.");
      previous.isMeant = false;
      this.#table.replace(this.#order, this.#hash, known, row);
    }
  }

  /** Enters a record that no key refers to, but that has to be kept for a while. */
  addDying(entry: Entry): void {
    this.#memory.relax();
    this.#readWords(entry.key);
    this.#enter(entry);
  }

  #enter(entry: Entry): number {
    const { segment, offset, bytes, lsn } = entry;
    const { cells, slot } = segment;
    const cell = cells.count;
    const row = this.#rows.add(this.#words, { slot, offset, bytes, lsn, cell });
    cells.add(row);
    this.#seat(entry, row, cell);
    return row;
  }

  #seat(entry: Entry, row: number, cell: number): void {
    const seat = this.#freeSeats.pop() ?? this.#seats.length;
    this.#seats[seat] = entry;
    entry.row = row;
    entry.cell = cell;
    entry.seat = seat;
    this.#rows.wake(row, seat);
  }

  /** Returns the entry of a record that is awake. */
  #seated(row: number): Entry | null {
    const seat = this.#rows.seatOf(row);
    return seat === NO_SEAT ? null : (this.#seats[seat] as Entry);
  }

  #freeSeat({ seat }: Entry): void {
    this.#seats[seat] = null;
    this.#freeSeats.push(seat);
  }

  /** Removes a record's key; the record stays until it is dropped. */
  forget(entry: Entry): void {
    assert(entry.isMeant, "Only a record to which its key refers is forgotten.");
    this.#memory.relax();
    this.#readWords(entry.key);
    entry.isMeant = false;
    this.#table.remove(this.#order, this.#hash, entry.row);
    this.#size--;
  }

  /** Removes a record that no key refers to. */
  drop(entry: Entry): void {
    this.#memory.relax();
    const { row, cell, seat, segment } = entry;
    assert(
      !entry.isMeant && this.#seats[seat] === entry,
      "A record is dropped only once its key refers to another.",
    );
    segment.cells.bury(cell);
    this.#freeSeat(entry);
    this.#rows.free(row);
  }

  /** Adds a resting record. Returns false if its key is already known; the caller then has to look up that record. */
  rest({ words, segment, offset, bytes, lsn }: RestingRecord): boolean {
    this.#memory.relax();
    for (let word = 0; word < KEY_WORDS; word++) this.#words[word] = words[word] as number;
    this.#key = "";
    this.#order = words[0] as number;
    this.#hash = hashKey(words);
    if (this.#table.find(this.#order, this.#hash, this.#isOfKey) !== NOT_FOUND) return false;
    const { cells, slot } = segment;
    const row = this.#rows.add(words, { slot, offset, bytes, lsn, cell: cells.count });
    this.#table.add(this.#order, this.#hash, row);
    cells.add(row);
    this.#size++;
    return true;
  }

  /** Puts a record to rest; nothing else may refer to its entry. */
  restAgain(entry: Entry): void {
    assert(entry.isMeant, "Only a record to which its key refers can rest.");
    this.#memory.relax();
    this.#rows.rest(entry.row, entry.offset);
    entry.isMeant = false;
    this.#freeSeat(entry);
  }

  /** Entries of all records that are awake. */
  awakeEntries(): Entry[] {
    return this.#seats.filter((entry) => entry !== null);
  }

  /** Yields the records of the segment that have to be kept, each awake when its turn comes. */
  *keptEntries({ cells }: Segment): Generator<Entry> {
    for (let cell = 0; cell < cells.count; cell++) {
      this.#memory.relax();
      const row = cells.rowAt(cell);
      if (row !== DEAD) yield this.#seated(row) ?? this.#wake(row);
    }
  }

  /** Returns the record of a cell as `look` does; null if it is dead or dying. */
  lookAt({ cells }: Segment, cell: number): Entry | null {
    this.#memory.relax();
    const row = cells.rowAt(cell);
    if (row === DEAD) return null;
    const entry = this.#seated(row);
    if (entry === null) return this.#entryOf(row);
    return entry.isMeant ? entry : null;
  }

  /** Returns the entry of a record that is awake; null for one that rests or is dead. */
  awakeAt({ cells }: Segment, cell: number): Entry | null {
    this.#memory.relax();
    const row = cells.rowAt(cell);
    return row === DEAD ? null : this.#seated(row);
  }

  /** Bytes of the cell's record if compaction has to keep it; otherwise 0. */
  keptBytesAt({ cells }: Segment, cell: number): number {
    this.#memory.relax();
    const row = cells.rowAt(cell);
    return row === DEAD ? 0 : this.#rows.bytesOf(row);
  }

  #rowOf(key: string): number {
    this.#readWords(key);
    return this.#table.find(this.#order, this.#hash, this.#isOfKey);
  }

  #readWords(key: string): void {
    if (key === this.#key) return;
    for (let at = 0; at < KEY_WORDS; at++) this.#words[at] = recordKeyWord(key, at);
    this.#order = this.#words[0] as number;
    this.#hash = hashKey(this.#words);
    this.#key = key;
  }

  #entryOf(row: number, key = this.#keyOf(row)): Entry {
    const { slot, offset, bytes, lsn, cell } = this.#rows.placeOf(row);
    const entry = new Entry(key, this.#segments[slot] as Segment, offset, bytes, lsn, NO_COPIES);
    entry.cell = cell;
    entry.isReadable = true;
    return entry;
  }

  #keyOf(row: number): string {
    this.#rows.readKey(row, this.#words);
    this.#key = "";
    return keyOfWords(this.#words, 0);
  }

  #wake(row: number, key = this.#keyOf(row)): Entry {
    const entry = this.#entryOf(row, key);
    entry.isMeant = true;
    this.#seat(entry, row, entry.cell);
    return entry;
  }
}
