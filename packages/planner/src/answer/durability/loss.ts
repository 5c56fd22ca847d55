/**
 * Computes the nines of a stored object: the annual probability that its group of n drives loses it, by the published
 * window model and by the exact chain, and the contribution of each cause (packages/durability has the formulas and
 * their assumptions).
 *
 * A rebuild takes hddBytes * hddFill / rebuildBytesPerSecond after rebuildStartSeconds. The interval only reflects the
 * failure rate: it is the exact Poisson interval of `hddFailuresCounted`, or of drives in general (model-rate.ts).
 */

import { DAY_SECONDS } from "@stashlight/contracts/time";
import {
  type DriveGroup,
  FAILURE_RATE_MAX,
  FAILURE_RATE_MIN,
  markovAnnualLoss,
  nines,
  REBUILD_DAYS_MAX,
  REBUILD_DAYS_MIN,
  stashWindowLoss,
  unreadableProbability,
} from "@stashlight/durability";
import { meanOverMix } from "../../sizing/mix.ts";
import type { StashPlanInput } from "../../sizing/plan-types.ts";

export function rebuildDays(input: StashPlanInput): number {
  const { hddBytes, hddFill, rebuildBytesPerSecond, rebuildStartSeconds } = input;
  return ((hddBytes * hddFill) / rebuildBytesPerSecond + rebuildStartSeconds) / DAY_SECONDS;
}

/** Annual probability that a stored object is lost, from all causes. */
export function annualLoss(input: StashPlanInput): number {
  return addLosses(markovAnnualLoss(driveGroup(input), unreadableShard(input)), stashLoss(input));
}

/** Drives that hold an object's shards; without common causes if `hasCommonCause` is false. */
export function driveGroup(input: StashPlanInput, hasCommonCause = true): DriveGroup {
  const { dataShards, parityShards, commonCauseShare: share } = input;
  return {
    dataShards,
    parityShards,
    annualFailureRate: within(input.hddAnnualFailureRate, FAILURE_RATE_MIN, FAILURE_RATE_MAX),
    rebuildDays: within(rebuildDays(input), REBUILD_DAYS_MIN, REBUILD_DAYS_MAX),
    rebuildsAtOnce: input.rebuildsAtOnce ?? Number.POSITIVE_INFINITY,
    commonCause: hasCommonCause && share > 0 ? { share, drives: drivesOfCommonCause(input) } : null,
  };
}

/** Number of drives in one group that a common cause fails: at most all of them. */
export function drivesOfCommonCause({ dataShards, parityShards, commonCauseDrives }: StashPlanInput): number {
  return Math.min(commonCauseDrives, dataShards + parityShards);
}

/** Limits a varied figure to the range for which the models are defined. */
const within = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/** Nines reported for a loss too small to represent, as an upper limit. */
const NINES_MAX = 300;

export function toNines(loss: number): number {
  return Math.min(NINES_MAX, nines(loss) ?? NINES_MAX);
}

/** Probability that one of the k other shards of an object cannot be read while m are missing. */
export function unreadableShard(input: StashPlanInput): number {
  const { sectorErrorsPerByteYear: errorsPerByteYear, scrubSeconds, dataShards } = input;
  const shardBytes = meanOverMix(input.objects, (bytes) => bytes) / dataShards;
  return unreadableProbability(
    { errorsPerByteYear, scrubDays: scrubSeconds / DAY_SECONDS },
    shardBytes * dataShards,
  );
}

function stashLoss(input: StashPlanInput): number {
  const { dataShards, parityShards, powerCutsPerYear: cutsPerYear, ssdLostInCut: driveLostInCut } = input;
  const residenceSeconds = input.residenceSecondsMean;
  return stashWindowLoss({ dataShards, parityShards, residenceSeconds, cutsPerYear, driveLostInCut });
}

const addLosses = (one: number, other: number): number => one + other - one * other;
