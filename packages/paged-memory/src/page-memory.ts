/**
 * Paged memory: a limited number of pages is in the process, and the others are in a file that holds them until the
 * process ends.
 *
 *     allocated --changed, not used for a while--> written, not held --looked at--> held
 *                                                        ^---not used for a while---'
 *
 * A page's buffer is valid until the next call of `relax`, which alone lets pages go. Owners of data structures call
 * it as an operation begins and keep no buffer from one operation to the next.
 *
 * The file has slots. A page that was saved and changes again is written to another slot, so that what was saved stays
 * whole until something later is kept instead (`keep`).
 */
import assert from "node:assert/strict";
import { HeldPage, type Page, type PageBuffer } from "./page-buffer.ts";
import { PageError } from "./page-error.ts";
import type { PageFile } from "./page-file.ts";

export interface PageMemoryOptions {
  /** Number of pages that stay in memory, at least as many as one operation uses. */
  readonly heldPagesMax: number;
  readonly file: PageFile;
  /** Computes a checksum, which proves that a page was read as it was last written. */
  readonly checksum?: (bytes: Uint8Array) => number;
}

/** State of a memory whose pages are all in its file. */
export interface SavedPages {
  readonly pageCount: number;
  readonly freePages: Int32Array;
  /** Slot of each page in the file; NO_SLOT for a free one. */
  readonly slots: Int32Array;
  /** Checksum of each page in the file, which detects any other content, such as that of an earlier time. */
  readonly checksums: Uint32Array;
}

/** Slot of a page that was never written, or is free. */
const NO_SLOT = -1;
const NO_SLOTS = new Int32Array(0);
const PAGES_AT_FIRST = 64;
/** Buffers of pages that left memory, kept for reuse. */
const SPARE_MAX = 64;
const WRONG_CHECKSUM = "it fails its checksum, as the bytes in its file differ from those written";
/** Growth of the pages in memory, as a share, after which writing is retried if the file accepted none. */
const RETRY_GROWTH = 1 / 16;
/** Pages written at a time once the file accepts pages again; the next operation continues. */
const WRITES_MAX = 1024;

export class PageMemory {
  readonly #file: PageFile | null;
  readonly #heldPagesMax: number;
  readonly #held: HeldPage[] = [];
  readonly #spare: HeldPage[] = [];
  /** Each page that is in memory, by its number. */
  readonly #heldOf: (HeldPage | null)[] = [];
  readonly #checksum: (bytes: Uint8Array) => number;
  #checksums = new Uint32Array(PAGES_AT_FIRST);
  #slots = new Int32Array(PAGES_AT_FIRST).fill(NO_SLOT);
  /** Number of slots in the file. */
  #slotCount = 0;
  #freeSlots: number[] = [];
  /** 1 for each slot that saved state refers to and that must not be overwritten. */
  #savedSlots = new Uint8Array(PAGES_AT_FIRST);
  /** Slots of the kept state. */
  #kept: readonly Int32Array[] = [];
  #freePages = new Int32Array(PAGES_AT_FIRST);
  #freeCount = 0;
  /** Highest number of pages that were allocated at the same time. */
  #pageCount = 0;
  #hand = 0;
  /** Number of pages in memory from which pages are written to the file again; above the limit after a failure. */
  #lettingGoFrom: number;
  #error: Error | null = null;

  /** Without options all pages stay in memory. */
  constructor(options: PageMemoryOptions | null = null) {
    this.#file = options?.file ?? null;
    this.#checksum = options?.checksum ?? (() => 0);
    this.#heldPagesMax = options?.heldPagesMax ?? Number.POSITIVE_INFINITY;
    this.#lettingGoFrom = this.#heldPagesMax;
  }

  /** Number of pages in memory. */
  get heldCount(): number {
    return this.#held.length;
  }

  /** Number of pages in use, in memory or in the file. */
  get pageCount(): number {
    return this.#pageCount - this.#freeCount;
  }

  /**
   * Reason why the file rejected the last page; null if it accepted it. After a rejection, pages stay in memory until
   * the file accepts one.
   */
  get error(): Error | null {
    return this.#error;
  }

  /** Returns a page of zeroes. */
  allocate(): Page {
    const page = this.#freeCount > 0 ? (this.#freePages[--this.#freeCount] as number) : this.#addPage();
    const held = this.#hold(page);
    held.words.fill(0);
    held.isChanged = true;
    return page;
  }

  free(page: Page): void {
    const held = this.#heldOf[page] as HeldPage | null;
    if (held !== null) this.#letGo(held);
    this.#leaveSlot(page);
    if (this.#freeCount === this.#freePages.length) this.#freePages = enlarged(this.#freePages);
    this.#freePages[this.#freeCount++] = page;
  }

  /** Returns a page to read. Throws a PageError, like `change`, if it cannot be read from the file. */
  look(page: Page): PageBuffer {
    return this.#use(page);
  }

  /** Returns a page to change. */
  change(page: Page): PageBuffer {
    const held = this.#use(page);
    held.isChanged = true;
    return held;
  }

  /** Evicts pages above the limit, starting with those not used recently. */
  relax(): void {
    if (this.#held.length > this.#lettingGoFrom) this.#letGoOfMany();
  }

  /**
   * Writes all pages to the file, and returns the data that `adopt` needs in addition. The slots are not overwritten
   * until a later save is kept. Throws if the file cannot be written; a memory without a file cannot be saved.
   */
  save(): SavedPages {
    assert(this.#file !== null, "Only pages of a file are saved.");
    for (const held of this.#held) {
      if (!held.isChanged) continue;
      this.#write(held);
    }
    const [pageCount, freePages] = [this.#pageCount, this.#freePages.slice(0, this.#freeCount)];
    const slots = this.#slots.slice(0, pageCount);
    markSlots(this.#savedSlots, slots);
    return { pageCount, freePages, slots, checksums: this.#checksums.slice(0, pageCount) };
  }

  /** Preserves these pages, and frees the slots of earlier ones. */
  keep({ slots }: Pick<SavedPages, "slots">): void {
    this.#kept = [slots];
    this.forgetSaved();
  }

  /** Preserves these pages in addition to those already kept. */
  keepAlso({ slots }: Pick<SavedPages, "slots">): void {
    this.#kept = [...this.#kept, slots];
  }

  /** Frees the slots of pages that were saved and are not kept. */
  forgetSaved(): void {
    this.#savedSlots.fill(0);
    for (const slots of this.#kept) markSlots(this.#savedSlots, slots);
    const isUsed = this.#savedSlots.slice();
    markSlots(isUsed, this.#slots.subarray(0, this.#pageCount));
    this.#freeSlots = [];
    for (let slot = 0; slot < this.#slotCount; slot++) if (isUsed[slot] === 0) this.#freeSlots.push(slot);
  }

  /**
   * Continues with the pages that another process has saved in the file; nothing was allocated before. The saved state
   * is not kept.
   */
  adopt({ pageCount, freePages, slots, checksums }: SavedPages): void {
    assert(this.#pageCount === 0 && this.#file !== null, "Pages are adopted by an empty memory with a file.");
    for (let page = 0; page < pageCount; page++) this.#heldOf.push(null);
    this.#pageCount = pageCount;
    this.#freePages = new Int32Array(Math.max(PAGES_AT_FIRST, freePages.length));
    this.#freePages.set(freePages);
    this.#freeCount = freePages.length;
    this.#checksums = new Uint32Array(Math.max(PAGES_AT_FIRST, pageCount));
    this.#checksums.set(checksums);
    this.#slots = new Int32Array(Math.max(PAGES_AT_FIRST, pageCount)).fill(NO_SLOT);
    this.#slots.set(slots);
    for (const slot of slots) this.#slotCount = Math.max(this.#slotCount, slot + 1);
    this.#savedSlots = new Uint8Array(Math.max(PAGES_AT_FIRST, this.#slotCount));
    this.keep({ slots: NO_SLOTS });
  }

  /** Retries writing pages with the next operation if the file rejected the last page. */
  tryAgain(): void {
    this.#lettingGoFrom = this.#heldPagesMax;
  }

  #use(page: Page): HeldPage {
    const held = this.#heldOf[page] as HeldPage | null;
    if (held === null) return this.#load(page);
    held.isRecent = true;
    return held;
  }

  #load(page: Page): HeldPage {
    assert(this.#file !== null, "a page that was never allocated");
    const held = this.#hold(page);
    try {
      this.#file.read(this.#slots[page] as number, held.bytes);
      if (this.#checksum(held.bytes) !== this.#checksums[page]) throw new Error(WRONG_CHECKSUM);
    } catch (error) {
      this.#letGo(held);
      throw new PageError(page, error as Error);
    }
    return held;
  }

  #hold(page: Page): HeldPage {
    const held = this.#spare.pop() ?? new HeldPage();
    held.page = page;
    held.isChanged = false;
    held.isRecent = true;
    held.index = this.#held.length;
    this.#heldOf[page] = held;
    this.#held.push(held);
    return held;
  }

  #addPage(): Page {
    this.#heldOf.push(null);
    if (this.#pageCount === this.#checksums.length) {
      const larger = new Uint32Array(2 * this.#pageCount);
      larger.set(this.#checksums);
      this.#checksums = larger;
      const slots = new Int32Array(2 * this.#pageCount).fill(NO_SLOT);
      slots.set(this.#slots);
      this.#slots = slots;
    }
    return this.#pageCount++;
  }

  /** Returns the slot to write the page to. */
  #slotFor(page: Page): number {
    const slot = this.#slots[page] as number;
    if (slot !== NO_SLOT && this.#savedSlots[slot] === 0) return slot;
    const free = this.#freeSlots.pop();
    if (free !== undefined) return free;
    if (this.#slotCount === this.#savedSlots.length) {
      const larger = new Uint8Array(2 * this.#slotCount);
      larger.set(this.#savedSlots);
      this.#savedSlots = larger;
    }
    return this.#slotCount++;
  }

  #leaveSlot(page: Page): void {
    const slot = this.#slots[page] as number;
    if (slot !== NO_SLOT && this.#savedSlots[slot] === 0) this.#freeSlots.push(slot);
    this.#slots[page] = NO_SLOT;
  }

  /** Checks the pages in rotation, and skips pages used since the last round. */
  #letGoOfMany(): void {
    let isWritable = true;
    let writesLeft = WRITES_MAX;
    // After two rounds each page has been checked once without its mark.
    let leftToLook = 2 * this.#held.length;
    while (this.#held.length > this.#heldPagesMax && leftToLook-- > 0) {
      if (this.#hand >= this.#held.length) this.#hand = 0;
      const held = this.#held[this.#hand] as HeldPage;
      if (!held.isRecent && held.isChanged && isWritable) {
        if (writesLeft-- === 0) return;
        isWritable = this.#isWritten(held);
      }
      if (held.isRecent || held.isChanged) {
        held.isRecent = false;
        this.#hand++;
      } else {
        this.#file?.released?.(this.#slots[held.page] as number, held.bytes);
        this.#letGo(held);
      }
    }
    const retryGrowth = isWritable ? 0 : Math.ceil(RETRY_GROWTH * this.#held.length);
    this.#lettingGoFrom = Math.max(this.#heldPagesMax, this.#held.length) + retryGrowth;
  }

  #isWritten(held: HeldPage): boolean {
    try {
      this.#write(held);
    } catch (error) {
      this.#error = error as Error;
      return false;
    }
    this.#error = null;
    return true;
  }

  #write(held: HeldPage): void {
    const { page, bytes } = held;
    const slot = this.#slotFor(page);
    try {
      (this.#file as PageFile).write(slot, bytes);
    } catch (error) {
      if (slot !== this.#slots[page]) this.#freeSlots.push(slot);
      throw error;
    }
    this.#slots[page] = slot;
    held.isChanged = false;
    this.#checksums[page] = this.#checksum(bytes);
  }

  /** The last page moves to the index of the evicted one. */
  #letGo(held: HeldPage): void {
    const last = this.#held.pop() as HeldPage;
    this.#heldOf[held.page] = null;
    if (this.#spare.length < SPARE_MAX) this.#spare.push(held);
    if (last === held) return;
    this.#held[held.index] = last;
    last.index = held.index;
  }
}

/** Sets the mark of each of these slots to one. */
function markSlots(marks: Uint8Array, slots: Int32Array): void {
  for (const slot of slots) if (slot !== NO_SLOT) marks[slot] = 1;
}

function enlarged(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
