/**
 * Splits received data into frames. A frame that is whole within one chunk is used in place; one that spans several is
 * collected in memory of exactly its size, so each of its bytes is copied once. A frame with payloads in a borrowed
 * chunk is copied too, since payloads are passed on as views; unless frames are lent: then each is valid until the next
 * one is requested, and none has its own memory.
 */
import { type Frame, type FrameHeader, frameLengthBytes, HEADER_BYTES, readHeader } from "./codec/frame.ts";

/** Size of the buffer for lent frames; larger ones that span chunks are rare, and get their own memory. */
const LENT_BYTES_MAX = 262_144;

export class FrameReader {
  /** Larger frames are refused before anything is allocated for them. */
  frameBytesMax: number;
  /** Received bytes that have not been split yet. */
  #chunks: Buffer[] = [];
  #at = 0;
  #isBorrowed = false;
  /** The frame that is being collected, once its header is known. */
  #frame: { header: FrameHeader; bytes: Buffer; filled: number } | null = null;
  /** Start of a header that was cut off at the end of its chunk. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;
  readonly #areLent: boolean;
  /** Buffer reused for lent frames that span chunks. */
  #lent = Buffer.alloc(0);

  constructor(frameBytesMax: number, areLent = false) {
    this.frameBytesMax = frameBytesMax;
    this.#areLent = areLent;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  /** Adds a chunk that is valid only until `keep` is called, and so are the frames without payloads from it. */
  pushBorrowed(chunk: Buffer): void {
    this.keep();
    this.#chunks.push(chunk);
    this.#isBorrowed = true;
  }

  /** Copies the unprocessed remainder of a borrowed chunk. */
  keep(): void {
    if (!this.#isBorrowed) return;
    this.#isBorrowed = false;
    const borrowed = this.#chunks.pop();
    if (!borrowed) return;
    const from = this.#chunks.length === 0 ? this.#at : 0;
    if (this.#chunks.length === 0) this.#at = 0;
    this.#chunks.push(Buffer.from(borrowed.subarray(from)));
  }

  /**
   * Returns the next whole frame, or null until more bytes are pushed. Throws a `FrameError`, after which the reader
   * must not be used.
   */
  next(): Frame | null {
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const frame = this.#frame ? this.#collect(chunk) : this.#begin(chunk);
      if (this.#at === chunk.length) {
        this.#chunks.shift();
        this.#at = 0;
        if (this.#chunks.length === 0) this.#isBorrowed = false;
      }
      if (frame) return frame;
    }
    return null;
  }

  #begin(chunk: Buffer): Frame | null {
    const left = chunk.length - this.#at;
    if (this.#headerFilled > 0 || left < HEADER_BYTES) return this.#collectHeader(chunk);
    const at = this.#at;
    const header = readHeader(chunk, at, this.frameBytesMax);
    const bytes = frameLengthBytes(header);
    const isKept = header.payloadBytes > 0 && !this.#areLent;
    const mayStay = !isKept || !this.#isBorrowed || this.#chunks.length > 1;
    if (bytes <= left && mayStay) {
      this.#at += bytes;
      return { header, bytes: chunk, at };
    }
    return this.#collectFrom(header, chunk);
  }

  #collectHeader(chunk: Buffer): Frame | null {
    const copied = chunk.copy(this.#header, this.#headerFilled, this.#at);
    this.#at += copied;
    this.#headerFilled += copied;
    if (this.#headerFilled < HEADER_BYTES) return null;
    this.#headerFilled = 0;
    const header = readHeader(this.#header, 0, this.frameBytesMax);
    const bytes = this.#memoryFor(frameLengthBytes(header));
    this.#header.copy(bytes);
    this.#frame = { header, bytes, filled: HEADER_BYTES };
    return this.#collect(chunk);
  }

  #collectFrom(header: FrameHeader, chunk: Buffer): Frame | null {
    this.#frame = { header, bytes: this.#memoryFor(frameLengthBytes(header)), filled: 0 };
    return this.#collect(chunk);
  }

  #memoryFor(byteCount: number): Buffer {
    if (!this.#areLent || byteCount > LENT_BYTES_MAX) return Buffer.allocUnsafeSlow(byteCount);
    if (this.#lent.length < byteCount) this.#lent = Buffer.allocUnsafeSlow(byteCount);
    return this.#lent.subarray(0, byteCount);
  }

  #collect(chunk: Buffer): Frame | null {
    const frame = this.#frame;
    if (!frame) return null;
    const copied = chunk.copy(frame.bytes, frame.filled, this.#at);
    this.#at += copied;
    frame.filled += copied;
    if (frame.filled < frame.bytes.length) return null;
    this.#frame = null;
    return { header: frame.header, bytes: frame.bytes, at: 0 };
  }
}
