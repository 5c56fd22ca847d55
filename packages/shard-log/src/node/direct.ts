/**
 * What moves past the page cache. Its memory has to begin at a page, which only that of WebAssembly does here, so bytes
 * are copied through such memory; the page cache would copy them as well.
 */
import type { DiskDone } from "../disk.ts";
import { readAll, writeAll } from "./transfer.ts";

/** The one part of WebAssembly that is used; its types come with a browser's, which this package has no use for. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

const CHUNK_BYTES = 1_048_576;
const WASM_PAGE_BYTES = 65_536;
const SLOT_BYTES = 1_048_576;
/** For the drives of one process, of which each writes one frame at a time. */
const SLOT_COUNT = 32;

/** Reads past the page cache, one at a time, through one piece of memory that begins at a page. */
export class DirectReader {
  readonly #memory = new Uint8Array(
    new WebAssembly.Memory({ initial: CHUNK_BYTES / WASM_PAGE_BYTES }).buffer,
  );
  readonly #queue: (() => void)[] = [];
  #isBusy = false;

  read(descriptor: number, offset: number, target: Uint8Array, done: DiskDone): void {
    this.#queue.push(() => this.#chunk(descriptor, offset, target, 0, done));
    this.#next();
  }

  #next(): void {
    if (this.#isBusy) return;
    const start = this.#queue.shift();
    if (start === undefined) return;
    this.#isBusy = true;
    start();
  }

  #chunk(descriptor: number, offset: number, target: Uint8Array, at: number, done: DiskDone): void {
    const length = Math.min(CHUNK_BYTES, target.length - at);
    readAll(descriptor, offset + at, this.#memory.subarray(0, length), 0, (error) => {
      if (error === null) target.set(this.#memory.subarray(0, length), at);
      if (error === null && at + length < target.length) {
        this.#chunk(descriptor, offset, target, at + length, done);
        return;
      }
      this.#isBusy = false;
      done(error);
      this.#next();
    });
  }
}

/** Writes from slots of memory that all files of the process share; a slot that was used last is used next. */
class DirectWriter {
  readonly #free: Uint8Array[];

  constructor() {
    const pages = (SLOT_COUNT * SLOT_BYTES) / WASM_PAGE_BYTES;
    const { buffer } = new WebAssembly.Memory({ initial: pages });
    this.#free = Array.from(
      { length: SLOT_COUNT },
      (_, at) => new Uint8Array(buffer, at * SLOT_BYTES, SLOT_BYTES),
    );
  }

  /** Whole pages at a whole page; false when it cannot take them, and nothing is written then. */
  write(descriptor: number, offset: number, bytes: Uint8Array, done: DiskDone): boolean {
    const slot = bytes.length <= SLOT_BYTES ? this.#free.pop() : undefined;
    if (slot === undefined) return false;
    slot.set(bytes);
    writeAll(descriptor, offset, slot.subarray(0, bytes.length), 0, (error) => {
      this.#free.push(slot);
      done(error);
    });
    return true;
  }
}

let shared: DirectWriter | null = null;

export function writeDirect(descriptor: number, offset: number, bytes: Uint8Array, done: DiskDone): boolean {
  shared ??= new DirectWriter();
  return shared.write(descriptor, offset, bytes, done);
}
