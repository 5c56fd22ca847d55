/**
 * An independent implementation of the chain: walks over the states of single drives, with failures made likely and
 * weighted back (balanced failure biasing; Shahabuddin 1994). It knows drives and their events, but not the chain's
 * rates.
 */
import { createUniform } from "@stashlight/stats/random";
import type { DriveGroup } from "../drive-group.ts";
import { failuresPerYear } from "../markov-model.ts";

const FAILURE_BIAS = 0.5;

/** Probability of loss before all drives are whole, from `missing` failed drives: the mean of weighted walks. */
export function simulateLossBeforeWhole(
  group: DriveGroup,
  missing: number,
  walks: number,
  seed: number,
): { readonly mean: number; readonly standardError: number } {
  const uniform = createUniform(seed);
  let sum = 0;
  let squares = 0;
  for (let walk = 0; walk < walks; walk += 1) {
    const weight = walkOnce(group, missing, uniform);
    sum += weight;
    squares += weight * weight;
  }
  const mean = sum / walks;
  return { mean, standardError: Math.sqrt((squares / walks - mean * mean) / walks) };
}

/** Returns the likelihood ratio of a walk that ends in loss, and 0 for a walk that ends with all drives whole. */
function walkOnce(group: DriveGroup, missing: number, uniform: () => number): number {
  const { dataShards, parityShards, commonCause, rebuildsAtOnce } = group;
  const isDown = Array.from({ length: dataShards + parityShards }, (_, drive) => drive < missing);
  const lambda = failuresPerYear(group.annualFailureRate);
  const mu = 365 / group.rebuildDays;
  let weight = 1;
  for (;;) {
    const down = isDown.filter(Boolean).length;
    if (down > parityShards) return weight;
    if (down === 0) return 0;
    const up = isDown.length - down;
    const single = up * lambda * (1 - (commonCause?.share ?? 0));
    const common = (up * lambda * (commonCause?.share ?? 0)) / (commonCause?.drives ?? 1);
    const rebuild = Math.min(down, rebuildsAtOnce) * mu;
    const total = single + common + rebuild;
    if (uniform() >= FAILURE_BIAS) {
      weight *= rebuild / total / (1 - FAILURE_BIAS);
      flip(isDown, true, 1, uniform);
      continue;
    }
    // Gives each possible kind of failure the same probability.
    const isCommon = common > 0 && (single === 0 || uniform() < 0.5);
    const kinds = common > 0 && single > 0 ? 2 : 1;
    weight *= ((isCommon ? common : single) / total) * (kinds / FAILURE_BIAS);
    flip(isDown, false, isCommon ? (commonCause?.drives ?? 1) : 1, uniform);
  }
}

/** Flips up to `count` randomly chosen drives that are in state `from`. */
function flip(isDown: boolean[], from: boolean, count: number, uniform: () => number): void {
  for (let i = 0; i < count; i += 1) {
    const candidates = isDown.flatMap((state, drive) => (state === from ? [drive] : []));
    const drive = candidates[Math.floor(uniform() * candidates.length)];
    if (drive === undefined) return;
    isDown[drive] = !from;
  }
}
