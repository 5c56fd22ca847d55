/**
 * Everything that a boot in order leaves for the next one: the pages of the index in their file, and a root with the state
 * of its owners. The root is written once the pages are durable, and removed before anything of the log or the pages
 * changes. So the root that a start finds belongs to the pages beside it, or the log shows that it does not.
 */
import type { PageMemory, SavedPages } from "@stashlight/paged-memory";
import type { LogResumption } from "@stashlight/shard-log";
import type { SavedPod } from "@stashlight/write-path";
import type { SavedBoot } from "./saved-store.ts";
import type { ShardStore } from "./store.ts";

type Done = (error: Error | null) => void;

/** The files of an index, as a boot leaves them. */
export interface IndexFiles {
  /** Makes the pages durable that the memory has written. */
  syncPages(done: Done): void;
  /** Writes the root; it exists completely and durably, or not at all. */
  writeRoot(boot: SavedBoot, done: Done): void;
  /** Removes the root, durably. */
  removeRoot(done: Done): void;
  /** Removes all pages, which are of no use without their root. */
  clearPages(): void;
}

export interface EndingBoot {
  readonly store: ShardStore;
  /** State of the pod, or why it cannot be saved. */
  readonly pod: SavedPod | string;
  readonly memory: PageMemory;
  readonly files: IndexFiles;
}

/**
 * Ends the store of a pod whose shell has stopped, and saves the boot; then the log can be closed. Passes why the next boot
 * has to read the log, or null.
 */
export function saveBoot(
  { store, pod, memory, files }: EndingBoot,
  done: (refusal: string | null) => void,
): void {
  const saved = store.save();
  store.end();
  store.log.settle((log) => {
    if (typeof pod === "string") done(pod);
    else if (typeof saved === "string") done(saved);
    else if (typeof log === "string") done(log);
    else write({ log, store: saved, pod }, memory, files, done);
  });
}

function write(
  boot: Omit<SavedBoot, "pages">,
  memory: PageMemory,
  files: IndexFiles,
  done: (refusal: string | null) => void,
): void {
  const failed = ({ message }: Error) => done(`its index cannot be written: ${message}`);
  let pages: SavedPages;
  try {
    pages = memory.save();
  } catch (error) {
    failed(error as Error);
    return;
  }
  files.syncPages((unsynced) => {
    if (unsynced !== null) failed(unsynced);
    else files.writeRoot({ ...boot, pages }, (error) => (error === null ? done(null) : failed(error)));
  });
}

/**
 * Continues the log of a boot that was saved. `decided` is called with the reason why the log is read after all, or null.
 */
export function resumeBoot(
  boot: SavedBoot,
  memory: PageMemory,
  files: IndexFiles,
  decided: (refusal: string | null) => void,
): LogResumption {
  return {
    saved: boot.log,
    decide: (difference, next) => {
      files.removeRoot((error) => {
        const refusal = error === null ? difference : `its root cannot be removed: ${error.message}`;
        if (refusal === null) memory.adopt(boot.pages);
        decided(refusal === null ? null : clearPages(files, refusal));
        next(refusal === null);
      });
    },
  };
}

/** Returns the reason with that of pages that cannot be removed, which are overwritten. */
function clearPages(files: IndexFiles, reason: string): string {
  try {
    files.clearPages();
    return reason;
  } catch (error) {
    return `${reason}; its pages cannot be removed: ${(error as Error).message}`;
  }
}
