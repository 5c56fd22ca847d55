/**
 * The stash window: until its pods have flushed, an acknowledged small upload has n - 1 durable shards, all on stash
 * drives. Loss needs a power cut within that time and m of those n - 1 drives that do not come back:
 *
 *     P(an upload) = cutsPerYear * residenceSeconds / year * sum over i = m..n-1 of C(n-1, i) p^i (1-p)^(n-1-i)
 *
 * It is a risk of the upload's first seconds, once. Assumes that drives are lost in a cut independently of each other and
 * that each shard of an upload is on a drive of its own; shards on one server share its fate, which this does not count.
 */
import { requireCount, requireWithin } from "./error.ts";
import { upperBinomial } from "./window-model.ts";

const YEAR_SECONDS = 365 * 86_400;

export interface StashWindow {
  readonly dataShards: number;
  readonly parityShards: number;
  /** Mean seconds from the answer to the purge. */
  readonly residenceSeconds: number;
  /** Power cuts of the whole data centre a year. */
  readonly cutsPerYear: number;
  /** Probability that a stash drive does not survive a power cut, from 0 to below 1. */
  readonly driveLostInCut: number;
}

/** Probability that one upload is lost in its stash window. Throws a `DurabilityError` for values out of bounds. */
export function stashWindowLoss(window: StashWindow): number {
  requireCount(window.dataShards, "The number of data shards", 1, 255);
  requireCount(window.parityShards, "The number of parity shards", 1, 255);
  requireWithin(window.residenceSeconds, "The residence", 0, YEAR_SECONDS);
  requireWithin(window.cutsPerYear, "The number of power cuts a year", 0, 10_000);
  requireWithin(window.driveLostInCut, "The probability of a drive lost in a cut", 0, 1 - Number.EPSILON);
  if (window.driveLostInCut === 0) return 0;
  const durable = window.dataShards + window.parityShards - 1;
  const cut = Math.min(1, (window.cutsPerYear * window.residenceSeconds) / YEAR_SECONDS);
  return cut * upperBinomial(durable, window.parityShards, window.driveLostInCut);
}
