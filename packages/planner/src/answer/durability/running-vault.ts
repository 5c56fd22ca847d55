/** Sentences about the durability of a vault that runs: what is missing now, and what a choice costs. */

import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import { annualFailureRates } from "@stashlight/devices";
import {
  type DriveGroup,
  lossBeforeWhole,
  markovAnnualLoss,
  REBUILD_DAYS_MAX,
  REBUILD_DAYS_MIN,
} from "@stashlight/durability";
import { bytesInWords, counted, secondsInWords, shareInWords } from "../../words.ts";
import { toNines } from "./loss.ts";
import { ninesInWords, oddsInWords } from "./sentence.ts";

export interface RunningScheme {
  /** k and m. */
  readonly dataShards: number;
  readonly parityShards: number;
}

const { value: failureRate } = annualFailureRates.hdd;
const ASSUMPTION = `Modelled: drives fail independently of each other, ${shareInWords(failureRate)} of them a year`;

function groupOf({ dataShards, parityShards }: RunningScheme, rebuildSeconds: number): DriveGroup {
  return {
    dataShards,
    parityShards,
    annualFailureRate: failureRate,
    rebuildDays: Math.min(REBUILD_DAYS_MAX, Math.max(REBUILD_DAYS_MIN, rebuildSeconds / DAY_SECONDS)),
    rebuildsAtOnce: Number.POSITIVE_INFINITY,
    commonCause: null,
  };
}

/**
 * The chance of loss until all shards are whole again, after `missing` pods (1 or more) lack shards that are back in
 * `secondsLeft`.
 */
export function describeLossUntilWhole(
  scheme: RunningScheme,
  { missing, secondsLeft }: { readonly missing: number; readonly secondsLeft: number },
): string {
  const { dataShards, parityShards } = scheme;
  const pods = `${missing} of ${dataShards + parityShards} pods ${missing === 1 ? "lacks" : "lack"} shards`;
  if (missing > parityShards) {
    return `${pods}, and ${dataShards}+${parityShards} spares ${parityShards}: objects that all of these lack cannot be read.`;
  }
  const group = groupOf(scheme, secondsLeft);
  const next =
    missing === parityShards
      ? "one more failure loses data"
      : `one more failure would make it ${oddsInWords(lossBeforeWhole(group, missing + 1))}, and ${counted(parityShards + 1, "missing shard")} of an object lose it`;
  return `${pods}: the chance of losing data in the ${secondsInWords(secondsLeft)} until they are whole is ${oddsInWords(lossBeforeWhole(group, missing))}; ${next}. ${ASSUMPTION}.`;
}

/** Describes the cost of a rebuild's bound in nines, for a full pod of `podBytes`. */
export function describeRebuildRate(
  scheme: RunningScheme,
  podBytes: number,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const at = (rate: number) => {
    const seconds = podBytes / rate;
    return {
      time: secondsInWords(seconds),
      nines: ninesInWords(toNines(markovAnnualLoss(groupOf(scheme, seconds)))),
    };
  };
  const [before, after] = [at(from), at(to)];
  const instead =
    from === to ? "" : `, instead of ${before.nines} with ${before.time} at ${bytesInWords(from)}/s`;
  return `A full pod of ${bytesInWords(podBytes)} is rebuilt in ${after.time} at ${bytesInWords(to)}/s: an object then has ${after.nines} nines a year${instead}. ${ASSUMPTION}.`;
}
