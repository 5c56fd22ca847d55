/** A page file that has no name, so that the system removes it with the process. */
import assert from "node:assert/strict";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { PAGE_BYTES, type Page } from "../page-buffer.ts";
import type { PageFile } from "../page-file.ts";

const CHECKSUMS_AT_FIRST = 1024;

export class ScratchFile implements PageFile {
  readonly #file: number;
  /** Checksum of each page as it was written last. */
  #checksums = new Uint32Array(CHECKSUMS_AT_FIRST);
  #byteLength = 0;
  #isClosed = false;

  /** Creates the file in a folder. Throws if that is impossible. */
  constructor(folder: string, name: string) {
    const path = join(folder, name);
    rmSync(path, { force: true });
    this.#file = openSync(path, "wx+", 0o600);
    rmSync(path);
  }

  /** Length of the file. */
  get byteLength(): number {
    return this.#byteLength;
  }

  write(page: Page, bytes: Uint8Array): void {
    this.#assertOpen();
    const start = page * PAGE_BYTES;
    for (let at = 0; at < PAGE_BYTES; ) at += writeSync(this.#file, bytes, at, PAGE_BYTES - at, start + at);
    this.#byteLength = Math.max(this.#byteLength, start + PAGE_BYTES);
    if (page >= this.#checksums.length) this.#enlarge(page);
    this.#checksums[page] = crc32(bytes);
  }

  read(page: Page, bytes: Uint8Array): void {
    this.#assertOpen();
    const start = page * PAGE_BYTES;
    for (let at = 0; at < PAGE_BYTES; ) {
      const count = readSync(this.#file, bytes, at, PAGE_BYTES - at, start + at);
      if (count === 0) throw new Error(`The index's file ends before page ${page}.`);
      at += count;
    }
    if (crc32(bytes) !== this.#checksums[page])
      throw new Error(
        `Page ${page} of the index fails its checksum: the drive returned other bytes than were written.`,
      );
  }

  /** Does nothing the second time. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      closeSync(this.#file);
    } catch {
      // Nothing of its content is needed any more.
    }
  }

  /** The system gives the number of a closed file to the next one. */
  #assertOpen(): void {
    assert(!this.#isClosed, "A closed file is neither read nor written.");
  }

  #enlarge(page: Page): void {
    const larger = new Uint32Array(Math.max(page + 1, 2 * this.#checksums.length));
    larger.set(this.#checksums);
    this.#checksums = larger;
  }
}
