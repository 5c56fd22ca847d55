/**
 * Remembers the series of a node's previous batch. An agent's windows name the same series in the same order most of
 * the time, so their bytes are compared with the previous ones: each name is parsed, checked and turned into labels
 * once, not per window. Equal bytes are the same series if the table of texts is the same.
 */
import type { MetricKind } from "@stashlight/contracts/metrics";
import type { Labels } from "../recorder/series.ts";
import type { ByteReader, Piece, TextTable } from "./bytes.ts";
import { SeriesCheck, type SeriesRefusal } from "./series-rules.ts";

const LABEL_COUNT_MAX = 16;

/** Approximate size of a series: its labels object and its text in the table, apart from its bytes. */
const SERIES_BYTES = 200;
const TEXT_BYTES = 40;

/** A name, its position in its batch, and the reason if it was refused. */
export interface NamedSeries extends Piece {
  readonly kind: MetricKind;
  readonly metric: string;
  readonly labels: Labels;
  readonly refusal: SeriesRefusal | null;
}

/** Caches the series of one node. */
export class SeriesMemory {
  #table: TextTable | undefined;
  #bytes: Uint8Array = new Uint8Array();
  #series: readonly NamedSeries[] = [];

  get table(): TextTable | undefined {
    return this.#table;
  }

  get bytes(): Uint8Array {
    return this.#bytes;
  }

  get series(): readonly NamedSeries[] {
    return this.#series;
  }

  /** Approximate size: texts are kept as bytes and as strings. */
  get sizeBytes(): number {
    const table = this.#table;
    const texts = table === undefined ? 0 : 2 * table.bytes.length + TEXT_BYTES * table.texts.length;
    return texts + this.#bytes.length + SERIES_BYTES * this.#series.length;
  }

  /** Stores copies, because a batch is a view of its decompressed buffer. */
  replace(table: TextTable, bytes: Uint8Array, series: readonly NamedSeries[]): void {
    this.#table = table;
    this.#bytes = new Uint8Array(bytes);
    this.#series = series;
  }
}

/** Reads the names of one batch in order. */
export class SeriesReader {
  readonly #reader: ByteReader;
  readonly #bytes: Uint8Array;
  readonly #memory: SeriesMemory | undefined;
  /** True if the table of texts equals the previous one, so that bytes can be compared. */
  readonly #isComparable: boolean;
  readonly #series: NamedSeries[] = [];
  readonly #starts: number[] = [];
  #hasNew = false;

  constructor(reader: ByteReader, bytes: Uint8Array, memory: SeriesMemory | undefined) {
    this.#reader = reader;
    this.#bytes = bytes;
    this.#memory = memory;
    this.#isComparable = memory !== undefined && reader.table === memory.table;
  }

  next(kind: MetricKind): NamedSeries {
    this.#starts.push(this.#reader.at);
    const before = this.#isComparable ? this.#memory?.series[this.#series.length] : undefined;
    const isKnown =
      before !== undefined &&
      before.kind === kind &&
      this.#reader.passes((this.#memory as SeriesMemory).bytes, before);
    const series = isKnown ? before : this.#read(kind);
    this.#series.push(series);
    return series;
  }

  /** Stores the names for the next batch, once this one has been read to its end. */
  remember(): void {
    const memory = this.#memory;
    if (memory === undefined) return;
    if (this.#isComparable && !this.#hasNew && this.#series.length === memory.series.length) return;
    const moved = this.#series.map((series, i) => {
      const start = this.#starts[i] as number;
      return { ...series, start, end: start + series.end - series.start };
    });
    memory.replace(this.#reader.table, this.#bytes, moved);
  }

  #read(kind: MetricKind): NamedSeries {
    this.#hasNew = true;
    const reader = this.#reader;
    const start = reader.at;
    const check = new SeriesCheck(kind, reader.text());
    const count = reader.count("labels of a series", LABEL_COUNT_MAX);
    for (let at = 0; at < count; at += 1) check.label(reader.text(), reader.text());
    const { metric, labels } = check;
    return { kind, metric, labels, refusal: check.refusal(), start, end: reader.at };
  }
}

/** Largest share of the total memory for one node. The batch of a node with 5,000 series is 750 kB. */
const SHARE_OF_NODE_MAX = 1 / 16;

/** Caches series of many nodes; those silent for longest are dropped first. */
export class SeriesMemories {
  readonly #bytesMax: number;
  readonly #memories = new Map<string, SeriesMemory>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Approximate size of all memories. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Calls `use` with the memory of this node, and returns the result. */
  with<Result>(nodeId: string, use: (memory: SeriesMemory) => Result): Result {
    const memory = this.#memories.get(nodeId) ?? new SeriesMemory();
    this.#bytes -= memory.sizeBytes;
    this.#memories.delete(nodeId);
    const result = use(memory);
    if (memory.sizeBytes > this.#bytesMax * SHARE_OF_NODE_MAX) return result;
    this.#memories.set(nodeId, memory);
    this.#bytes += memory.sizeBytes;
    for (const [oldest, { sizeBytes }] of this.#memories) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#memories.delete(oldest);
      this.#bytes -= sizeBytes;
    }
    return result;
  }
}
