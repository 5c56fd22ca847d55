/**
 * Starts Stashlight's threads and child processes at an entry. In the source tree each entry is a separate file; a
 * bundle is one file for all of them, whose first arguments name the entry.
 */
export interface Entry {
  readonly file: URL;
  /** Arguments that precede the entry's own. */
  readonly args: readonly string[];
}

export type EntryName =
  | "agent"
  | "sampler"
  | "disk-benchmark"
  | "disk-benchmark-thread"
  | "hash-thread"
  | "host-fsync-thread";

/** Flag followed by the name of an entry; no command has this name. */
export const ENTRY_FLAG = "--stashlight-entry";

let bundle: URL | null = null;

/** Called by a bundle before anything else. */
export function runFromBundle(file: URL): void {
  bundle = file;
}

export function isBundled(): boolean {
  return bundle !== null;
}

/** Returns the command that starts an entry; `source` is its file in the source tree. */
export function resolveEntry(name: EntryName, source: URL): Entry {
  return bundle === null ? { file: source, args: [] } : { file: bundle, args: [ENTRY_FLAG, name] };
}
