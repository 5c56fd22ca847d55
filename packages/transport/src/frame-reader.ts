/**
 * Cuts what a socket delivers into frames. A frame that lies whole in one chunk is used where it is; one that spans
 * several is collected in memory of exactly its size, so each of its bytes is copied once.
 */
import { type Frame, type FrameHeader, frameBytesOf, HEADER_BYTES, readHeader } from "./codec/frame.ts";

export class FrameReader {
  /** Larger frames are refused before anything is allocated for them. */
  frameBytesMax: number;
  /** Received and not yet cut. */
  #chunks: Buffer[] = [];
  #at = 0;
  /** The frame that is being collected, once its header is known. */
  #frame: { header: FrameHeader; bytes: Buffer; filled: number } | null = null;
  /** The beginning of a header that ended with its chunk. */
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #headerFilled = 0;

  constructor(frameBytesMax: number) {
    this.frameBytesMax = frameBytesMax;
  }

  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  /** The next whole frame, or null until more is pushed. Throws a `FrameError`, after which it must not be used. */
  next(): Frame | null {
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const frame = this.#frame ? this.#collect(chunk) : this.#begin(chunk);
      if (this.#at === chunk.length) {
        this.#chunks.shift();
        this.#at = 0;
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
    const bytes = frameBytesOf(header);
    if (bytes <= left) {
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
    const bytes = Buffer.allocUnsafeSlow(frameBytesOf(header));
    this.#header.copy(bytes);
    this.#frame = { header, bytes, filled: HEADER_BYTES };
    return this.#collect(chunk);
  }

  #collectFrom(header: FrameHeader, chunk: Buffer): Frame | null {
    this.#frame = { header, bytes: Buffer.allocUnsafeSlow(frameBytesOf(header)), filled: 0 };
    return this.#collect(chunk);
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
