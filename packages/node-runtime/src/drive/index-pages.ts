/**
 * The pages of a pod's index: a limited number in memory, the others in a file without a name, on the drive or in a
 * folder on a faster one. The file goes with the process, because each start builds the index from the log.
 */
import { statfsSync } from "node:fs";
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
  readonly #file: ScratchFile;
  readonly #folder: string;
  readonly #nowMs: () => number;
  #freeBytes = 0;
  #readMs = Number.NEGATIVE_INFINITY;

  /** Throws if the file cannot be created in the folder. */
  constructor(
    { heldBytesMax, folder }: IndexPagesOptions,
    drive: { readonly path: string; readonly driveId: string },
    nowMs: () => number,
  ) {
    this.#folder = folder ?? drive.path;
    this.#nowMs = nowMs;
    this.#file = new ScratchFile(this.#folder, `index-${drive.driveId}.partial`);
    this.memory = new PageMemory({ heldPagesMax: Math.floor(heldBytesMax / PAGE_BYTES), file: this.#file });
  }

  use(): IndexPagesUse {
    const { heldCount, error } = this.memory;
    return {
      heldBytes: heldCount * PAGE_BYTES,
      fileBytes: this.#file.byteLength,
      error: error?.message ?? null,
    };
  }

  /** Estimates how many more records' entries the file system has space for. */
  recordsUntilFull(recordCount: number): number {
    const nowMs = this.#nowMs();
    if (nowMs - this.#readMs >= READ_EVERY_MS) {
      this.#readMs = nowMs;
      this.#freeBytes = readFreeBytes(this.#folder) ?? this.#freeBytes;
    }
    const usedBytes = this.memory.pageCount * PAGE_BYTES;
    const recordBytes = recordCount < RECORDS_MEASURED_MIN ? RECORD_BYTES : usedBytes / recordCount;
    return Math.floor(this.#freeBytes / recordBytes);
  }

  close(): void {
    this.#file.close();
  }
}

/** Null if the file system does not answer; the drive's own calls report why. */
function readFreeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}
