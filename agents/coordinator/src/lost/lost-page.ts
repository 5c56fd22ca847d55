/** `/lost`: the objects that this coordinator recently found unreadable, newest first. */
import type { LostObjects } from "@stashlight/contracts/lost-object";
import type { LostObject } from "@stashlight/write-path";
import { describeAll } from "./describe.ts";

export interface LostSources {
  readonly lostObjects: () => readonly LostObject[];
  /** Clock in which `sinceMs` is measured. */
  readonly nowMs: () => number;
  readonly wallMs: () => number;
}

/** A longer page would be unreadable, and take half a megabyte. */
export const LISTED_MAX = 1000;

export function lostPage({ lostObjects, nowMs, wallMs }: LostSources, listedMax = LISTED_MAX): LostObjects {
  const offsetMs = wallMs() - nowMs();
  const all = describeAll(lostObjects(), (ms) => Math.max(0, Math.round(ms + offsetMs)));
  const objects = all.sort((a, b) => b.sinceMs - a.sinceMs).slice(0, listedMax);
  return { total: all.length, objects };
}
