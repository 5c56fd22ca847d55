/**
 * A block of rows in the order of their names and, within a name, of their versions. A row stores only the part
 * of its name that differs from the row before it. The first row stores its whole name, so a block can be read on its
 * own.
 *
 *     rows | ... | chain 4 | used 31 bits, whether ascending 1 bit
 *
 * A block is a page, and is valid for one operation, as the page is. A row that is longer than a page is alone in its
 * block, whose page then has only the beginning of its chain (row-chain.ts).
 */
import assert from "node:assert/strict";
import { PAGE_BYTES, PAGE_WORDS, type Page, type PageMemory } from "@stashlight/paged-memory";
import { NameBuffer } from "./name-buffer.ts";
import {
  ID_AT,
  ID_BYTES,
  NAME_AT,
  nameNumbersBytes,
  type RowParts,
  rowLength,
  setRowLength,
  VERSION_AT,
  VERSION_BYTES,
} from "./row.ts";
import { freeChain, readChain, writeChain } from "./row-chain.ts";
import { VarintReader, writeVarint } from "./varint.ts";

const USED_WORD = PAGE_WORDS - 1;
const CHAIN_WORD = PAGE_WORDS - 2;
/** Bytes of rows in a page. */
export const BLOCK_BYTES_MAX = PAGE_BYTES - 8;
const ASCENDING = 0x8000_0000;

/** Offset of a row, or the offset at which it belongs. */
export interface Place {
  readonly at: number;
  /** Leading bytes of the name that are equal in the row before it. */
  readonly shared: number;
  /** Leading bytes of the next row's suffix that it then shares with this row. */
  readonly cut: number;
  /** Offset of the previous row; 0 if the search began after it. */
  readonly before: number;
}

/** The only position in an empty block. */
export const FIRST_PLACE: Place = { at: 0, shared: 0, cut: 0, before: 0 };

const reader = new VarintReader();

export class Block {
  readonly page: Page;
  /** For reads; `changed` returns the bytes to write to. */
  bytes: Buffer;
  private readonly memory: PageMemory;
  private readonly words: Uint32Array;

  constructor(memory: PageMemory, page: Page) {
    const { bytes, words } = memory.look(page);
    this.page = page;
    this.memory = memory;
    this.words = words;
    this.bytes = this.isChain ? readChain(memory, this.chain, this.used) : bytes;
  }

  static allocate(memory: PageMemory): Block {
    const block = new Block(memory, memory.allocate());
    block.isAscending = true;
    return block;
  }

  free(): void {
    if (this.isChain) freeChain(this.memory, this.chain, this.used);
    this.memory.free(this.page);
  }

  get used(): number {
    return (this.words[USED_WORD] as number) & ~ASCENDING;
  }

  /** True if the last inserted row went after all others. */
  get isAscending(): boolean {
    return (this.words[USED_WORD] as number) >= ASCENDING;
  }

  set isAscending(isAscending: boolean) {
    this.changed();
    this.words[USED_WORD] = isAscending ? this.used + ASCENDING : this.used;
  }

  /** True if the block is a single row that is longer than a page. */
  get isChain(): boolean {
    return this.used > BLOCK_BYTES_MAX;
  }

  private get chain(): Page {
    return this.words[CHAIN_WORD] as number;
  }

  /** Returns the bytes to change. */
  changed(): Buffer {
    this.memory.change(this.page);
    return this.bytes;
  }

  private setUsed(used: number): void {
    this.words[USED_WORD] = this.isAscending ? used + ASCENDING : used;
  }

  /** Returns true if the row at `at` is of this upload. */
  hasId(at: number, id: Buffer): boolean {
    return this.bytes.compare(id, 0, ID_BYTES, at + ID_AT, at + ID_AT + ID_BYTES) === 0;
  }

  /**
   * Finds the first row of this name or a higher one; with a version, the first row above this version.
   *
   * `shared` is the length of the prefix that the last row below has in common with the name. A row that shares more
   * with the row before it is below as well; a row that shares less is above.
   */
  seek(name: NameBuffer, version: Buffer | null): Place {
    return this.seekFrom(0, 0, name, version);
  }

  /** Seeks from this row on; null if its name is not lower than the sought one. */
  seekBehind(row: number, rowName: NameBuffer, name: NameBuffer, version: Buffer): Place | null {
    const shared = name.sharedLength(rowName);
    const isLower =
      shared < name.length &&
      (shared === rowName.length || (rowName.bytes[shared] as number) < (name.bytes[shared] as number));
    return isLower ? this.seekFrom(row + rowLength(this.bytes, row), shared, name, version) : null;
  }

  private seekFrom(start: number, sharedAtStart: number, name: NameBuffer, version: Buffer | null): Place {
    const { bytes, used } = this;
    const { bytes: wanted, length } = name;
    let [at, shared, before] = [start, sharedAtStart, 0];
    while (at < used) {
      reader.at = at + NAME_AT;
      const rowShared = reader.next(bytes);
      if (rowShared < shared) break;
      if (rowShared === shared) {
        const suffixLength = reader.next(bytes);
        const suffixAt = reader.at;
        const most = Math.min(suffixLength, length - shared);
        let same = 0;
        while (same < most && bytes[suffixAt + same] === wanted[shared + same]) same += 1;
        if (same === suffixLength && shared + same === length) {
          const isAbove = version === null || this.compareVersion(at, version) > 0;
          if (isAbove) return { at, shared, cut: same, before };
        } else if (same < suffixLength) {
          const isAbove =
            shared + same === length ||
            (bytes[suffixAt + same] as number) > (wanted[shared + same] as number);
          if (isAbove) return { at, shared, cut: same, before };
        }
        shared += same;
      }
      before = at;
      at += rowLength(bytes, at);
    }
    return { at, shared, cut: 0, before };
  }

  /** Returns true if the row that was found for a name has that name. */
  isNamed({ at, shared, cut }: Place, name: NameBuffer): boolean {
    if (at === this.used || shared + cut !== name.length) return false;
    reader.at = at + NAME_AT;
    reader.next(this.bytes);
    return reader.next(this.bytes) === cut;
  }

  /** Returns true if there is a row at `at`, and it has the same name as the row before it. */
  hasNameOfRowBefore(at: number): boolean {
    if (at === this.used) return false;
    reader.at = at + NAME_AT;
    reader.next(this.bytes);
    return reader.next(this.bytes) === 0;
  }

  /** Returns false if the rows would take more than `bytesMax`, unless the row is the only one. */
  insert(place: Place, name: NameBuffer, { head, tail }: RowParts, bytesMax: number): boolean {
    const { at, shared, cut } = place;
    const suffixLength = name.length - shared;
    const nameBytes = nameNumbersBytes(shared, suffixLength) + suffixLength;
    const length = NAME_AT + nameBytes + tail.length;
    const { used } = this;
    if (used > 0 && used + length > bytesMax) return false;
    this.isAscending = at === used;
    if (length > BLOCK_BYTES_MAX) this.bytes = Buffer.allocUnsafeSlow(length);
    if (cut > 0) this.shareMore(at, cut);
    this.resize(at, 0, length);
    const { bytes } = this;
    head.copy(bytes, at);
    setRowLength(bytes, at, length);
    let end = writeVarint(bytes, at + NAME_AT, shared);
    end = writeVarint(bytes, end, suffixLength);
    end += name.bytes.copy(bytes, end, shared, name.length);
    tail.copy(bytes, end);
    if (this.isChain) this.words[CHAIN_WORD] = writeChain(this.memory, bytes);
    return true;
  }

  /** Shortens the suffix of the row at `at` by `cut` bytes, which it now shares with the row before it. */
  private shareMore(at: number, cut: number): void {
    const { bytes } = this;
    const length = rowLength(bytes, at);
    reader.at = at + NAME_AT;
    const shared = reader.next(bytes);
    const suffixLength = reader.next(bytes);
    const end = reader.at + cut;
    const numbers = nameNumbersBytes(shared + cut, suffixLength - cut);
    this.resize(at + NAME_AT, end - at - NAME_AT, numbers);
    setRowLength(bytes, at, length - (end - at - NAME_AT) + numbers);
    writeVarint(bytes, writeVarint(bytes, at + NAME_AT, shared + cut), suffixLength - cut);
  }

  /** Removes a row. Bytes of its suffix that the next row shares move into the next row. */
  remove(at: number): void {
    const bytes = this.changed();
    const next = at + rowLength(bytes, at);
    if (next === this.used) {
      if (this.isChain) freeChain(this.memory, this.chain, this.used);
      this.setUsed(at);
      return;
    }
    reader.at = at + NAME_AT;
    const shared = reader.next(bytes);
    reader.next(bytes);
    const suffixAt = reader.at;
    const nextLength = rowLength(bytes, next);
    reader.at = next + NAME_AT;
    const nextShared = reader.next(bytes);
    const nextSuffixLength = reader.next(bytes);
    const nextSuffixAt = reader.at;
    const lost = Math.max(0, nextShared - shared);
    const numbers = nameNumbersBytes(nextShared - lost, nextSuffixLength + lost);
    const nameStart = Buffer.alloc(NAME_AT + numbers + lost);
    bytes.copy(nameStart, 0, next, next + NAME_AT);
    const kept = next + nextLength - nextSuffixAt;
    setRowLength(nameStart, 0, nameStart.length + kept);
    const end = writeVarint(
      nameStart,
      writeVarint(nameStart, NAME_AT, nextShared - lost),
      nextSuffixLength + lost,
    );
    bytes.copy(nameStart, end, suffixAt, suffixAt + lost);
    this.resize(at, nextSuffixAt - at, nameStart.length);
    nameStart.copy(bytes, at);
  }

  readVersion(at: number, version: Buffer): void {
    this.bytes.copy(version, 0, at + VERSION_AT, at + VERSION_AT + VERSION_BYTES);
  }

  /** Returns the offset of the row before the one at `at`, which must not be the first. */
  rowBefore(at: number): number {
    let row = 0;
    for (let next = rowLength(this.bytes, 0); next < at; next = row + rowLength(this.bytes, row)) row = next;
    return row;
  }

  /** Bytes of its name that the row at `at` has in common with the row before it. */
  sharedBytes(at: number): number {
    reader.at = at + NAME_AT;
    return reader.next(this.bytes);
  }

  /** Puts the name of the row at `at` into `name`. */
  readName(at: number, name: NameBuffer): void {
    for (let row = 0; row <= at; row += rowLength(this.bytes, row)) this.readNextName(row, name);
  }

  /** Puts the name of the row at `at` into `name`, which must hold the name of the row before it. */
  readNextName(at: number, name: NameBuffer): void {
    const { bytes } = this;
    reader.at = at + NAME_AT;
    const shared = reader.next(bytes);
    const suffixLength = reader.next(bytes);
    name.replaceFrom(shared, bytes, reader.at, reader.at + suffixLength);
  }

  /** Moves the rows from `at` on into a new block. */
  split(at: number): Block {
    const right = Block.allocate(this.memory);
    right.append(this, at);
    this.changed();
    this.setUsed(at);
    return right;
  }

  /** Appends the rows of another block from `from` on, which sort after those here. There must be space for them. */
  append(source: Block, from: number): void {
    const last = new NameBuffer();
    for (let at = 0; at < this.used; at += rowLength(this.bytes, at)) this.readNextName(at, last);
    const first = new NameBuffer();
    source.readName(from, first);
    this.appendFrom(source, from, first, first.sharedLength(last));
  }

  /** Appends the rows of another block from `from` on; the first of them has this name. */
  private appendFrom(source: Block, from: number, first: NameBuffer, shared: number): void {
    this.changed();
    const { bytes } = source;
    reader.at = from + NAME_AT;
    reader.next(bytes);
    const suffixLength = reader.next(bytes);
    const tailAt = reader.at + suffixLength;
    const start = this.used;
    bytes.copy(this.bytes, start, from, from + NAME_AT);
    let end = writeVarint(this.bytes, start + NAME_AT, shared);
    end = writeVarint(this.bytes, end, first.length - shared);
    end += first.bytes.copy(this.bytes, end, shared, first.length);
    setRowLength(this.bytes, start, end - start + rowLength(bytes, from) - (tailAt - from));
    assert(end + source.used - tailAt <= BLOCK_BYTES_MAX, "rows that have no space in their block");
    this.setUsed(end + bytes.copy(this.bytes, end, tailAt, source.used));
  }

  /** Compares the version of a row with another. */
  compareVersion(at: number, version: Buffer): number {
    return this.bytes.compare(version, 0, VERSION_BYTES, at + VERSION_AT, at + VERSION_AT + VERSION_BYTES);
  }

  /** Returns a boundary between two rows near the middle. The block must have at least two rows. */
  middle(): number {
    let at = rowLength(this.bytes, 0);
    for (;;) {
      const next = at + rowLength(this.bytes, at);
      if (2 * at >= this.used || next === this.used) return at;
      at = next;
    }
  }

  private resize(at: number, before: number, after: number): void {
    const { used } = this;
    if (before !== after) this.bytes.copyWithin(at + after, at + before, used);
    this.setUsed(used + after - before);
  }
}
