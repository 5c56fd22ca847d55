/** Building blocks of a batch in bytes: whole numbers as varints, doubles little-endian, texts by their place in a table. */
import { StashlightError } from "@stashlight/contracts/errors";
import { readVarint, writeVarint } from "../histogram/varint.ts";

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
  readonly #bytes: Uint8Array;
  readonly #texts: readonly string[];
  #at = 0;

  /** Reads the table of texts, of which there may be so many. */
  constructor(bytes: Uint8Array, textCountMax: number) {
    this.#bytes = bytes;
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
    return this.#at === this.#bytes.length;
  }

  whole(): number {
    const read = readVarint(this.#bytes, this.#at);
    if (read === null) throw malformed("a number is cut off or too large");
    this.#at = read.end;
    return read.value;
  }

  /** A number of things that follow; refused before anything is made for them when there are too many. */
  count(what: string, max: number): number {
    const count = this.whole();
    if (count > max) throw malformed(`it announces ${count} ${what}, and ${max} are allowed`);
    return count;
  }

  double(): number {
    const bytes = this.#take(DOUBLE_BYTES);
    return new DataView(bytes.buffer, bytes.byteOffset, DOUBLE_BYTES).getFloat64(0, true);
  }

  block(): Uint8Array {
    return this.#take(this.whole());
  }

  text(): string {
    const place = this.whole();
    const text = this.#texts[place];
    if (text === undefined) throw malformed(`it has no text ${place}`);
    return text;
  }

  #take(length: number): Uint8Array {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw malformed("it is cut off");
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}

export function malformed(what: string): StashlightError {
  return new StashlightError("invalid_input", `A batch cannot be read: ${what}.`);
}
