/** From when on a figure needs a person; all pages judge by it. */

import type { TimeToFull } from "@stashlight/contracts/time-to-full";
import type { Status } from "@stashlight/ui";

const HOUR_SECONDS = 3_600;

export function statusOfFill(fill: number | null): Status {
  if (fill === null) return "unknown";
  if (fill >= 0.9) return "bad";
  return fill >= 0.75 ? "warning" : "good";
}

export function statusOfTimeToFull(told: TimeToFull): Status {
  if (told.kind === "too-little-data") return "unknown";
  if (told.kind === "full") return "bad";
  if (told.kind === "not-filling") return "good";
  if (told.seconds < HOUR_SECONDS) return "bad";
  return told.seconds < 6 * HOUR_SECONDS ? "warning" : "good";
}

/** Purges follow flushes, which come every few seconds; minutes mean that a pod does not flush. */
export function statusOfPurgeLag(seconds: number | null): Status {
  if (seconds === null) return "unknown";
  if (seconds >= 600) return "bad";
  return seconds >= 60 ? "warning" : "good";
}

/** Shards above what a read needs: at one, the loss of a drive leaves none to spare. */
export function statusOfMargin(shards: number | null): Status {
  if (shards === null) return "unknown";
  if (shards < 1) return "bad";
  return shards < 2 ? "warning" : "good";
}
