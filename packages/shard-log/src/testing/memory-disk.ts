/**
 * A disk in memory whose operations wait in a queue until the test runs them, with a page cache: `read` sees unsynced
 * writes and `readDirect` does not, and the test decides the effect of a power cut on them.
 */
import { type Disk, type DiskDone, DiskError, type DiskFile, type FileDone } from "../disk.ts";

const PAGE_BYTES = 4096;

export type OperationName =
  | "list"
  | "create"
  | "open"
  | "write"
  | "sync"
  | "writeDurably"
  | "read"
  | "readDirect"
  | "close";
/** Fate of a page that was not synced. */
export type PageFate = "kept" | "dropped" | "corrupt";

interface CachedPage {
  readonly bytes: Uint8Array;
  /** False after a failed sync: the page is still served from the cache, but never written to the medium. */
  isDirty: boolean;
}

class MemoryFile {
  readonly medium: Uint8Array;
  readonly cache = new Map<number, CachedPage>();

  constructor(medium: Uint8Array) {
    this.medium = medium;
  }

  page(index: number): CachedPage {
    const start = index * PAGE_BYTES;
    const cached = this.cache.get(index) ?? {
      bytes: this.medium.slice(start, start + PAGE_BYTES),
      isDirty: false,
    };
    this.cache.set(index, cached);
    return cached;
  }

  read(offset: number, target: Uint8Array): void {
    target.set(this.medium.subarray(offset, offset + target.length));
    for (const [index, { bytes }] of this.cache) {
      const from = Math.max(offset, index * PAGE_BYTES);
      const to = Math.min(offset + target.length, (index + 1) * PAGE_BYTES);
      if (from < to)
        target.set(bytes.subarray(from % PAGE_BYTES, (from % PAGE_BYTES) + to - from), from - offset);
    }
  }

  write(offset: number, bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      const index = Math.floor((offset + at) / PAGE_BYTES);
      const inPage = (offset + at) % PAGE_BYTES;
      const length = Math.min(PAGE_BYTES - inPage, bytes.length - at);
      const page = this.page(index);
      page.bytes.set(bytes.subarray(at, at + length), inPage);
      page.isDirty = true;
      at += length;
    }
  }

  sync(): void {
    for (const [index, page] of this.cache) {
      if (page.isDirty) {
        this.medium.set(page.bytes, index * PAGE_BYTES);
        this.cache.delete(index);
      }
    }
  }

  writeDurably(offset: number, bytes: Uint8Array): void {
    this.write(offset, bytes);
    this.sync();
  }

  forgetDirty(): void {
    for (const page of this.cache.values()) page.isDirty = false;
  }
}

export class MemoryDisk implements Disk {
  readonly #files = new Map<string, MemoryFile>();
  readonly #queue: (() => void)[] = [];
  /** Called before each operation; an error fails it. A failed sync leaves its pages clean and not on the medium. */
  onOperation: (name: OperationName, file: string) => DiskError | null = () => null;
  /** Called with the result of a direct read; may garble it, or fail the read. */
  onDirectRead: (file: string, offset: number, read: Uint8Array) => DiskError | null = () => null;
  /** True if its files can write and sync in one call. */
  hasDurableWrites = false;

  /** Runs queued operations, and those they cause, until nothing is queued or `most` have run. */
  run(most = Number.POSITIVE_INFINITY): number {
    let count = 0;
    while (count < most) {
      const operation = this.#queue.shift();
      if (operation === undefined) break;
      operation();
      count++;
    }
    return count;
  }

  get queuedCount(): number {
    return this.#queue.length;
  }

  /** Returns the names of all files. */
  names(): string[] {
    return [...this.#files.keys()].sort();
  }

  medium(name: string): Uint8Array {
    const file = this.#files.get(name);
    if (file === undefined) throw new Error(`There is no file "${name}".`);
    return file.medium;
  }

  /** Returns the disk after a power cut: the callbacks of queued operations are never called. */
  powerCut(fateOf: (file: string, page: number) => PageFate): MemoryDisk {
    const left = new MemoryDisk();
    for (const [name, file] of this.#files) {
      const medium = file.medium.slice();
      for (const [index, page] of file.cache) {
        if (!page.isDirty) continue;
        const fate = fateOf(name, index);
        const start = index * PAGE_BYTES;
        if (fate === "kept") medium.set(page.bytes, start);
        if (fate === "corrupt") medium.fill(0xa5, start + 512, start + 1536);
      }
      left.#files.set(name, new MemoryFile(medium));
    }
    return left;
  }

  /** Returns the disk after a crash of the process: the page cache is kept. */
  processCrash(): MemoryDisk {
    const left = new MemoryDisk();
    for (const [name, file] of this.#files) left.#files.set(name, file);
    return left;
  }

  list(done: (error: DiskError | null, names: readonly string[]) => void): void {
    this.#queue.push(() => {
      const error = this.onOperation("list", "");
      done(error, error === null ? this.names() : []);
    });
  }

  create(name: string, sizeBytes: number, done: FileDone): void {
    this.#queue.push(() => {
      const exists = this.#files.has(name) ? new DiskError("exists", `"${name}" exists.`) : null;
      const error = this.onOperation("create", name) ?? exists;
      if (error === null) this.#files.set(name, new MemoryFile(new Uint8Array(sizeBytes)));
      done(error, error === null ? this.#handle(name) : null);
    });
  }

  open(name: string, done: FileDone): void {
    this.#queue.push(() => {
      const missing = this.#files.has(name) ? null : new DiskError("not_found", `There is no "${name}".`);
      const error = this.onOperation("open", name) ?? missing;
      done(error, error === null ? this.#handle(name) : null);
    });
  }

  #handle(name: string): DiskFile {
    const file = this.#files.get(name) as MemoryFile;
    const queue = (operation: OperationName, act: () => void, done: DiskDone): void => {
      this.#queue.push(() => {
        const error = this.onOperation(operation, name);
        if (error === null) act();
        else if (operation === "sync" || operation === "writeDurably") file.forgetDirty();
        done(error);
      });
    };
    const isInside = (offset: number, bytes: Uint8Array): void => {
      if (offset < 0 || offset + bytes.length > file.medium.length)
        throw new Error(`Past the end of ${name}.`);
    };
    return {
      sizeBytes: file.medium.length,
      writeDurably: this.hasDurableWrites
        ? (offset, bytes, done) => {
            isInside(offset, bytes);
            queue("writeDurably", () => file.writeDurably(offset, bytes), done);
          }
        : undefined,
      write: (offset, bytes, done) => {
        isInside(offset, bytes);
        queue("write", () => file.write(offset, bytes), done);
      },
      sync: (done) => queue("sync", () => file.sync(), done),
      read: (offset, target, done) => {
        isInside(offset, target);
        queue("read", () => file.read(offset, target), done);
      },
      readDirect: (offset, target, done) => {
        isInside(offset, target);
        if (offset % PAGE_BYTES !== 0 || target.length % PAGE_BYTES !== 0)
          throw new Error("Not whole pages.");
        const read = (): void => target.set(file.medium.subarray(offset, offset + target.length));
        queue("readDirect", read, (error) => done(error ?? this.onDirectRead(name, offset, target)));
      },
      close: (done) => queue("close", () => {}, done),
    };
  }
}
