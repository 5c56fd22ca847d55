/**
 * Segments of bodies, from the thread that receives them to the one that hashes them, through shared memory. The reader
 * sleeps while there is none, so adding one costs no message, and it is read within microseconds.
 */
import assert from "node:assert/strict";

export interface Segment {
  /** Number of the body. */
  readonly id: number;
  /** Place of its bytes in the shared memory. */
  readonly address: number;
  readonly length: number;
  readonly flags: number;
}

/** Flags of a segment. */
export const HAS_SHA256 = 1;
/** Its bytes belong to a chunk whose SHA-256 is wanted. */
export const IN_CHUNK = 2;
export const ENDS_CHUNK = 4;
/** The body ends with it, and its digests are sent as a message. */
export const ENDS_BODY = 8;
/** The body is dropped. */
export const ABANDONS = 16;

/**
 * More than all blocks hold, even if every second chunk is of the smallest size that is hashed by itself. A power of
 * two, so that counts may wrap around.
 */
const SEGMENT_COUNT_MAX = 4096;
const WRITTEN = 0;
const READ = 1;
const HEADER_WORDS = 2;
const WORDS = 4;

export const QUEUE_BYTES = 4 * (HEADER_WORDS + SEGMENT_COUNT_MAX * WORDS);

export class SegmentQueue {
  readonly #words: Int32Array<SharedArrayBuffer>;

  /** `memory` has QUEUE_BYTES, all zero at first. */
  constructor(memory: SharedArrayBuffer) {
    this.#words = new Int32Array(memory, 0, QUEUE_BYTES / 4);
  }

  /** Adds a segment and returns its number. */
  add({ id, address, length, flags }: Segment): number {
    const words = this.#words;
    const number = words[WRITTEN] as number;
    assert(
      ((number - Atomics.load(words, READ)) | 0) < SEGMENT_COUNT_MAX,
      "the queue has a place for each segment",
    );
    words.set([id, address, length, flags], wordOf(number));
    Atomics.store(words, WRITTEN, (number + 1) | 0);
    Atomics.notify(words, WRITTEN);
    return number;
  }

  /** Returns true once the reader is done with the segment of this number. */
  isRead(number: number): boolean {
    return ((Atomics.load(this.#words, READ) - number) | 0) > 0;
  }

  /** Waits for the next segment, and passes it to `read`. */
  next(read: (segment: Segment) => void): void {
    const words = this.#words;
    const number = words[READ] as number;
    Atomics.wait(words, WRITTEN, number);
    const at = wordOf(number);
    const [id, address, length, flags] = words.subarray(at, at + WORDS) as unknown as [
      number,
      number,
      number,
      number,
    ];
    read({ id, address, length, flags });
    Atomics.store(words, READ, (number + 1) | 0);
  }
}

const wordOf = (number: number): number => HEADER_WORDS + (number & (SEGMENT_COUNT_MAX - 1)) * WORDS;
