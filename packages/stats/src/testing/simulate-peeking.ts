/** Simulates how a look after every slot affects the p-values of a paired t test. */

import { LOOK_SLOTS_MAX, LOOK_SLOTS_MIN, lookWeight, weightedLevels } from "../peeking/repeated-looks.ts";
import { type Random, randomNormal } from "../random.ts";
import { studentQuantile } from "../student.ts";

export interface SimulatePeekingInput {
  readonly random: Random;
  readonly pathCount: number;
  /** Last look; the published table has `LOOK_SLOTS_MAX`. */
  readonly slotsMax?: number;
}

/**
 * Returns for each of `weightedLevels` the share of paths on which the smallest weighted p-value of any look is at most
 * that level. A path is a sequence of independent normal differences without a true one, tested after every slot from
 * the sixth: the t statistic at each look depends on neither their unit nor their spread.
 */
export function simulatePeeking({
  random,
  pathCount,
  slotsMax = LOOK_SLOTS_MAX,
}: SimulatePeekingInput): number[] {
  const limits = squaredLimits(slotsMax);
  const reached = new Float64Array(weightedLevels.length + 1);
  for (let path = 0; path < pathCount; path += 1) {
    const index = smallestLevel(random.uint32, limits, slotsMax);
    reached[index] = (reached[index] as number) + 1;
  }
  const shares: number[] = [];
  let count = 0;
  for (let level = weightedLevels.length; level >= 1; level -= 1) {
    count += reached[level] as number;
    shares.unshift(count / pathCount);
  }
  return shares;
}

/** Number of the descending levels that the path reached at any look. */
function smallestLevel(uint32: () => number, limits: readonly Float64Array[], slotsMax: number): number {
  let mean = 0;
  let squares = 0;
  let level = 0;
  for (let n = 1; n <= slotsMax; n += 1) {
    const difference = randomNormal(uint32);
    const distance = difference - mean;
    mean += distance / n;
    squares += distance * (difference - mean);
    if (n < LOOK_SLOTS_MIN) continue;
    const ofLook = limits[n - LOOK_SLOTS_MIN] as Float64Array;
    const squared = (mean * mean * n * (n - 1)) / squares;
    while (level < ofLook.length && squared >= (ofLook[level] as number)) level += 1;
  }
  return level;
}

/** Square of the t at which a look's weighted p-value equals each level. */
function squaredLimits(slotsMax: number): Float64Array[] {
  return Array.from({ length: slotsMax - LOOK_SLOTS_MIN + 1 }, (_, look) => {
    const n = LOOK_SLOTS_MIN + look;
    return Float64Array.from(
      weightedLevels,
      (level) => studentQuantile(Math.min(1, level * lookWeight(n)), n - 1) ** 2,
    );
  });
}
