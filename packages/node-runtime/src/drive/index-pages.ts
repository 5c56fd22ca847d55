/**
 * The pages of a pod's index: a limited number in memory, the others in a file without a name, on the drive or in a
 * folder on a faster one. The file goes with the process, because each start builds the index from the log.
 */
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

export interface IndexPagesUse {
  readonly heldBytes: number;
  readonly fileBytes: number;
  /** Why the file took no page the last time; null if it did. Until it does, pages stay in memory. */
  readonly error: string | null;
}

export class IndexPages {
  readonly memory: PageMemory;
  readonly #file: ScratchFile;

  /** Throws if the file cannot be created in the folder. */
  constructor({ heldBytesMax, folder }: IndexPagesOptions, driveFolder: string, driveId: string) {
    this.#file = new ScratchFile(folder ?? driveFolder, `index-${driveId}.partial`);
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

  close(): void {
    this.#file.close();
  }
}
