/** Rows of a segment's records in the order of the log, in pages. */
import { PAGE_WORDS, type Page, type PageMemory } from "@stashlight/paged-memory";

/** Marks the cell of a record that need not be kept. */
export const DEAD = -1;

/** State of the cells apart from their pages. */
export interface SavedCells {
  readonly pages: readonly Page[];
  readonly count: number;
}

export class Cells {
  readonly #memory: PageMemory;
  #pages: Page[] = [];
  #count = 0;

  constructor(memory: PageMemory) {
    this.#memory = memory;
  }

  /** Number of records, dead ones included. */
  get count(): number {
    return this.#count;
  }

  save(): SavedCells {
    return { pages: this.#pages, count: this.#count };
  }

  restore({ pages, count }: SavedCells): void {
    this.#pages = [...pages];
    this.#count = count;
  }

  add(row: number): void {
    const at = this.#count % PAGE_WORDS;
    if (at === 0) this.#pages.push(this.#memory.allocate());
    this.#memory.change(this.#pages[this.#pages.length - 1] as Page).words[at] = row;
    this.#count++;
  }

  /** Returns the row of a record, or DEAD. */
  rowAt(cell: number): number {
    const { words } = this.#memory.look(this.#pages[Math.floor(cell / PAGE_WORDS)] as Page);
    return (words[cell % PAGE_WORDS] as number) | 0;
  }

  bury(cell: number): void {
    this.#memory.change(this.#pages[Math.floor(cell / PAGE_WORDS)] as Page).words[cell % PAGE_WORDS] = DEAD;
  }

  clear(): void {
    for (const page of this.#pages) this.#memory.free(page);
    this.#pages = [];
    this.#count = 0;
  }
}
