/**
 * Everything that a boot saves for the next one: the pages of the index in their file, and a root with the state of
 * their owners, written at its end or, as a checkpoint, while it runs. The root is written once the pages are durable.
 * The boot that continues from it removes it before it changes anything in the log or the pages; the boot that wrote it
 * leaves its pages alone. So the root that a boot finds belongs to the pages beside it, or the log shows that it does
 * not.
 */
import { PageError, type PageMemory, type SavedPages } from "@stashlight/paged-memory";
import type { LogResumption, SavedLog } from "@stashlight/shard-log";
import type { SavedPod } from "@stashlight/write-path";
import type { SavedBoot } from "./saved-store.ts";
import type { PodShell } from "./shell/shells.ts";
import type { ShardStore } from "./store.ts";

type Done = (error: Error | null) => void;
type RootDone = (error: Error | null, isNamed: boolean) => void;

/** Files of an index, as left by a boot. */
export interface IndexFiles {
  /** Makes the pages durable that the memory has written. */
  syncPages(done: Done): void;
  /**
   * Returns a function that writes the root with the boot as it is during this call. The root exists completely and durably
   * afterwards, or not at all; after an error with `isNamed` it may exist and not be durable.
   */
  prepareRoot(boot: SavedBoot): (done: RootDone) => void;
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

/** Captures the state of the boot before the call returns. */
function write(
  boot: Omit<SavedBoot, "pages">,
  memory: PageMemory,
  files: IndexFiles,
  done: (refusal: string | null) => void,
): void {
  const failed = ({ message }: Error) => done(`its index cannot be written: ${message}`);
  let pages: SavedPages;
  let writeRoot: (done: RootDone) => void;
  try {
    pages = memory.save();
    writeRoot = files.prepareRoot({ ...boot, pages });
  } catch (error) {
    memory.forgetSaved();
    failed(error as Error);
    return;
  }
  files.syncPages((unsynced) => {
    if (unsynced !== null) {
      memory.forgetSaved();
      failed(unsynced);
      return;
    }
    writeRoot((error, isNamed) => {
      if (error === null) memory.keep(pages);
      else if (isNamed) memory.keepAlso(pages);
      else memory.forgetSaved();
      if (error === null) done(null);
      else failed(error);
    });
  });
}

/** A boot that continues to run. */
export interface RunningBoot extends Omit<EndingBoot, "pod"> {
  readonly shell: Pick<PodShell<number>, "hold" | "letGo">;
  /** Returns the state of the pod, or why it cannot be saved. */
  readonly savePod: () => SavedPod | string;
  readonly after: (delayUs: number, action: () => void) => void;
  /** False once the checkpoint should end soon, even without a result. */
  readonly isWanted: () => boolean;
  /** Longest time that the pod's messages may wait; a second if omitted. */
  readonly holdUsMax?: number;
}

/** Limit on waiting for the round of compaction in progress. */
const TIDY_WITHIN_US = 30_000_000;
const TIDY_LOOK_US = 20_000;
const HOLD_US_MAX = 1_000_000;
const QUIET_LOOK_US = 2_000;

/**
 * Saves a boot while it continues to run. Its log is brought to rest for it: nothing is compacted, and then the pod
 * takes no messages until its requests are answered and durable. The owner does nothing else with the log while that is
 * paused. Passes why there is no checkpoint now, or null.
 */
export function checkpointBoot(boot: RunningBoot, done: (refusal: string | null) => void): void {
  const { store, shell, memory, files, holdUsMax = HOLD_US_MAX } = boot;
  const { log } = store;
  let isOver = false;
  const end = (refusal: string | null): void => {
    isOver = true;
    try {
      shell.letGo();
    } finally {
      log.unpause();
    }
    if (refusal !== null) done(refusal);
  };
  const save = (saved: SavedLog | string): void => {
    if (isOver) return;
    if (typeof saved === "string") {
      end(saved);
      return;
    }
    const pod = podOrRefusal(boot);
    const parts = store.save();
    if (typeof pod === "string") end(pod);
    else if (typeof parts === "string") end(parts);
    else {
      write({ log: saved, store: parts, pod }, memory, files, done);
      end(null);
    }
  };
  const hold = (): void => {
    const giveUp = (reason: string): void => {
      if (!isOver) end(reason);
    };
    shell.hold(() => giveUp("too many messages wait for its pod"));
    boot.after(holdUsMax, () => giveUp("its log does not come to rest"));
    const quiet = { isMet: () => store.isQuiet, lookUs: QUIET_LOOK_US, withinUs: holdUsMax };
    waitFor(boot, quiet, (isQuiet) => {
      if (isOver) return;
      if (isQuiet) log.save(save);
      else end("its machine waits for the log");
    });
  };
  log.pause();
  const tidy = { isMet: () => !log.isTidying, lookUs: TIDY_LOOK_US, withinUs: TIDY_WITHIN_US };
  waitFor(boot, tidy, (isTidy) => {
    if (!isTidy) end("its log is compacted");
    else if (store.hasWaitingRecords) end("records wait for space in its log");
    // Flushes first, to keep the hold short.
    else log.flush((error) => (error === null ? hold() : end(error.message)));
  });
}

/** An error here must not end the process, which runs other drives. */
function podOrRefusal({ store, savePod }: RunningBoot): SavedPod | string {
  if (store.isEnded) return "its boot has ended";
  try {
    return savePod();
  } catch (error) {
    if (error instanceof PageError) store.log.interrupted(error);
    return `its pod cannot be saved: ${(error as Error).message}`;
  }
}

interface Wait {
  readonly isMet: () => boolean;
  readonly lookUs: number;
  readonly withinUs: number;
}

/** Passes true once the condition is met, and false when the time is up or the result is no longer needed. */
function waitFor(
  boot: Pick<RunningBoot, "store" | "after" | "isWanted">,
  { isMet, lookUs, withinUs }: Wait,
  done: (isMet: boolean) => void,
): void {
  if (boot.store.isEnded || !boot.isWanted() || withinUs <= 0) done(false);
  else if (isMet()) done(true);
  else boot.after(lookUs, () => waitFor(boot, { isMet, lookUs, withinUs: withinUs - lookUs }, done));
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

/** Adds to the reason if the pages cannot be removed; they are overwritten later. */
function clearPages(files: IndexFiles, reason: string): string {
  try {
    files.clearPages();
    return reason;
  } catch (error) {
    return `${reason}; its pages cannot be removed: ${(error as Error).message}`;
  }
}
