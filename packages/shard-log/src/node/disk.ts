/**
 * A folder of a file system as the disk of one log. Writes go through the page cache and are made durable by fdatasync,
 * or past it and durably in one call, by a descriptor with O_DIRECT and O_DSYNC; direct reads use O_DIRECT, so that
 * they return the content of the medium.
 */
import { close, constants, fdatasync, fstat, fsync, open, readdir, rename, rm } from "node:fs";
import { join } from "node:path";
import { type Disk, type DiskDone, DiskError, type DiskFile, type FileDone } from "../disk.ts";
import { DirectReader, writeDirect } from "./direct.ts";
import { lockFolder } from "./lock.ts";
import { SyncGate } from "./sync-gate.ts";
import { failure, readAll, writeAll } from "./transfer.ts";

const CHUNK_BYTES = 1_048_576;
const ALIGN_BYTES = 4096;
const PARTIAL_SUFFIX = ".partial";

const SYNCS_MAX = 4;
const SLOW_SYNC_MS = 1000;

/** Shared by all disks of the process. */
const syncs = new SyncGate(SYNCS_MAX, SLOW_SYNC_MS);

export interface NodeDiskOptions {
  /**
   * `buffered` does not detect data that is only in the page cache; it is for trials on file systems without O_DIRECT.
   */
  readonly directReads: "required" | "buffered";
}

export interface NodeDisk extends Disk {
  /** Releases the folder; the files of the log must be closed. */
  close(done: DiskDone): void;
}

/** Locks an existing folder for this process alone. */
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

  /** Creates the file under another name first, so that a file with its own name is always complete. */
  create(name: string, sizeBytes: number, done: FileDone): void {
    const path = join(this.#folder, name);
    const partial = `${path}${PARTIAL_SUFFIX}`;
    const fail = (error: DiskError): void => rm(partial, { force: true }, () => done(error, null));
    const { O_RDWR, O_CREAT, O_TRUNC } = constants;
    open(partial, O_RDWR | O_CREAT | O_TRUNC, 0o600, (error, descriptor) => {
      if (error !== null) {
        done(failure(`${partial} cannot be created`, error), null);
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
    const { O_RDWR, O_DSYNC, O_DIRECT } = constants;
    const isDirect = this.#options.directReads === "required";
    if (isDirect && O_DIRECT === undefined) {
      setImmediate(done, noDirectReads(path), null);
      return;
    }
    const modes = [O_RDWR, O_RDWR | O_DSYNC | (isDirect ? O_DIRECT : 0)];
    openEach(path, modes, [], (error, descriptors) => {
      const [plain, durable] = descriptors as [number, number];
      const fail = (cause: DiskError): void => closeEach(descriptors, () => done(cause, null));
      if (error !== null) {
        const isOnlyDirect = isDirect && descriptors.length === 1;
        fail(isOnlyDirect ? noDirectReads(path, error) : failure(`${path} cannot be opened`, error));
        return;
      }
      fstat(plain, (unknown, stats) => {
        if (unknown !== null) fail(failure(`${path} has no size`, unknown));
        else done(null, new FolderFile({ plain, durable, isDirect }, stats.size, this.#direct));
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

/** Opens the file in every mode; on an error, passes the first one with the descriptors opened before it. */
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

/** Closes all descriptors; passes the first error to `done`. */
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

/** A file opened twice. */
interface Descriptors {
  readonly plain: number;
  /** Descriptor whose writes are durable when the call returns. */
  readonly durable: number;
  /** True if the durable descriptor bypasses the page cache. */
  readonly isDirect: boolean;
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
    const { durable, isDirect } = this.#descriptors;
    const isAligned = offset % ALIGN_BYTES === 0 && bytes.length % ALIGN_BYTES === 0;
    if (!isDirect) writeAll(durable, offset, bytes, 0, done);
    else if (!isAligned || !writeDirect(durable, offset, bytes, done)) {
      this.write(offset, bytes, (error) => (error === null ? this.sync(done) : done(error)));
    }
  };

  write(offset: number, bytes: Uint8Array, done: DiskDone): void {
    writeAll(this.#descriptors.plain, offset, bytes, 0, done);
  }

  sync(done: DiskDone): void {
    syncs.run((end) =>
      fdatasync(this.#descriptors.plain, (error) => {
        end();
        done(error ? failure("fdatasync failed", error) : null);
      }),
    );
  }

  read(offset: number, target: Uint8Array, done: DiskDone): void {
    readAll(this.#descriptors.plain, offset, target, 0, done);
  }

  readDirect(offset: number, target: Uint8Array, done: DiskDone): void {
    if (offset % ALIGN_BYTES !== 0 || target.length % ALIGN_BYTES !== 0) {
      throw new RangeError(`A direct read is of whole ${ALIGN_BYTES}-byte pages.`);
    }
    const { durable, plain, isDirect } = this.#descriptors;
    this.#direct.read(isDirect ? durable : plain, offset, target, done);
  }

  close(done: DiskDone): void {
    const { plain, durable } = this.#descriptors;
    closeEach([plain, durable], (error) =>
      done(error === null ? null : failure("A file cannot be closed", error)),
    );
  }
}
