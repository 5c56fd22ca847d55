import { isUtf8 } from "node:buffer";
import { FrameError } from "../errors.ts";
import { type Frame, HEADER_BYTES } from "./frame.ts";

const REPLACEMENT = "\ufffd";
const TWO_TO_32 = 2 ** 32;

/** Reads the fields of one complete frame. Every length is checked before it is used. */
export class FieldReader {
  readonly #bytes: Buffer;
  readonly #headEnd: number;
  readonly #payloadEnd: number;
  #at: number;
  #payloadAt: number;

  constructor({ header, bytes, at }: Frame) {
    this.#bytes = bytes;
    this.#at = at + HEADER_BYTES;
    this.#headEnd = this.#at + header.headBytes;
    this.#payloadAt = this.#headEnd;
    this.#payloadEnd = this.#headEnd + header.payloadBytes;
  }

  /** Offset of the next field within the frame. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#headEnd;
  }

  /** Returns two bytes after the next `skipped` ones, without consuming any; 0 at the end. */
  peekU16(skipped: number): number {
    const at = this.#at + skipped;
    return at + 2 <= this.#headEnd ? this.#bytes.readUInt16LE(at) : 0;
  }

  /** Consumes the next bytes if they equal the expected ones, and returns whether they did. */
  skipIfSame(expected: Uint8Array): boolean {
    const at = this.#at;
    const end = at + expected.length;
    if (end > this.#headEnd || this.#bytes.compare(expected, 0, expected.length, at, end) !== 0) return false;
    this.#at = end;
    return true;
  }

  copySince(at: number): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(at, this.#at));
  }

  u8(): number {
    return this.#bytes[this.#take(1)] as number;
  }

  u16(): number {
    return this.#bytes.readUInt16LE(this.#take(2));
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  u64(): number {
    const at = this.#take(8);
    const value = this.#bytes.readUInt32LE(at) + this.#bytes.readUInt32LE(at + 4) * TWO_TO_32;
    if (value > Number.MAX_SAFE_INTEGER) throw malformed("a number is above 2^53 - 1");
    return value;
  }

  text(): string {
    const length = this.u32();
    const at = this.#take(length);
    const text = this.#bytes.toString("utf8", at, at + length);
    // Invalid bytes are decoded as replacement characters, which valid text may also contain.
    if (text.includes(REPLACEMENT) && !isUtf8(this.#bytes.subarray(at, at + length))) {
      throw malformed("a text is not UTF-8");
    }
    return text;
  }

  hex(byteCount: number): string {
    const at = this.#take(byteCount);
    return this.#bytes.toString("hex", at, at + byteCount);
  }

  /** Returns a view of the received bytes, which stay in memory as long as the view does. */
  payload(): Uint8Array {
    const length = this.u32();
    const at = this.#payloadAt;
    if (length > this.#payloadEnd - at) throw malformed("a payload reaches past its end");
    this.#payloadAt = at + length;
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + at, length);
  }

  /** Returns the number of elements that follow, each of which takes at least a byte. */
  count(): number {
    const count = this.u32();
    if (count > this.#headEnd - this.#at) throw malformed("a list is longer than the rest of its head");
    return count;
  }

  /** Requires that all bytes have been read. */
  end(): void {
    if (this.#at !== this.#headEnd || this.#payloadAt !== this.#payloadEnd) {
      throw malformed("it has more bytes than its kind");
    }
  }

  #take(byteCount: number): number {
    const at = this.#at;
    if (byteCount > this.#headEnd - at) throw malformed("a field reaches past its end");
    this.#at = at + byteCount;
    return at;
  }
}

export function malformed(what: string): FrameError {
  return new FrameError("malformed", `A frame is malformed: ${what}.`);
}
