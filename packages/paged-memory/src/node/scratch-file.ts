/**
 * A file of pages. Without a name, the system removes it with the process; with one, the next process may continue with
 * what this one has synced.
 */
import assert from "node:assert/strict";
import {
  closeSync,
  fstatSync,
  fsync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { PAGE_BYTES } from "../page-buffer.ts";
import type { PageFile } from "../page-file.ts";

export class ScratchFile implements PageFile {
  readonly #file: number;
  readonly #path: string;
  #byteLength = 0;
  #isClosed = false;

  /**
   * Creates the file in a folder, or opens the file that an earlier process has left if it is `kept`. Throws if that is
   * impossible.
   */
  constructor(folder: string, name: string, lifetime: "process" | "named" | "kept" = "process") {
    const path = join(folder, name);
    this.#path = path;
    if (lifetime === "kept") {
      this.#file = openSync(path, "r+");
      this.#byteLength = fstatSync(this.#file).size;
      return;
    }
    rmSync(path, { force: true });
    this.#file = openSync(path, "wx+", 0o600);
    if (lifetime === "process") rmSync(path);
  }

  /** Makes the pages durable. */
  sync(done: (error: Error | null) => void): void {
    this.#assertOpen();
    fsync(this.#file, done);
  }

  /** Drops all pages. */
  clear(): void {
    this.#assertOpen();
    ftruncateSync(this.#file);
    this.#byteLength = 0;
  }

  /** Length of the file. */
  get byteLength(): number {
    return this.#byteLength;
  }

  write(slot: number, bytes: Uint8Array): void {
    this.#assertOpen();
    const start = slot * PAGE_BYTES;
    for (let at = 0; at < PAGE_BYTES; ) at += writeSync(this.#file, bytes, at, PAGE_BYTES - at, start + at);
    this.#byteLength = Math.max(this.#byteLength, start + PAGE_BYTES);
  }

  read(slot: number, bytes: Uint8Array): void {
    this.#assertOpen();
    const start = slot * PAGE_BYTES;
    for (let at = 0; at < PAGE_BYTES; ) {
      const count = readSync(this.#file, bytes, at, PAGE_BYTES - at, start + at);
      if (count === 0) throw new Error(`The index's file ends before slot ${slot}.`);
      at += count;
    }
  }

  /** Removes the name, unless another file has it by now. */
  remove(): void {
    if (this.#isClosed) return;
    try {
      if (statSync(this.#path).ino === fstatSync(this.#file).ino) rmSync(this.#path);
    } catch {
      // Ignored, because the next process that needs the name removes it.
    }
  }

  /** Has no effect when called again. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      closeSync(this.#file);
    } catch {
      // Ignored, because its content is no longer needed.
    }
  }

  /** The system reuses the number of a closed file. */
  #assertOpen(): void {
    assert(!this.#isClosed, "A closed file is neither read nor written.");
  }
}
