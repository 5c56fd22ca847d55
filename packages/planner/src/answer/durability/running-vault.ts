/** Describes the effect of a choice on the nines of a running vault. */

import { DAY_SECONDS } from "@stashlight/contracts/time";
import { annualFailureRates } from "@stashlight/devices";
import {
  type DriveGroup,
  markovAnnualLoss,
  REBUILD_DAYS_MAX,
  REBUILD_DAYS_MIN,
} from "@stashlight/durability";
import { formatPlanBytes, formatPlanSeconds, formatShare } from "../../format-figures.ts";
import { toNines } from "./loss.ts";
import { ninesInWords } from "./sentence.ts";

export interface RunningScheme {
  /** The scheme: k and m. */
  readonly dataShards: number;
  readonly parityShards: number;
}

const { value: failureRate } = annualFailureRates.hdd;
const ASSUMPTION = `Modelled: drives fail independently of each other, ${formatShare(failureRate)} of them a year`;

/** Pods that fail independently of each other, each rebuilt at its own rate. */
export function groupOf({ dataShards, parityShards }: RunningScheme, rebuildSeconds: number): DriveGroup {
  return {
    dataShards,
    parityShards,
    annualFailureRate: failureRate,
    rebuildDays: Math.min(REBUILD_DAYS_MAX, Math.max(REBUILD_DAYS_MIN, rebuildSeconds / DAY_SECONDS)),
    rebuildsAtOnce: Number.POSITIVE_INFINITY,
    commonCause: null,
  };
}

/** Describes the cost of a rebuild limit in nines, for a full pod of `podBytes`. */
export function describeRebuildRate(
  scheme: RunningScheme,
  podBytes: number,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const at = (rate: number) => {
    const seconds = podBytes / rate;
    return {
      time: formatPlanSeconds(seconds),
      nines: ninesInWords(toNines(markovAnnualLoss(groupOf(scheme, seconds)))),
    };
  };
  const [before, after] = [at(from), at(to)];
  const instead =
    from === to ? "" : `, instead of ${before.nines} with ${before.time} at ${formatPlanBytes(from)}/s`;
  return `A full pod of ${formatPlanBytes(podBytes)} is rebuilt in ${after.time} at ${formatPlanBytes(to)}/s: an object then has ${after.nines} nines a year${instead}. ${ASSUMPTION}.`;
}
