/**
 * A folder of a file system as the disk of one log. Writes go through the page cache and are made durable by
 * fdatasync, or in the same call by a descriptor with O_DSYNC; direct reads are O_DIRECT reads into page-aligned memory, so that they show what the medium holds.
 */
import { close, constants, fdatasync, fstat, fsync, open, read, readdir, rename, rm, write } from "node:fs";
import { join } from "node:path";
import { type Disk, type DiskDone, DiskError, type DiskFile, type FileDone } from "../disk.ts";
import { lockFolder } from "./lock.ts";

/** The one part of WebAssembly that is used; its types come with a browser's, which this package has no use for. */
declare const WebAssembly: {
  readonly Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer };
};

const CHUNK_BYTES = 1_048_576;
const ALIGN_BYTES = 4096;
const WASM_PAGE_BYTES = 65_536;
const PARTIAL_SUFFIX = ".partial";

export interface NodeDiskOptions {
  /** `buffered` gives up on telling what is only in the page cache; for file systems without O_DIRECT, in trials. */
  readonly directReads: "required" | "buffered";
}

export interface NodeDisk extends Disk {
  /** Gives the folder free; the files of the log must be closed. */
  close(done: DiskDone): void;
}

/** Takes an existing folder for this process alone. */
export function openNodeDisk(
  folder: string,
  options: NodeDiskOptions,
  done: (error: DiskError | null, disk: NodeDisk | null) => void,
): void {
  lockFolder(folder, (error, lock) => {
    if (error !== null || lock === null) done(error, null);
    else done(null, new FolderDisk(folder, options, lock));
  });
}

function failure(doing: string, error: NodeJS.ErrnoException): DiskError {
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "EFBIG";
  const code = isFull
    ? "no_space"
    : error.code === "ENOENT"
      ? "not_found"
      : error.code === "EEXIST"
        ? "exists"
        : "io";
  return new DiskError(code, `${doing}: ${error.message}.`, error);
}

/** Writes all of the bytes, however few the system takes at a time. */
function writeAll(descriptor: number, offset: number, bytes: Uint8Array, at: number, done: DiskDone): void {
  write(descriptor, bytes, at, bytes.length - at, offset + at, (error, count) => {
    if (error !== null) done(failure("A write failed", error));
    else if (count === 0) done(new DiskError("no_space", "The device takes no more bytes."));
    else if (at + count < bytes.length) writeAll(descriptor, offset, bytes, at + count, done);
    else done(null);
  });
}

function readAll(descriptor: number, offset: number, target: Uint8Array, at: number, done: DiskDone): void {
  read(descriptor, target, at, target.length - at, offset + at, (error, count) => {
    if (error !== null) done(failure("A read failed", error));
    else if (count === 0) done(new DiskError("io", "The file is shorter than it was made."));
    else if (at + count < target.length) readAll(descriptor, offset, target, at + count, done);
    else done(null);
  });
}

/** Reads past the page cache, one at a time, through one piece of memory that begins at a page. */
class DirectReader {
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

class FolderDisk implements NodeDisk {
  readonly #folder: string;
  readonly #options: NodeDiskOptions;
  readonly #lock: number;
  readonly #direct = new DirectReader();

  constructor(folder: string, options: NodeDiskOptions, lock: number) {
    this.#folder = folder;
    this.#options = options;
    this.#lock = lock;
  }

  list(done: (error: DiskError | null, names: readonly string[]) => void): void {
    readdir(this.#folder, (error, names) => {
      if (error !== null) done(failure(`${this.#folder} cannot be listed`, error), []);
      else
        done(
          null,
          names.filter((name) => !name.endsWith(PARTIAL_SUFFIX)),
        );
    });
  }

  /** Made under another name, so that a file with its own name is always whole. */
  create(name: string, sizeBytes: number, done: FileDone): void {
    const path = join(this.#folder, name);
    const partial = `${path}${PARTIAL_SUFFIX}`;
    const fail = (error: DiskError): void => rm(partial, { force: true }, () => done(error, null));
    const { O_RDWR, O_CREAT, O_TRUNC } = constants;
    open(partial, O_RDWR | O_CREAT | O_TRUNC, 0o600, (error, descriptor) => {
      if (error !== null) {
        done(failure(`${partial} cannot be made`, error), null);
        return;
      }
      fillWithZeros(descriptor, sizeBytes, (failed) => {
        close(descriptor, (unclosed) => {
          const cause = failed ?? (unclosed ? failure(`${partial} cannot be closed`, unclosed) : null);
          if (cause !== null) fail(cause);
          else {
            rename(partial, path, (unnamed) => {
              if (unnamed !== null) fail(failure(`${path} cannot be named`, unnamed));
              else
                this.#syncFolder((unsynced) => (unsynced === null ? this.open(name, done) : fail(unsynced)));
            });
          }
        });
      });
    });
  }

  open(name: string, done: FileDone): void {
    const path = join(this.#folder, name);
    const { O_RDWR, O_RDONLY, O_DSYNC, O_DIRECT } = constants;
    const isDirect = this.#options.directReads === "required";
    if (isDirect && O_DIRECT === undefined) {
      setImmediate(done, noDirectReads(path), null);
      return;
    }
    const modes = [O_RDWR, O_RDWR | O_DSYNC, ...(isDirect ? [O_RDONLY | O_DIRECT] : [])];
    openEach(path, modes, [], (error, descriptors) => {
      const [plain, durable, direct] = descriptors as [number, number, number?];
      const fail = (cause: DiskError): void => closeEach(descriptors, () => done(cause, null));
      if (error !== null) {
        const isOnlyDirect = descriptors.length === 2;
        fail(isOnlyDirect ? noDirectReads(path, error) : failure(`${path} cannot be opened`, error));
        return;
      }
      fstat(plain, (unknown, stats) => {
        if (unknown !== null) fail(failure(`${path} has no size`, unknown));
        else
          done(null, new FolderFile({ plain, durable, direct: direct ?? plain }, stats.size, this.#direct));
      });
    });
  }

  close(done: DiskDone): void {
    close(this.#lock, (error) => done(error ? failure("The lock cannot be closed", error) : null));
  }

  #syncFolder(done: DiskDone): void {
    open(this.#folder, constants.O_RDONLY, (error, descriptor) => {
      if (error !== null) done(failure(`${this.#folder} cannot be opened`, error));
      else {
        fsync(descriptor, (failed) =>
          close(descriptor, () => done(failed ? failure(`${this.#folder} cannot be synced`, failed) : null)),
        );
      }
    });
  }
}

/** In every mode, or with the first error those that were opened before it. */
function openEach(
  path: string,
  [mode, ...others]: readonly number[],
  opened: readonly number[],
  done: (error: NodeJS.ErrnoException | null, descriptors: readonly number[]) => void,
): void {
  if (mode === undefined) {
    done(null, opened);
    return;
  }
  open(path, mode, (error, descriptor) => {
    if (error === null) openEach(path, others, [...opened, descriptor], done);
    else done(error, opened);
  });
}

/** All of them; tells the first error. */
function closeEach(
  [descriptor, ...others]: readonly number[],
  done: (error: NodeJS.ErrnoException | null) => void,
): void {
  if (descriptor === undefined) done(null);
  else close(descriptor, (error) => closeEach(others, (later) => done(error ?? later)));
}

function noDirectReads(path: string, cause?: unknown): DiskError {
  const message = `${path} cannot be read past the page cache (O_DIRECT); use a file system such as ext4 or XFS.`;
  return new DiskError("unsupported", message, cause);
}

function fillWithZeros(descriptor: number, sizeBytes: number, done: DiskDone): void {
  const zeros = new Uint8Array(Math.min(CHUNK_BYTES, sizeBytes));
  const fillFrom = (offset: number): void => {
    if (offset >= sizeBytes) {
      fsync(descriptor, (error) => done(error ? failure("A new file cannot be synced", error) : null));
      return;
    }
    const chunk = zeros.subarray(0, Math.min(zeros.length, sizeBytes - offset));
    writeAll(descriptor, offset, chunk, 0, (error) =>
      error === null ? fillFrom(offset + chunk.length) : done(error),
    );
  };
  fillFrom(0);
}

/** A file opened in three ways; `direct` is `plain` where there are no direct reads. */
interface Descriptors {
  readonly plain: number;
  readonly durable: number;
  readonly direct: number;
}

class FolderFile implements DiskFile {
  readonly sizeBytes: number;
  readonly #descriptors: Descriptors;
  readonly #direct: DirectReader;

  constructor(descriptors: Descriptors, sizeBytes: number, direct: DirectReader) {
    this.#descriptors = descriptors;
    this.sizeBytes = sizeBytes;
    this.#direct = direct;
  }

  readonly writeDurably = (offset: number, bytes: Uint8Array, done: DiskDone): void => {
    writeAll(this.#descriptors.durable, offset, bytes, 0, done);
  };

  write(offset: number, bytes: Uint8Array, done: DiskDone): void {
    writeAll(this.#descriptors.plain, offset, bytes, 0, done);
  }

  sync(done: DiskDone): void {
    fdatasync(this.#descriptors.plain, (error) => done(error ? failure("fdatasync failed", error) : null));
  }

  read(offset: number, target: Uint8Array, done: DiskDone): void {
    readAll(this.#descriptors.plain, offset, target, 0, done);
  }

  readDirect(offset: number, target: Uint8Array, done: DiskDone): void {
    if (offset % ALIGN_BYTES !== 0 || target.length % ALIGN_BYTES !== 0) {
      throw new RangeError(`A direct read is of whole ${ALIGN_BYTES}-byte pages.`);
    }
    this.#direct.read(this.#descriptors.direct, offset, target, done);
  }

  close(done: DiskDone): void {
    closeEach([...new Set(Object.values(this.#descriptors))], (error) =>
      done(error === null ? null : failure("A file cannot be closed", error)),
    );
  }
}
