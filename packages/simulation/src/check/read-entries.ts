/**
 * Reads the entries of pods for the simulation itself. A page of an index may be unreadable; only the pod must
 * fail on it.
 */
import { PageError } from "@stashlight/paged-memory";
import type { PodState, UploadHeader } from "@stashlight/write-path";
import type { Position } from "../medium/medium.ts";

type Entries = readonly ReturnType<PodState<Position>["entries"]["versionsOf"]>[number][];

/** Returns what `read` returns, or null if a page cannot be read. */
export function readOrNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof PageError) return null;
    throw error;
  }
}

/** Returns all entries; none if one of them cannot be read. */
export function entriesOf(state: PodState<Position> | null): Entries {
  return (state && readOrNull(() => [...state.entries.values()])) ?? [];
}

/** Returns null if the versions cannot be read. */
export function versionsOf(
  state: PodState<Position> | null,
  object: Pick<UploadHeader, "bucket" | "key">,
): Entries | null {
  return state === null ? [] : readOrNull(() => state.entries.versionsOf(object));
}
