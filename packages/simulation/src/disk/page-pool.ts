import assert from "node:assert/strict";

export const PAGE_BYTES = 4096;

const PAGES_PER_SLAB = 64;

/**
 * Page buffers for many disks and runs. Pages are cut from slabs, because one array buffer per page costs more than
 * the data written to it. A page from the pool still holds the bytes of its last user.
 */
export class PagePool {
  readonly #free: Uint8Array[] = [];
  #slabCount = 0;

  take(): Uint8Array {
    return this.#free.pop() ?? this.#takeFromNewSlab();
  }

  give(page: Uint8Array): void {
    assert(page.length === PAGE_BYTES, "Only pages come back to the pool.");
    this.#free.push(page);
  }

  get pagesInUse(): number {
    return this.#slabCount * PAGES_PER_SLAB - this.#free.length;
  }

  #takeFromNewSlab(): Uint8Array {
    const slab = new ArrayBuffer(PAGES_PER_SLAB * PAGE_BYTES);
    this.#slabCount++;
    for (let page = 1; page < PAGES_PER_SLAB; page++) {
      this.#free.push(new Uint8Array(slab, page * PAGE_BYTES, PAGE_BYTES));
    }
    return new Uint8Array(slab, 0, PAGE_BYTES);
  }
}
