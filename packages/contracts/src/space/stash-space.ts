/**
 * Space of a stash or one of its devices: unpurged shards occupy it, garbage disappears when segments are recycled, and
 * the rest is free, including the reserve for purges and compaction. Uploads cannot use any space that appends cannot
 * take, so that share is judged rather than the occupied one.
 */
import { formatFill, isOneMoment, type Measured } from "./fill.ts";

export interface StashInputs {
  readonly live: Measured | null;
  readonly garbage: Measured | null;
  /** Everything that appends cannot use: live data, garbage and the reserve. */
  readonly used: Measured | null;
  readonly capacity: Measured | null;
}

export interface StashSpace {
  readonly liveBytes: number;
  readonly garbageBytes: number;
  readonly freeBytes: number;
  readonly capacityBytes: number;
  /** Unpurged shards over the capacity. */
  readonly occupiedShare: number;
  readonly garbageShare: number;
  /** Share that uploads cannot use, judged by `stashMarks`. */
  readonly closedShare: number;
  readonly atMs: number;
}

/** Null if a figure is missing or of another moment. */
export function measureStash({ live, garbage, used, capacity }: StashInputs): StashSpace | null {
  if (live === null || garbage === null || used === null || capacity === null) return null;
  if (capacity.bytes <= 0 || !isOneMoment(live, garbage, used, capacity)) return null;
  return {
    liveBytes: live.bytes,
    garbageBytes: garbage.bytes,
    freeBytes: Math.max(0, capacity.bytes - live.bytes - garbage.bytes),
    capacityBytes: capacity.bytes,
    occupiedShare: live.bytes / capacity.bytes,
    garbageShare: garbage.bytes / capacity.bytes,
    closedShare: Math.min(1, used.bytes / capacity.bytes),
    atMs: Math.min(live.atMs, garbage.atMs, used.atMs, capacity.atMs),
  };
}

/** Formats "Uploads cannot use 80 % of the stash: 12 % holds unpurged shards, 58 % garbage, the rest is reserved". */
export function describeClosedStash({ closedShare, occupiedShare, garbageShare }: StashSpace): string {
  const [closed, occupied, garbage] = [closedShare, occupiedShare, garbageShare].map(formatFill);
  const reserve = closedShare - occupiedShare - garbageShare;
  const rest = reserve > 0.0005 ? `, ${formatFill(reserve)} is reserved` : "";
  return `Uploads cannot use ${closed} of the stash: ${occupied} holds unpurged shards, ${garbage} garbage${rest}`;
}
