/**
 * Memory in pages, of which a limited number is in the process; the others are in a file that holds them until the
 * process ends.
 *
 *     allocated --changed, not used for a while--> written, not held --looked at--> held
 *                                                        ^---not used for a while---'
 *
 * A page's buffer is valid until the next call of `relax`, which alone lets pages go. Owners of data structures call
 * it as an operation begins and keep no buffer from one operation to the next.
 */
import assert from "node:assert/strict";
import { HeldPage, type Page, type PageBuffer } from "./page-buffer.ts";
import { PageError } from "./page-error.ts";
import type { PageFile } from "./page-file.ts";

export interface PageMemoryOptions {
  /** Pages that stay in memory, at least as many as one operation looks at. */
  readonly heldPagesMax: number;
  readonly file: PageFile;
}

const PAGES_AT_FIRST = 64;
/** Buffers of pages that left memory, which are used again. */
const SPARE_MAX = 64;
/** Growth of the pages held, as a share, after which writing is tried again if the file took none. */
const RETRY_GROWTH = 1 / 16;
/** Pages written at a time once the file takes pages again; the next operation goes on. */
const WRITES_MAX = 1024;

export class PageMemory {
  readonly #file: PageFile | null;
  readonly #heldPagesMax: number;
  readonly #held: HeldPage[] = [];
  readonly #spare: HeldPage[] = [];
  /** Each page that is in memory, by its number. */
  readonly #heldOf: (HeldPage | null)[] = [];
  #freePages = new Int32Array(PAGES_AT_FIRST);
  #freeCount = 0;
  /** Number of pages ever allocated at a time. */
  #pageCount = 0;
  #hand = 0;
  /** Pages held from which on the file is written again; above the limit after it failed. */
  #lettingGoFrom: number;
  #error: Error | null = null;

  /** Without options all pages stay in memory. */
  constructor(options: PageMemoryOptions | null = null) {
    this.#file = options?.file ?? null;
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

  /** Why the file took no page the last time; null if it did. Until it does, pages stay in memory. */
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
    if (this.#freeCount === this.#freePages.length) this.#freePages = enlarged(this.#freePages);
    this.#freePages[this.#freeCount++] = page;
  }

  /** Returns a page to read. Throws a PageError, like `change`, if the file cannot give it back. */
  look(page: Page): PageBuffer {
    return this.#use(page);
  }

  /** Returns a page to change. */
  change(page: Page): PageBuffer {
    const held = this.#use(page);
    held.isChanged = true;
    return held;
  }

  /** Lets go of pages above the limit, those that were not used lately first. */
  relax(): void {
    if (this.#held.length > this.#lettingGoFrom) this.#letGoOfMany();
  }

  /** Has pages written with the next operation if the file took none the last time. */
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
      this.#file.read(page, held.bytes);
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
    return this.#pageCount++;
  }

  /** Looks at the pages in turn, and passes over one that was used since the last turn. */
  #letGoOfMany(): void {
    let isWritable = true;
    let writesLeft = WRITES_MAX;
    // After two turns each page has been looked at when it was not recent.
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
        this.#file?.released?.(held.page, held.bytes);
        this.#letGo(held);
      }
    }
    const retryGrowth = isWritable ? 0 : Math.ceil(RETRY_GROWTH * this.#held.length);
    this.#lettingGoFrom = Math.max(this.#heldPagesMax, this.#held.length) + retryGrowth;
  }

  #isWritten(held: HeldPage): boolean {
    try {
      (this.#file as PageFile).write(held.page, held.bytes);
    } catch (error) {
      this.#error = error as Error;
      return false;
    }
    held.isChanged = false;
    this.#error = null;
    return true;
  }

  /** The last page takes the place of the one that goes. */
  #letGo(held: HeldPage): void {
    const last = this.#held.pop() as HeldPage;
    this.#heldOf[held.page] = null;
    if (this.#spare.length < SPARE_MAX) this.#spare.push(held);
    if (last === held) return;
    this.#held[held.index] = last;
    last.index = held.index;
  }
}

function enlarged(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * numbers.length);
  larger.set(numbers);
  return larger;
}
