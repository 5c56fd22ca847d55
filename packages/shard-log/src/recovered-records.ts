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

/** Data kept of all records, in reading order. */
export class FoundRecords<Kept> {
  readonly #keep: SummariseRecord<Kept>;
  readonly #kept: Kept[] = [];
  #lsns = new Float64Array(1024);
  #payloadCrcs = new Uint32Array(1024);
  #shardIndices = new Uint16Array(1024);

  constructor(keep: SummariseRecord<Kept>) {
    this.#keep = keep;
  }

  /** Stores a record, and returns the number under which it is found. */
  put(record: RecoveredRecord): number {
    const number = this.#kept.push(this.#keep(record)) - 1;
    if (number === this.#lsns.length) this.#grow();
    this.#lsns[number] = record.lsn;
    this.#payloadCrcs[number] = record.payloadCrc;
    this.#shardIndices[number] = record.shardIndex;
    return number;
  }

  #grow(): void {
    const [lsns, payloadCrcs, shardIndices] = [this.#lsns, this.#payloadCrcs, this.#shardIndices];
    const count = 2 * lsns.length;
    this.#lsns = new Float64Array(count);
    this.#payloadCrcs = new Uint32Array(count);
    this.#shardIndices = new Uint16Array(count);
    this.#lsns.set(lsns);
    this.#payloadCrcs.set(payloadCrcs);
    this.#shardIndices.set(shardIndices);
  }

  keptAt(number: number): Kept {
    return this.#kept[number] as Kept;
  }

  visit(number: number, visit: VisitRecord<Kept>): void {
    const lsn = this.#lsns[number] as number;
    const payloadCrc = this.#payloadCrcs[number] as number;
    visit(this.keptAt(number), this.#shardIndices[number] as number, lsn, payloadCrc);
  }
}

export type VisitRecord<Kept> = (kept: Kept, shardIndex: number, lsn: number, payloadCrc: number) => void;

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

  forEach(visit: VisitRecord<Kept>): void {
    for (const number of this.#numbers) this.#found.visit(number, visit);
  }
}
