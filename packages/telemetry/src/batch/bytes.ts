/** Building blocks of a batch in bytes: whole numbers as varints, doubles little-endian, texts by their place in a table. */
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

  /** A text is written once, in the table that `withTexts` puts in front. */
  text(value: string): void {
    const known = this.#texts.get(value) ?? this.#texts.size;
    this.#texts.set(value, known);
    this.whole(known);
  }

  /** All that was written, behind the table of its texts. */
  withTexts(): Uint8Array {
    const head = new ByteWriter();
    head.whole(this.#texts.size);
    for (const text of this.#texts.keys()) head.block(new TextEncoder().encode(text));
    return Uint8Array.from([...head.#bytes, ...this.#bytes]);
  }
}

/** Throws `invalid_input` for bytes that are cut off or no number, text or block. */
export class ByteReader {
  readonly #place: Place;
  readonly #view: DataView;
  readonly #texts: readonly string[];

  /** Reads the table of texts, of which there may be so many. */
  constructor(bytes: Uint8Array, textCountMax: number) {
    this.#place = { bytes, at: 0 };
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const count = this.count("texts", textCountMax);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    this.#texts = Array.from({ length: count }, () => {
      try {
        return decoder.decode(this.block());
      } catch (error) {
        throw error instanceof TypeError ? malformed("a text is not UTF-8") : error;
      }
    });
  }

  get isAtEnd(): boolean {
    return this.#place.at === this.#place.bytes.length;
  }

  whole(): number {
    const value = readVarint(this.#place);
    if (value === NO_NUMBER) throw malformed("a number is cut off or too large");
    return value;
  }

  /** A number of things that follow; refused before anything is made for them when there are too many. */
  count(what: string, max: number): number {
    const count = this.whole();
    if (count > max) throw malformed(`it announces ${count} ${what}, and ${max} are allowed`);
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
    const text = this.#texts[place];
    if (text === undefined) throw malformed(`it has no text ${place}`);
    return text;
  }

  /** Where so many bytes begin, which are passed. */
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
