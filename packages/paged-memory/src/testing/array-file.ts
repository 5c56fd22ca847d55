/** A page file in memory, for tests and simulations. */
import assert from "node:assert/strict";
import type { PageFile } from "../page-file.ts";

export class ArrayFile implements PageFile {
  readonly #pages = new Map<number, Uint8Array>();
  /** The next write fails with this error. */
  failure: Error | null = null;
  writeCount = 0;
  readCount = 0;
  readonly #failingRead: number | null;

  /** `failingRead` is the number of a read that fails; all others succeed. */
  constructor(failingRead: number | null = null) {
    this.#failingRead = failingRead;
  }

  /** Returns a file with the same pages, as another process finds it. */
  copy(failingRead: number | null = null): ArrayFile {
    const copy = new ArrayFile(failingRead);
    for (const [page, bytes] of this.#pages) copy.#pages.set(page, bytes.slice());
    return copy;
  }

  write(slot: number, bytes: Uint8Array): void {
    if (this.failure !== null) throw this.failure;
    this.writeCount++;
    this.#pages.set(slot, new Uint8Array(bytes));
  }

  read(slot: number, bytes: Uint8Array): void {
    const written = this.#pages.get(slot);
    assert(written !== undefined, `slot ${slot} was never written`);
    if (++this.readCount === this.#failingRead) throw new Error("the drive cannot read it");
    bytes.set(written);
  }

  /** Finds a change that was made to a page that its owner only looked at, and exposes later uses of its bytes. */
  released(slot: number, bytes: Uint8Array): void {
    const written = this.#pages.get(slot);
    assert(
      written !== undefined && Buffer.compare(written, bytes) === 0,
      `the page in slot ${slot} was changed unannounced`,
    );
    bytes.fill(0xa5);
  }
}
