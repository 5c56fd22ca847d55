/** Data that a reader keeps of each recovered record. A log may contain millions, so they are not stored as objects. */
import { dataView, type RecordHeader } from "./format.ts";
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

const BLOCK_BYTES = 1_048_576;

/** Headers and metas of many records. */
interface HeaderBlock {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  usedBytes: number;
}

/** Data kept of all records, in reading order. */
export class FoundRecords<Kept> {
  readonly #keep: SummariseRecord<Kept>;
  readonly #blocks: HeaderBlock[] = [];
  #blockOf = new Uint32Array(1024);
  #offsets = new Uint32Array(1024);
  #count = 0;

  constructor(keep: SummariseRecord<Kept>) {
    this.#keep = keep;
  }

  /** Stores a record, and returns the number under which it is found. */
  put(record: RecoveredRecord): number {
    const { bytes } = record as HeaderView;
    const block = this.#blockFor(bytes.length);
    const number = this.#count++;
    if (number === this.#offsets.length) this.#grow();
    this.#blockOf[number] = this.#blocks.length - 1;
    this.#offsets[number] = block.usedBytes;
    block.bytes.set(bytes, block.usedBytes);
    block.usedBytes += bytes.length;
    return number;
  }

  #blockFor(byteCount: number): HeaderBlock {
    const last = this.#blocks[this.#blocks.length - 1];
    if (last !== undefined && last.usedBytes + byteCount <= last.bytes.length) return last;
    // Only what is written is read, so the block need not be zeroed first.
    const bytes = new Uint8Array(Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, byteCount)).buffer);
    const block = { bytes, view: dataView(bytes), usedBytes: 0 };
    this.#blocks.push(block);
    return block;
  }

  #grow(): void {
    const [blockOf, offsets] = [this.#blockOf, this.#offsets];
    this.#blockOf = new Uint32Array(2 * offsets.length);
    this.#offsets = new Uint32Array(2 * offsets.length);
    this.#blockOf.set(blockOf);
    this.#offsets.set(offsets);
  }

  headerAt(number: number): RecoveredRecord {
    const { bytes, view } = this.#blocks[this.#blockOf[number] as number] as HeaderBlock;
    return new HeaderView(bytes, view, this.#offsets[number] as number);
  }

  keptAt(number: number): Kept {
    return this.#keep(this.headerAt(number));
  }
}

/** Live, readable records in the order of the log. */
export class RecoveredRecords<Kept> implements Iterable<Kept> {
  readonly #numbers: readonly number[];
  readonly #found: FoundRecords<Kept>;

  constructor(numbers: readonly number[], found: FoundRecords<Kept>) {
    this.#numbers = numbers;
    this.#found = found;
  }

  get length(): number {
    return this.#numbers.length;
  }

  *[Symbol.iterator](): Generator<Kept> {
    for (const number of this.#numbers) yield this.#found.keptAt(number);
  }

  /** Visits the headers. The visitor may keep them, because their bytes do not change. */
  forEachHeader(visit: (header: RecoveredRecord, at: number) => void): void {
    this.#numbers.forEach((number, at) => {
      visit(this.#found.headerAt(number), at);
    });
  }

  headerAt(at: number): RecoveredRecord {
    return this.#found.headerAt(this.#numbers[at] as number);
  }

  keptAt(at: number): Kept {
    return this.#found.keptAt(this.#numbers[at] as number);
  }
}
