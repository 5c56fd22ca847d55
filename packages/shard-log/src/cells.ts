/** Rows of a segment's records in the order of the log, outside V8's heap. */

/** Marks the cell of a record that need not be kept. */
export const DEAD = -1;

const CELLS_AT_FIRST = 64;

export class Cells {
  #rows = new Int32Array(0);
  #count = 0;

  /** Number of records, dead ones included. */
  get count(): number {
    return this.#count;
  }

  add(row: number): void {
    if (this.#count === this.#rows.length) {
      const larger = new Int32Array(Math.max(CELLS_AT_FIRST, 2 * this.#count));
      larger.set(this.#rows);
      this.#rows = larger;
    }
    this.#rows[this.#count++] = row;
  }

  /** Returns the row of a record, or DEAD. */
  rowAt(cell: number): number {
    return this.#rows[cell] as number;
  }

  bury(cell: number): void {
    this.#rows[cell] = DEAD;
  }
}
