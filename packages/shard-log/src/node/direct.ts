/**
 * Direct I/O, past the page cache. Its memory has to begin at a page, which only WebAssembly memory guarantees here, so
 * bytes are copied through such memory; the page cache would copy them as well.
 */
import type { DiskDone } from "../disk.ts";
import { readAll, writeAll } from "./transfer.ts";

/** The part of WebAssembly used here; its types are in the browser library, which this package does not use. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

const CHUNK_BYTES = 1_048_576;
const WASM_PAGE_BYTES = 65_536;
const SLOT_BYTES = 1_048_576;
/** Enough slots for the drives of one process; each drive writes one frame at a time. */
const SLOT_COUNT = 32;

/** Reads past the page cache, one read at a time, through one page-aligned buffer. */
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

/** Writes from memory slots that all files of the process share; the most recently used slot is reused first. */
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

  /**
   * Writes whole pages at a page offset; returns false, and writes nothing, if no slot is free or the bytes do not
   * fit into one.
   */
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
