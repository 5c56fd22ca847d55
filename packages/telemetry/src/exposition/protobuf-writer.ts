/** Writes protobuf's wire format, as tags followed by values. https://protobuf.dev/programming-guides/encoding/ */
import { writeVarint } from "../histogram/varint.ts";

const VARINT = 0;
const EIGHT_BYTES = 1;
const LENGTH = 2;
const TEXT = new TextEncoder();

/** A message being written. Fields are written in the order of the calls; field numbers are below 2^28. */
export class ProtobufWriter {
  readonly #bytes: number[] = [];

  get bytes(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  /** Unsigned whole number below 2^53. */
  uint(field: number, value: number): this {
    writeVarint(this.#bytes, field * 8 + VARINT);
    writeVarint(this.#bytes, value);
    return this;
  }

  /** Whole number between -2^52 and 2^52, encoded like `sint32` and `sint64`. */
  sint(field: number, value: number): this {
    return this.uint(field, zigzag(value));
  }

  double(field: number, value: number): this {
    writeVarint(this.#bytes, field * 8 + EIGHT_BYTES);
    const eight = new DataView(new ArrayBuffer(8));
    eight.setFloat64(0, value, true);
    for (let at = 0; at < 8; at += 1) this.#bytes.push(eight.getUint8(at));
    return this;
  }

  text(field: number, value: string): this {
    return this.#block(field, TEXT.encode(value.toWellFormed()));
  }

  message(field: number, message: ProtobufWriter): this {
    return this.#block(field, message.#bytes);
  }

  /** Repeated `sint64` in one block. */
  packedSints(field: number, values: readonly number[]): this {
    const packed: number[] = [];
    for (const value of values) writeVarint(packed, zigzag(value));
    return this.#block(field, packed);
  }

  /** Writes the message preceded by its length, as in a stream of messages. */
  delimited(message: ProtobufWriter): this {
    return this.#appendWithLength(message.#bytes);
  }

  #block(field: number, bytes: ArrayLike<number>): this {
    writeVarint(this.#bytes, field * 8 + LENGTH);
    return this.#appendWithLength(bytes);
  }

  #appendWithLength(bytes: ArrayLike<number>): this {
    writeVarint(this.#bytes, bytes.length);
    for (let at = 0; at < bytes.length; at += 1) this.#bytes.push(bytes[at] as number);
    return this;
  }
}

const zigzag = (value: number): number => (value >= 0 ? 2 * value : -2 * value - 1);
