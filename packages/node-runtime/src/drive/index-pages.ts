/**
 * The pages of a pod's index: a limited number in memory, the others in a file on the drive or in a folder on a faster
 * one. Checkpoints and clean shutdowns leave them with a root (index-root.ts), from which the next boot continues;
 * without one, a boot begins with an empty file and reads the log. Headers that it reads are in an unnamed file until
 * it has ended.
 */
import { statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { PAGE_BYTES, PageMemory } from "@stashlight/paged-memory";
import { ScratchFile } from "@stashlight/paged-memory/node";
import type { LogResumption } from "@stashlight/shard-log";
import { type IndexFiles, resumeBoot, type SavedBoot } from "@stashlight/shard-store";
import {
  dropIndexRoot,
  encodeIndexRoot,
  type IndexRoot,
  readIndexRoot,
  removeIndexRoot,
  removePartialRoot,
  writeIndexRoot,
} from "./index-root.ts";

export interface IndexPagesOptions {
  /** Bytes of pages that stay in memory, per drive. */
  readonly heldBytesMax: number;
  /** Folder of the files; null for the folder of each drive. */
  readonly folder: string | null;
}

/** Enough for the pages that uploads in progress use; the system's page cache holds others, as far as memory allows. */
export const defaultIndexPages: IndexPagesOptions = { heldBytesMax: 16 * 1_048_576, folder: null };

/** Headers are read one after the other. */
const START_PAGES = 128;
/** Bytes of a record's entry in pages, until it has been measured. */
const RECORD_BYTES = 300;
/** With fewer records, the bytes per record are not measured. */
const RECORDS_MEASURED_MIN = 100_000;
/** Pages are freed with their last entry. An index with more bytes than this multiple of a new one's is built again. */
const BLOAT_MAX = 2;
/** Free space of a file system is read again after this time. */
const READ_EVERY_MS = 10_000;

export interface IndexPagesUse {
  readonly heldBytes: number;
  readonly fileBytes: number;
  /**
   * Reason why the file rejected the last page; null if it accepted it. After a rejection, pages stay in memory until
   * the file accepts one.
   */
  readonly error: string | null;
}

export class IndexPages {
  readonly memory: PageMemory;
  /** Memory for the headers that a boot reads. */
  readonly startMemory: PageMemory;
  /** The file system of the file, on which other pods may have theirs; null if it does not answer. */
  readonly fileSystem: number | null;
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #files: readonly ScratchFile[];
  /** Reason why there is no file; null if there is one. */
  readonly #refusal: string | null;
  readonly #rootPath: string;
  readonly #driveId: string;
  /** Bytes of a record's entry in pages when the index was built from the log. */
  #builtRecordBytes = RECORD_BYTES;
  /** Root that the last boot left; null if it cannot be used, and once it has been compared with the log. */
  #left: IndexRoot | null = null;
  /** Reason why the boot reads the log; null if it continues from the index that the last boot saved. */
  #scanReason: string | null = null;
  /** True if a root of this boot may exist. */
  #isKept = false;
  #syncFailure: Error | null = null;
  #freeBytes = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  /**
   * Without a file in the folder, the whole index stays in memory. `scanReason` is why the log is read even if there is a
   * root.
   */
  constructor(
    { heldBytesMax, folder }: IndexPagesOptions,
    drive: { readonly path: string; readonly driveId: string },
    nowMs: () => number,
    scanReason: string | null = null,
  ) {
    this.#scanReason = scanReason;
    this.#folder = folder ?? drive.path;
    this.fileSystem = ask(() => statSync(this.#folder).dev);
    this.#nowMs = nowMs;
    this.#driveId = drive.driveId;
    this.#rootPath = join(this.#folder, `index-${drive.driveId}.root`);
    const names = [`index-${drive.driveId}`, `start-${drive.driveId}`] as const;
    const { files, refusal } = this.#openLeft(names) ?? createFiles(this.#folder, names);
    this.#files = files;
    this.#refusal = refusal;
    const [file, startFile] = files;
    const heldPagesMax = Math.floor(heldBytesMax / PAGE_BYTES);
    this.memory = new PageMemory(file === undefined ? null : { heldPagesMax, file, checksum: crc32 });
    this.startMemory = new PageMemory(
      startFile === undefined ? null : { heldPagesMax: START_PAGES, file: startFile, checksum: crc32 },
    );
  }

  /** Returns null if the files that the last boot left cannot be used. */
  #openLeft([name, startName]: readonly [string, string]): Files | null {
    ask(() => removePartialRoot(this.#rootPath));
    const root = this.#scanReason ?? readIndexRoot(this.#rootPath, this.#driveId);
    if (typeof root === "string") this.#scanReason = root;
    else {
      const files: ScratchFile[] = [];
      try {
        files.push(new ScratchFile(this.#folder, `${name}.partial`, "kept"));
        files.push(new ScratchFile(this.#folder, `${startName}.partial`));
      } catch (error) {
        this.#scanReason = `its file cannot be opened: ${(error as Error).message}`;
      }
      // Pages that were written after a checkpoint follow.
      if (files.length === 2 && (files[0]?.byteLength ?? 0) < root.fileBytes)
        this.#scanReason = "its file is shorter than it was";
      if (this.#scanReason === null) {
        this.#left = root;
        return { files, refusal: null };
      }
      for (const file of files) file.close();
    }
    // If that fails, the epoch of the log shows that the root is older.
    ask(() => dropIndexRoot(this.#rootPath));
    return null;
  }

  /** Reason why the boot read the log; null if it continued from the index that the last boot saved. */
  get scanReason(): string | null {
    return this.#scanReason;
  }

  /**
   * Returns the index that the last boot left; null if there is none. An opening that fails before it has decided
   * whether to use the index leaves it to the next one.
   */
  takeLeft(): { readonly boot: SavedBoot; readonly resume: LogResumption } | null {
    if (this.#left === null) return null;
    const { boot, builtRecordBytes } = this.#left;
    const decided = (reason: string | null) => {
      this.#left = null;
      this.#scanReason = reason;
      if (reason === null) this.#builtRecordBytes = builtRecordBytes;
    };
    return { boot, resume: resumeBoot(boot, this.memory, this.files, decided) };
  }

  /**
   * Reason why no root is written any more; null while roots may be written. After a failed sync the system may count
   * pages as clean that the drive does not have, so no later success proves anything. An earlier root stays as it is.
   */
  get syncFailure(): string | null {
    return this.#syncFailure && `a sync of its file has failed: ${this.#syncFailure.message}`;
  }

  /** The files for `saveBoot` and `resumeBoot`. */
  get files(): IndexFiles {
    const [file] = this.#files;
    return {
      syncPages: (done) => {
        const error = file === undefined ? new Error("there is no file") : this.#syncFailure;
        if (error !== null) done(error);
        else
          file?.sync((failed) => {
            this.#syncFailure = failed;
            done(failed);
          });
      },
      prepareRoot: (boot) => {
        const [driveId, builtRecordBytes] = [this.#driveId, this.#builtRecordBytes];
        const root = encodeIndexRoot({ driveId, fileBytes: file?.byteLength ?? 0, builtRecordBytes, boot });
        return (done) =>
          writeIndexRoot(this.#rootPath, root, (error, isNamed) => {
            this.#isKept ||= isNamed;
            if (isNamed) this.#syncFailure = error;
            done(error, isNamed);
          });
      },
      removeRoot: (done) =>
        removeIndexRoot(this.#rootPath, (error) => {
          this.#isKept &&= error !== null;
          done(error);
        }),
      clearPages: () => file?.clear(),
    };
  }

  use(): IndexPagesUse {
    const { heldCount } = this.memory;
    const error = this.memory.error ?? this.startMemory.error;
    return {
      heldBytes: heldCount * PAGE_BYTES,
      fileBytes: this.#files[0]?.byteLength ?? 0,
      error: this.#refusal ?? error?.message ?? null,
    };
  }

  /** Estimates how many more records' entries the file system has space for. */
  recordsUntilFull(recordCount: number): number {
    const nowMs = this.#nowMs();
    if (nowMs - this.#readMs >= READ_EVERY_MS) {
      this.#readMs = nowMs;
      this.#freeBytes = ask(() => freeBytesIn(this.#folder)) ?? this.#freeBytes;
    }
    const usedBytes = this.memory.pageCount * PAGE_BYTES;
    const recordBytes = recordCount < RECORDS_MEASURED_MIN ? RECORD_BYTES : usedBytes / recordCount;
    // The next start may have the headers of all records in a file as well, and checkpoints up to three slots for a page.
    const fileBytes = this.#files[0]?.byteLength ?? 0;
    const freeBytes = Math.max(0, this.#freeBytes - Math.max(usedBytes, 3 * usedBytes - fileBytes));
    return Math.floor(freeBytes / (2 * recordBytes));
  }

  /** Removes the file of the headers that the boot read, once they are released. */
  started(recordCount: number): void {
    this.#files[1]?.close();
    if (this.#scanReason !== null && recordCount >= RECORDS_MEASURED_MIN)
      this.#builtRecordBytes = (this.memory.pageCount * PAGE_BYTES) / recordCount;
  }

  /** Returns why the next start should build a new index, or null. */
  refusalToSave(recordCount: number): string | null {
    const newBytes = this.#builtRecordBytes * Math.max(recordCount, RECORDS_MEASURED_MIN);
    return this.memory.pageCount * PAGE_BYTES > BLOAT_MAX * newBytes ? "its pages are half empty" : null;
  }

  /** Removes the file, unless a root refers to it. */
  close(): void {
    if (!this.#isKept && this.#left === null) this.#files[0]?.remove();
    for (const file of this.#files) file.close();
  }
}

interface Files {
  readonly files: readonly ScratchFile[];
  readonly refusal: string | null;
}

function createFiles(folder: string, [name, startName]: readonly [string, string]): Files {
  const files: ScratchFile[] = [];
  try {
    files.push(new ScratchFile(folder, `${name}.partial`, "named"));
    files.push(new ScratchFile(folder, `${startName}.partial`));
    return { files, refusal: null };
  } catch (error) {
    for (const file of files) file.close();
    return { files: [], refusal: (error as Error).message };
  }
}

function freeBytesIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Returns null if the file system does not answer; the drive's own calls report why. */
function ask<Answer>(question: () => Answer): Answer | null {
  try {
    return question();
  } catch {
    return null;
  }
}
