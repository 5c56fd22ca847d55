/**
 * Data that a reader keeps of each recovered record. A log may contain millions, so their headers stay in pages as
 * bytes until the reader has taken the fields that it needs.
 */
import assert from "node:assert/strict";
import { PAGE_BYTES, type Page, type PageMemory } from "@stashlight/paged-memory";
import { dataView, RECORD_HEADER_BYTES, type RecordHeader } from "./format.ts";
import { HeaderView } from "./record-header.ts";

/** A recovered record, with its fields read from the bytes on demand. */
export interface RecoveredRecord extends RecordHeader {
  readonly key: string;
  /** Hash of the fields about its upload: records that differ in them collide once in 2^32. */
  readonly uploadHash: number;
  /** Returns true if this key names a record of the same upload. */
  isOfUploadOf(key: string): boolean;
}

/** Returns the data to keep of a record, whose bytes are valid only during the call. */
export type SummariseRecord<Kept> = (record: RecoveredRecord) => Kept;

/** Copies all fields of a record's header and meta. */
export function copyOfRecord(record: RecoveredRecord): RecoveredRecord {
  const bytes = (record as HeaderView).bytes.slice();
  return new HeaderView(bytes, dataView(bytes), 0);
}

/** Headers and metas of all records one after the other, in reading order. A record may continue in the next page. */
export class FoundRecords {
  readonly #memory: PageMemory;
  #pages: Page[] = [];
  #byteCount = 0;
  #count = 0;

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  /** Number of records. */
  get count(): number {
    return this.#count;
  }

  /** Stores a record, and returns its number; the first is 0. */
  put(record: RecoveredRecord): number {
    this.#memory.relax();
    const { bytes } = record as HeaderView;
    for (let done = 0; done < bytes.length; ) {
      const at = this.#byteCount % PAGE_BYTES;
      if (at === 0) this.#pages.push(this.#memory.allocate());
      const part = bytes.subarray(done, done + PAGE_BYTES - at);
      this.#memory.change(this.#pages[this.#pages.length - 1] as Page).bytes.set(part, at);
      this.#byteCount += part.length;
      done += part.length;
    }
    return this.#count++;
  }

  /** Copies the stored bytes from `from` on, until the target is full. */
  copy(from: number, target: Uint8Array): void {
    assert(this.#count === 0 || this.#pages.length > 0, "Records are read before they are released.");
    this.#memory.relax();
    for (let done = 0; done < target.length; ) {
      const at = (from + done) % PAGE_BYTES;
      const { bytes } = this.#memory.look(this.#pages[Math.floor((from + done) / PAGE_BYTES)] as Page);
      const part = bytes.subarray(at, at + target.length - done);
      target.set(part, done);
      done += part.length;
    }
  }

  /** Frees the pages; nothing can be read any more. */
  release(): void {
    for (const page of this.#pages) this.#memory.free(page);
    this.#pages = [];
  }
}

/** Reads the records that were found, one after the other. */
class FoundReader {
  readonly #found: FoundRecords;
  #bytes = new Uint8Array(4096);
  #view = dataView(this.#bytes);
  #at = 0;

  constructor(found: FoundRecords) {
    this.#found = found;
  }

  /** Returns the next record, whose bytes are valid until the next call; null unless it is wanted. */
  next(isWanted: boolean): HeaderView | null {
    this.#found.copy(this.#at, this.#bytes.subarray(0, RECORD_HEADER_BYTES));
    const header = new HeaderView(this.#bytes, this.#view, 0);
    const bytes = RECORD_HEADER_BYTES + header.metaBytes;
    const start = this.#at;
    this.#at += bytes;
    if (!isWanted) return null;
    if (bytes > this.#bytes.length) {
      this.#bytes = new Uint8Array(2 * bytes);
      this.#view = dataView(this.#bytes);
    }
    this.#found.copy(start, this.#bytes.subarray(0, bytes));
    return new HeaderView(this.#bytes, this.#view, 0);
  }
}

/** Some of the records that were found, by their numbers. */
export class RecordChoice {
  readonly #bits: Uint8Array;
  #size = 0;

  /** `count` is the number of records to choose from. */
  constructor(count: number) {
    this.#bits = new Uint8Array(Math.ceil(count / 8));
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a record that is not chosen yet. */
  add(number: number): void {
    this.#bits[number >>> 3] = (this.#bits[number >>> 3] as number) | (1 << (number & 7));
    this.#size++;
  }

  has(number: number): boolean {
    return ((this.#bits[number >>> 3] as number) & (1 << (number & 7))) !== 0;
  }
}

/** Records in the order of the log, each made from its bytes during an iteration. */
export class RecoveredRecords<Kept> implements Iterable<Kept> {
  readonly #choice: RecordChoice;
  readonly #found: FoundRecords;
  readonly #keep: SummariseRecord<Kept>;

  constructor(choice: RecordChoice, found: FoundRecords, keep: SummariseRecord<Kept>) {
    this.#choice = choice;
    this.#found = found;
    this.#keep = keep;
  }

  get length(): number {
    return this.#choice.size;
  }

  *[Symbol.iterator](): Generator<Kept> {
    for (const header of this.headers()) yield this.keep(header);
  }

  /** Yields the headers, whose bytes are valid until the next one is asked for. */
  *headers(): Generator<RecoveredRecord> {
    const reader = new FoundReader(this.#found);
    for (let number = 0, left = this.length; left > 0; number++) {
      const header = reader.next(this.#choice.has(number));
      if (header === null) continue;
      left--;
      yield header;
    }
  }

  /** Returns the data to keep of a record. */
  keep(header: RecoveredRecord): Kept {
    return this.#keep(header);
  }

  /** Frees the memory of all records that this opening of the log has found; none can be read any more. */
  release(): void {
    this.#found.release();
  }
}
