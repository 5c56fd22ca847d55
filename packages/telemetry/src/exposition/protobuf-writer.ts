/** Protobuf's wire format, written: tags and the values behind them. https://protobuf.dev/programming-guides/encoding/ */

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const TEXT = new TextEncoder();

/** A message under way. Fields are written in the order of the calls; numbers of fields are below 2^28. */
export class ProtobufWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** An unsigned whole number below 2^53. */
  uint(field: number, value: number): this {
    this.#varint(field * 8 + VARINT);
    this.#varint(value);
    return this;
  }

  /** A whole number between -2^52 and 2^52, as `sint32` and `sint64` have it. */
  sint(field: number, value: number): this {
    return this.uint(field, zigzag(value));
  }

  double(field: number, value: number): this {
    this.#varint(field * 8 + EIGHT_BYTES);
    const at = this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(at, value, true);
    return this;
  }

  text(field: number, value: string): this {
    return this.#block(field, TEXT.encode(value.toWellFormed()));
  }

  message(field: number, message: ProtobufWriter): this {
    return this.#block(field, message.bytes);
  }

  /** A repeated `sint64` in one block. */
  packedSints(field: number, values: readonly number[]): this {
    const packed = new ProtobufWriter();
    for (const value of values) packed.#varint(zigzag(value));
    return this.#block(field, packed.bytes);
  }

  /** A whole message with its length before it, one after the other in a stream. */
  delimited(message: ProtobufWriter): this {
    this.#varint(message.#length);
    this.#append(message.bytes);
    return this;
  }

  #block(field: number, bytes: Uint8Array): this {
    this.#varint(field * 8 + LENGTH);
    this.#varint(bytes.length);
    this.#append(bytes);
    return this;
  }

  /** By division, since shifts end at 32 bits. */
  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#byte((rest % 128) + 128);
      rest = Math.floor(rest / 128);
    }
    this.#byte(rest);
  }

  #byte(value: number): void {
    const start = this.#reserve(1);
    this.#bytes[start] = value;
  }

  #append(bytes: Uint8Array): void {
    const start = this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
  }

  /** Where so many bytes begin, which are written next. May replace the array, so it is called before that is read. */
  #reserve(count: number): number {
    const start = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#length, 2 * this.#bytes.length));
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes = grown;
    }
    return start;
  }
}

const zigzag = (value: number): number => (value >= 0 ? 2 * value : -2 * value - 1);
