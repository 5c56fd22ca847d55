/**
 * The pages of a pod's index: a limited number in memory, the others in a file without a name, on the drive or in a
 * folder on a faster one. The file goes with the process, because each start builds the index from the log. Headers that a
 * start reads have a file of their own until it has ended.
 */
import { statfsSync, statSync } from "node:fs";
import { PAGE_BYTES, PageMemory } from "@stashlight/paged-memory";
import { ScratchFile } from "@stashlight/paged-memory/node";

export interface IndexPagesOptions {
  /** Bytes of pages that stay in memory, per drive. */
  readonly heldBytesMax: number;
  /** Folder of the files; null for the folder of each drive. */
  readonly folder: string | null;
}

/** Enough for what uploads in progress look at; the system's page cache holds what it has memory for. */
export const defaultIndexPages: IndexPagesOptions = { heldBytesMax: 16 * 1_048_576, folder: null };

/** Headers are read one after the other. */
const START_PAGES = 128;
/** Bytes of a record's entry in pages, where nothing was measured. */
const RECORD_BYTES = 300;
/** With fewer records, the bytes per record are not measured. */
const RECORDS_MEASURED_MIN = 100_000;
/** Free space of a file system is read again after this time. */
const READ_EVERY_MS = 10_000;

export interface IndexPagesUse {
  readonly heldBytes: number;
  readonly fileBytes: number;
  /** Why the file took no page the last time; null if it did. Until it does, pages stay in memory. */
  readonly error: string | null;
}

export class IndexPages {
  readonly memory: PageMemory;
  /** Memory of the headers that a start reads. */
  readonly startMemory: PageMemory;
  /** The file system of the file, on which other pods may have theirs; null if it does not answer. */
  readonly fileSystem: number | null;
  readonly #folder: string;
  readonly #nowMs: () => number;
  readonly #files: readonly ScratchFile[];
  /** Why there is no file; null if there is one. */
  readonly #refusal: string | null;
  #freeBytes = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  /** Without a file in the folder, the whole index stays in memory. */
  constructor(
    { heldBytesMax, folder }: IndexPagesOptions,
    drive: { readonly path: string; readonly driveId: string },
    nowMs: () => number,
  ) {
    this.#folder = folder ?? drive.path;
    this.fileSystem = ask(() => statSync(this.#folder).dev);
    this.#nowMs = nowMs;
    const { files, refusal } = createFiles(this.#folder, [
      `index-${drive.driveId}`,
      `start-${drive.driveId}`,
    ]);
    this.#files = files;
    this.#refusal = refusal;
    const [file, startFile] = files;
    const heldPagesMax = Math.floor(heldBytesMax / PAGE_BYTES);
    this.memory = new PageMemory(file === undefined ? null : { heldPagesMax, file });
    this.startMemory = new PageMemory(
      startFile === undefined ? null : { heldPagesMax: START_PAGES, file: startFile },
    );
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
    // The next start has the headers of all records in a file as well.
    const freeBytes = Math.max(0, this.#freeBytes - usedBytes);
    return Math.floor(freeBytes / (2 * recordBytes));
  }

  /** Removes the file of the headers that the start read, once they were released. */
  started(): void {
    this.#files[1]?.close();
  }

  close(): void {
    for (const file of this.#files) file.close();
  }
}

interface Files {
  readonly files: readonly ScratchFile[];
  readonly refusal: string | null;
}

function createFiles(folder: string, names: readonly string[]): Files {
  const files: ScratchFile[] = [];
  try {
    for (const name of names) files.push(new ScratchFile(folder, `${name}.partial`));
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
