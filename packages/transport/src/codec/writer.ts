import assert from "node:assert/strict";
import { type Endpoint, type FrameType, HEADER_BYTES, sealHeader } from "./frame.ts";

const SLAB_BYTES = 16_384;
const TWO_TO_32 = 2 ** 32;

/** A frame ready for the socket: header and head in a shared slab, then payloads in place. */
export interface EncodedFrame {
  readonly slab: Buffer;
  readonly start: number;
  readonly end: number;
  readonly payloads: readonly Uint8Array[];
  /** Bytes of the whole frame. */
  readonly bytes: number;
}

/**
 * Writes consecutive heads into slabs that are never reused, since a socket may hold them for a long time. A value that the
 * wire format cannot carry is the caller's mistake and throws.
 */
export class FrameWriter {
  #slab: Buffer = Buffer.alloc(0);
  #start = 0;
  #at = 0;
  #payloads: Uint8Array[] = [];
  #payloadBytes = 0;

  begin(): void {
    this.#start = this.#at;
    this.#payloads = [];
    this.#payloadBytes = 0;
    this.#reserve(HEADER_BYTES);
  }

  finish(type: FrameType, kind: number, from: Endpoint, to: Endpoint): EncodedFrame {
    const start = this.#start;
    const end = this.#at;
    const headBytes = end - start - HEADER_BYTES;
    const payloadBytes = this.#payloadBytes;
    sealHeader(this.#slab, start, { type, kind, headBytes, payloadBytes, from, to });
    return { slab: this.#slab, start, end, payloads: this.#payloads, bytes: end - start + payloadBytes };
  }

  /** Bytes of the frame written so far. */
  get position(): number {
    return this.#at - this.#start;
  }

  /** Copies the bytes of the frame written since a position. */
  copyFrom(position: number): Buffer {
    return Buffer.from(this.#slab.subarray(this.#start + position, this.#at));
  }

  /** Writes bytes from `copyFrom`. */
  bytes(bytes: Buffer): void {
    const at = this.#reserve(bytes.length);
    bytes.copy(this.#slab, at);
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#slab.writeUInt8(value, at);
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#slab.writeUInt16LE(value, at);
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#slab.writeUInt32LE(value, at);
  }

  u64(value: number): void {
    if (!(Number.isSafeInteger(value) && value >= 0)) {
      assert.fail(`A message counts in whole numbers from 0 to 2^53 - 1; ${value} was given.`);
    }
    const at = this.#reserve(8);
    this.#slab.writeUInt32LE(value % TWO_TO_32, at);
    this.#slab.writeUInt32LE(Math.floor(value / TWO_TO_32), at + 4);
  }

  text(value: string): void {
    if (!value.isWellFormed()) {
      assert.fail(`The text ${JSON.stringify(value)} is not valid Unicode: it has half a surrogate pair.`);
    }
    // A UTF-16 unit takes at most three bytes of UTF-8.
    const at = this.#reserve(4 + value.length * 3);
    const written = this.#slab.write(value, at + 4, "utf8");
    this.#slab.writeUInt32LE(written, at);
    this.#at = at + 4 + written;
  }

  /** Writes lower-case hexadecimal digits of exactly this many bytes. */
  hex(digits: string, byteCount: number): void {
    const at = this.#reserve(byteCount);
    const isWhole = digits.length === byteCount * 2 && this.#slab.write(digits, at, "hex") === byteCount;
    if (!isWhole || digits !== digits.toLowerCase()) {
      assert.fail(`"${digits}" is not ${byteCount * 2} lower-case hexadecimal digits.`);
    }
  }

  /** Writes only the length; the bytes are sent after the head, from their own memory. */
  payload(bytes: Uint8Array): void {
    this.u32(bytes.length);
    if (bytes.length === 0) return;
    this.#payloads.push(bytes);
    this.#payloadBytes += bytes.length;
  }

  /** Returns the position for `byteCount` more bytes of this frame. */
  #reserve(byteCount: number): number {
    const at = this.#at;
    if (at + byteCount <= this.#slab.length) {
      this.#at = at + byteCount;
      return at;
    }
    const used = at - this.#start;
    const slab = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, (used + byteCount) * 2));
    this.#slab.copy(slab, 0, this.#start, at);
    this.#slab = slab;
    this.#start = 0;
    this.#at = used + byteCount;
    return used;
  }
}
