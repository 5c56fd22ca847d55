/** Encodes the parts of a batch: whole numbers as varints, doubles little-endian, texts as indexes into a table. */
import { StashlightError } from "@stashlight/contracts/errors";
import { NO_NUMBER, type Place, readVarint, writeVarint } from "../histogram/varint.ts";

const DOUBLE_BYTES = 8;

export class ByteWriter {
  readonly #bytes: number[] = [];
  readonly #texts = new Map<string, number>();

  whole(value: number): void {
    writeVarint(this.#bytes, value);
  }

  double(value: number): void {
    const bytes = new Uint8Array(DOUBLE_BYTES);
    new DataView(bytes.buffer).setFloat64(0, value, true);
    this.#bytes.push(...bytes);
  }

  block(bytes: Uint8Array): void {
    this.whole(bytes.length);
    for (const byte of bytes) this.#bytes.push(byte);
  }

  /** Writes each distinct text once, into the table that `withTexts` prepends. */
  text(value: string): void {
    const known = this.#texts.get(value) ?? this.#texts.size;
    this.#texts.set(value, known);
    this.whole(known);
  }

  /** Returns everything written, preceded by the table of texts. */
  withTexts(): Uint8Array {
    const head = new ByteWriter();
    head.whole(this.#texts.size);
    for (const text of this.#texts.keys()) head.block(new TextEncoder().encode(text));
    return Uint8Array.from([...head.#bytes, ...this.#bytes]);
  }
}

/** Table of texts, and the bytes from which it was read. */
export interface TextTable {
  readonly bytes: Uint8Array;
  readonly texts: readonly string[];
}

/** Slice of a larger byte array. */
export interface Piece {
  readonly start: number;
  readonly end: number;
}

function hasAt(bytes: Uint8Array, at: number, other: Uint8Array, { start, end }: Piece): boolean {
  if (at + end - start > bytes.length) return false;
  for (let i = start; i < end; i += 1) if (bytes[at + i - start] !== other[i]) return false;
  return true;
}

/** Throws `invalid_input` for bytes that are truncated, or not a number, text or block. */
export class ByteReader {
  readonly #place: Place;
  readonly #view: DataView;
  readonly #table: TextTable;

  /**
   * Reads the table of texts, up to a limit. If the bytes begin with those of `known`, the table is the same, because a
   * table contains its own length.
   */
  constructor(bytes: Uint8Array, textCountMax: number, known?: TextTable) {
    this.#place = { bytes, at: 0 };
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (known !== undefined && hasAt(bytes, 0, known.bytes, { start: 0, end: known.bytes.length })) {
      this.#place.at = known.bytes.length;
      this.#table = known;
    } else {
      const texts = this.#readTexts(textCountMax);
      this.#table = { bytes: new Uint8Array(bytes.subarray(0, this.#place.at)), texts };
    }
  }

  #readTexts(countMax: number): string[] {
    const count = this.count("texts", countMax);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    return Array.from({ length: count }, () => {
      try {
        return decoder.decode(this.block());
      } catch (error) {
        throw error instanceof TypeError ? malformed("a text is not UTF-8") : error;
      }
    });
  }

  get table(): TextTable {
    return this.#table;
  }

  /** Number of bytes read. */
  get at(): number {
    return this.#place.at;
  }

  get isAtEnd(): boolean {
    return this.#place.at === this.#place.bytes.length;
  }

  whole(): number {
    const value = readVarint(this.#place);
    if (value === NO_NUMBER) throw malformed("a number is cut off or too large");
    return value;
  }

  /** Reads the number of following items; refuses too many before anything is allocated for them. */
  count(what: string, max: number): number {
    const count = this.whole();
    if (count > max) throw malformed(`it announces ${count} ${what}, but only ${max} are allowed`);
    return count;
  }

  double(): number {
    return this.#view.getFloat64(this.#pass(DOUBLE_BYTES), true);
  }

  block(): Uint8Array {
    const length = this.whole();
    const start = this.#pass(length);
    return this.#place.bytes.subarray(start, start + length);
  }

  text(): string {
    const place = this.whole();
    const text = this.#table.texts[place];
    if (text === undefined) throw malformed(`it has no text ${place}`);
    return text;
  }

  /** Skips the next bytes if they equal this slice of other bytes. */
  passes(other: Uint8Array, piece: Piece): boolean {
    const isNext = hasAt(this.#place.bytes, this.#place.at, other, piece);
    if (isNext) this.#place.at += piece.end - piece.start;
    return isNext;
  }

  /** Returns the position of the next `length` bytes, and skips them. */
  #pass(length: number): number {
    const start = this.#place.at;
    if (start + length > this.#place.bytes.length) throw malformed("it is cut off");
    this.#place.at = start + length;
    return start;
  }
}

export function malformed(what: string): StashlightError {
  return new StashlightError("invalid_input", `A batch cannot be read: ${what}.`);
}
