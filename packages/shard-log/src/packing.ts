/**
 * Counts the pages that records and purges take when they are moved in order, by the writer's rules: in the rest of one
 * segment, and from the first frame that does not fit there, in a fresh one.
 */
import { purgeListBytes } from "./batch.ts";
import { alignPage, FRAME_HEADER_BYTES, PAGE_BYTES } from "./format.ts";

export class Packing {
  readonly #restBytes: number;
  readonly #frameBytesMax: number;
  /** True if the fresh segment is needed; the counts below then apply to that one. */
  #isFresh = false;
  #frameCount = 0;
  /** Bytes of the frames before the last. */
  #closedBytes = 0;
  #closedPaddedBytes = 0;
  /** Bytes of the last frame: header and records, and the purges after them. */
  #recordBytes = 0;
  #purgeCount = 0;

  constructor(restBytes: number, frameBytesMax: number) {
    this.#restBytes = restBytes;
    this.#frameBytesMax = frameBytesMax;
  }

  add(recordBytes: number, purgeCount: number): void {
    if (this.#frameCount > 0 && this.#grow(this.#recordBytes + recordBytes, this.#purgeCount + purgeCount))
      return;
    this.#closedBytes += this.#lastBytes;
    this.#closedPaddedBytes += alignPage(this.#lastBytes);
    this.#recordBytes = 0;
    this.#purgeCount = 0;
    if (!this.#grow(FRAME_HEADER_BYTES + recordBytes, purgeCount)) {
      this.#isFresh = true;
      this.#frameCount = 0;
      this.#closedBytes = 0;
      this.#closedPaddedBytes = 0;
      this.#recordBytes = FRAME_HEADER_BYTES + recordBytes;
      this.#purgeCount = purgeCount;
    }
    this.#frameCount++;
  }

  /** Sets the content of the last frame, if it fits. */
  #grow(recordBytes: number, purgeCount: number): boolean {
    const bytes = recordBytes + purgeListBytes(purgeCount);
    const isInside = this.#isFresh || this.#closedPaddedBytes + alignPage(bytes) <= this.#restBytes;
    if (bytes > this.#frameBytesMax || !isInside) return false;
    this.#recordBytes = recordBytes;
    this.#purgeCount = purgeCount;
    return true;
  }

  get #lastBytes(): number {
    return this.#recordBytes + purgeListBytes(this.#purgeCount);
  }

  /** Bytes used in the rest of the segment; null if not everything fits there. */
  get bytesInRest(): number | null {
    return this.#isFresh ? null : this.#closedPaddedBytes + alignPage(this.#lastBytes);
  }

  /**
   * Upper bound of bytes in the fresh segment: wherever its first frame begins, each frame may be padded by almost a
   * page.
   */
  get bytesInFreshMax(): number {
    if (!this.#isFresh) return 0;
    return (Math.floor((this.#closedBytes + this.#lastBytes) / PAGE_BYTES) + this.#frameCount) * PAGE_BYTES;
  }
}
