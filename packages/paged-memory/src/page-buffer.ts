/** A page in memory. */

/** As small as the units in which drives write, because a change of a few rows costs a page. */
export const PAGE_BYTES = 4096;
export const PAGE_WORDS = PAGE_BYTES / 4;

/** Number of a page. Numbers of freed pages are reused. */
export type Page = number;

/** The content of a page as bytes and as words, which are the same memory. */
export interface PageBuffer {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
}

/** The memory of one page, with its state for the owner. */
export class HeldPage implements PageBuffer {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  page: Page = -1;
  /** Index among the pages in memory. */
  index = -1;
  /** True if the file lacks this content. */
  isChanged = false;
  /** True if it was used since the last search for a page to write out. */
  isRecent = false;

  constructor() {
    this.bytes = Buffer.allocUnsafeSlow(PAGE_BYTES);
    this.words = new Uint32Array(this.bytes.buffer, 0, PAGE_WORDS);
  }
}
