import assert from "node:assert/strict";
import { ErasureError } from "./error.ts";

/** Stripes are aligned and rounded to a page of memory. */
export const PAGE_BYTES = 4096;

interface Span {
  readonly address: number;
  readonly byteCount: number;
}

/**
 * Allocates page-aligned spans of a fixed range of addresses, first fit. The free spans are ordered and separate:
 * neighbours are merged.
 */
export class Arena {
  readonly byteCount: number;
  #free: Span[];

  constructor(address: number, byteCount: number) {
    assert(address % PAGE_BYTES === 0 && byteCount % PAGE_BYTES === 0);
    this.byteCount = byteCount;
    this.#free = [{ address, byteCount }];
  }

  get freeBytes(): number {
    return this.#free.reduce((sum, span) => sum + span.byteCount, 0);
  }

  take(byteCount: number): number {
    const index = this.#free.findIndex((span) => span.byteCount >= byteCount);
    const span = this.#free[index];
    if (span === undefined) {
      const largest = Math.max(0, ...this.#free.map((each) => each.byteCount));
      throw new ErasureError(
        "arena_exhausted",
        `The arena has no space for a stripe of ${byteCount} bytes: ${this.freeBytes} of its ${this.byteCount} bytes are free, at most ${largest} in one piece. Release stripes first, or make the arena larger.`,
      );
    }
    const rest = { address: span.address + byteCount, byteCount: span.byteCount - byteCount };
    this.#free.splice(index, 1, ...(rest.byteCount > 0 ? [rest] : []));
    return span.address;
  }

  giveBack(address: number, byteCount: number): void {
    const after = this.#free.findIndex((span) => span.address > address);
    const index = after < 0 ? this.#free.length : after;
    const previous = this.#free[index - 1];
    const next = this.#free[index];
    const touchesPrevious = previous !== undefined && previous.address + previous.byteCount === address;
    const touchesNext = next !== undefined && address + byteCount === next.address;
    const merged = {
      address: touchesPrevious ? previous.address : address,
      byteCount: byteCount + (touchesPrevious ? previous.byteCount : 0) + (touchesNext ? next.byteCount : 0),
    };
    const first = touchesPrevious ? index - 1 : index;
    this.#free.splice(first, Number(touchesPrevious) + Number(touchesNext), merged);
  }
}
