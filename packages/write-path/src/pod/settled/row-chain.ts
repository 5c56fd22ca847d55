/**
 * A row that is longer than a page, as a chain of pages. It is written once and never changed in place.
 *
 * The last word of a page is the number of the next one plus one, or 0 at the end.
 */
import { PAGE_BYTES, PAGE_WORDS, type Page, type PageMemory } from "@stashlight/paged-memory";

const NEXT_WORD = PAGE_WORDS - 1;
const BYTES_PER_PAGE = PAGE_BYTES - 4;

/** Writes the bytes to new pages; returns the first of them. */
export function writeChain(memory: PageMemory, row: Buffer): Page {
  const pages: Page[] = [];
  for (let at = 0; at < row.length; at += BYTES_PER_PAGE) {
    const page = memory.allocate();
    row.copy(memory.change(page).bytes, 0, at, at + BYTES_PER_PAGE);
    const before = pages.at(-1);
    if (before !== undefined) memory.change(before).words[NEXT_WORD] = page + 1;
    pages.push(page);
  }
  return pages[0] as Page;
}

export function readChain(memory: PageMemory, first: Page, length: number): Buffer {
  const row = Buffer.allocUnsafeSlow(length);
  let page = first;
  for (let at = 0; at < length; at += BYTES_PER_PAGE) {
    const { bytes, words } = memory.look(page);
    bytes.copy(row, at, 0, Math.min(BYTES_PER_PAGE, length - at));
    page = (words[NEXT_WORD] as number) - 1;
  }
  return row;
}

/** Returns the number of pages. */
const chainPages = (length: number): number => Math.ceil(length / BYTES_PER_PAGE);

export function freeChain(memory: PageMemory, first: Page, length: number): void {
  let page = first;
  for (let left = chainPages(length); left > 0; left -= 1) {
    const next = (memory.look(page).words[NEXT_WORD] as number) - 1;
    memory.free(page);
    page = next;
  }
}
