/** Memory of the process for its indexes, in which every record of a pod has an entry. */
import type { SpaceClass } from "@stashlight/write-path";

/**
 * `free`: an entry fits. `short`: it may fit once the process has collected its garbage. `full`: it does not fit until
 * objects are deleted or the process gets more memory.
 */
export type IndexSpace = "free" | "short" | "full";

export interface IndexMemory {
  /** Judges the space for an entry whose record is of this class. */
  spaceFor(room: SpaceClass): IndexSpace;
}

/** For machines that need no limit: stash devices, whose ring bounds their records, and simulated machines. */
export const unlimitedIndexMemory: IndexMemory = { spaceFor: () => "free" };
