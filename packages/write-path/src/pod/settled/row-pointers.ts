/**
 * Pointers to rows, in the order in which the rows were put. A tree moves rows from page to page as it grows, but a row's
 * name and time stay, so a pointer consists of these and is never rewritten. Consecutive uploads share a page, which is
 * freed with its last pointer.
 *
 *     tag of the upload id 2, 0 once removed | arrival 2 | time 6 | shared | suffix length | suffix of "bucket/key"
 *
 * Time is the beginning of a version's order. Nearly all pointers have only the part of their name that differs from the one
 * before them in the page. At the end of the page are its used bytes and the number of its pointers.
 */
import assert from "node:assert/strict";
import { PAGE_BYTES, type Page, type PageMemory } from "@stashlight/paged-memory";
import { NameBuffer } from "./name-buffer.ts";
import { nameNumbersBytes, TIME_BYTES } from "./row.ts";
import { VarintReader, writeVarint } from "./varint.ts";

const ARRIVAL_AT = 2;
const TIME_AT = 4;
const NAME_AT = TIME_AT + TIME_BYTES;
const USED_AT = PAGE_BYTES - 4;
const COUNT_AT = PAGE_BYTES - 2;
const TAG_MAX = 0xffff;
/** Each pointer after this many others has its whole name, so that no name is put together from more parts. */
const PARTS_MAX = 16;

const reader = new VarintReader();

/** Returns true if the pointer at this offset is the one sought; others may have its tag or its arrival. */
type IsMeant = (page: Page, at: number) => boolean;

export class RowPointers {
  readonly #memory: PageMemory;
  /** The page that is being filled, and the name of its last pointer. */
  #page: Page | null = null;
  readonly #lastName = new NameBuffer();
  /** Number of pointers from the last one on that has its whole name. */
  #partCount = 0;
  /** Offset of the pointer with a whole name at or before the one just found. */
  #wholeAt = 0;

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  /** Adds the pointer to a row; returns its page. `version` begins with the time. */
  add(name: NameBuffer, version: Buffer, hash: number, arrival: number): Page {
    const page = this.#pageWithSpace(name);
    const { bytes } = this.#memory.change(page);
    const start = bytes.readUInt16LE(USED_AT);
    const isWhole = start === 0 || this.#partCount === PARTS_MAX;
    const shared = isWhole ? 0 : name.sharedLength(this.#lastName);
    this.#partCount = isWhole ? 1 : this.#partCount + 1;
    bytes.writeUInt16LE(tagOf(hash), start);
    bytes.writeUInt16LE(arrival & 0xffff, start + ARRIVAL_AT);
    version.copy(bytes, start + TIME_AT, 0, TIME_BYTES);
    let at = writeVarint(bytes, start + NAME_AT, shared);
    at = writeVarint(bytes, at, name.length - shared);
    at += name.bytes.copy(bytes, at, shared, name.length);
    bytes.writeUInt16LE(at, USED_AT);
    bytes.writeUInt16LE(bytes.readUInt16LE(COUNT_AT) + 1, COUNT_AT);
    this.#lastName.replaceFrom(shared, name.bytes, shared, name.length);
    return page;
  }

  #pageWithSpace(name: NameBuffer): Page {
    if (this.#page !== null) {
      const used = this.#memory.look(this.#page).bytes.readUInt16LE(USED_AT);
      const shared = this.#partCount === PARTS_MAX ? 0 : name.sharedLength(this.#lastName);
      const suffixLength = name.length - shared;
      const numbers = nameNumbersBytes(shared, suffixLength);
      if (used + NAME_AT + numbers + suffixLength <= USED_AT) return this.#page;
    }
    assert(NAME_AT + nameNumbersBytes(0, name.length) + name.length <= USED_AT, "a name that fits no page");
    this.#page = this.#memory.allocate();
    return this.#page;
  }

  /** Returns true if a pointer of the page, with an upload id that may have this hash, matches. */
  findHash(page: Page, hash: number, isMeant: IsMeant): boolean {
    return this.#find(page, 0, tagOf(hash), isMeant);
  }

  /** Returns true if a pointer of the page, which may have this arrival, matches. */
  findArrival(page: Page, arrival: number, isMeant: IsMeant): boolean {
    return this.#find(page, ARRIVAL_AT, arrival & 0xffff, isMeant);
  }

  #find(page: Page, fieldAt: number, wanted: number, isMeant: IsMeant): boolean {
    const { bytes } = this.#memory.look(page);
    const used = bytes.readUInt16LE(USED_AT);
    const [low, high] = [wanted & 0xff, wanted >>> 8];
    for (let at = 0; at < used; ) {
      if (bytes[at + NAME_AT] === 0) this.#wholeAt = at;
      const isSame = bytes[at + fieldAt] === low && bytes[at + fieldAt + 1] === high;
      if (isSame && bytes.readUInt16LE(at) !== 0 && isMeant(page, at)) return true;
      reader.at = at + NAME_AT;
      reader.next(bytes);
      const suffixLength = reader.next(bytes);
      at = reader.at + suffixLength;
    }
    return false;
  }

  /** Reads the name and the time of the pointer just found; `version` then begins with the time. */
  read(page: Page, pointer: number, name: NameBuffer, version: Buffer): void {
    const { bytes } = this.#memory.look(page);
    for (let at = this.#wholeAt; at <= pointer; ) {
      reader.at = at + NAME_AT;
      const shared = reader.next(bytes);
      const suffixLength = reader.next(bytes);
      at = reader.at + suffixLength;
      name.replaceFrom(shared, bytes, reader.at, at);
    }
    bytes.copy(version, 0, pointer + TIME_AT, pointer + TIME_AT + TIME_BYTES);
  }

  /** Returns the last 16 bits of a pointer's arrival. */
  arrivalBitsOf(page: Page, pointer: number): number {
    return this.#memory.look(page).bytes.readUInt16LE(pointer + ARRIVAL_AT);
  }

  remove(page: Page, pointer: number): void {
    const { bytes } = this.#memory.change(page);
    const count = bytes.readUInt16LE(COUNT_AT) - 1;
    if (count === 0) {
      if (page === this.#page) this.#page = null;
      this.#memory.free(page);
      return;
    }
    bytes.writeUInt16LE(0, pointer);
    bytes.writeUInt16LE(count, COUNT_AT);
  }
}

const tagOf = (hash: number): number => (hash % TAG_MAX) + 1;
