/** Limits from which a figure needs attention, shared by pages and alert rules. */

import { vaultMark } from "@stashlight/contracts/space";
import { marginMarks, purgeLagMarks, stashMarks } from "@stashlight/contracts/thresholds";
import type { Status } from "@stashlight/ui";

/** Rates the share of a stash that uploads cannot use. */
export function statusOfFill(fill: number | null): Status {
  if (fill === null) return "unknown";
  if (fill >= stashMarks.exhaustedShare) return "bad";
  return fill >= stashMarks.fullShare ? "warning" : "good";
}

/** Rates the fill of a vault or of a pod's drive. */
export function statusOfVaultFill(fill: number | null): Status {
  if (fill === null) return "unknown";
  return ({ roomy: "good", warning: "warning", full: "bad" } as const)[vaultMark(fill)];
}

/** The limits equal those of the alert rule. */
export function statusOfPurgeLag(seconds: number | null): Status {
  if (seconds === null) return "unknown";
  if (seconds > purgeLagMarks.stuckSeconds) return "bad";
  return seconds > purgeLagMarks.lateSeconds ? "warning" : "good";
}

export function statusOfMargin(shards: number | null): Status {
  if (shards === null) return "unknown";
  if (shards < marginMarks.badBelowShards) return "bad";
  return shards < marginMarks.warningBelowShards ? "warning" : "good";
}
