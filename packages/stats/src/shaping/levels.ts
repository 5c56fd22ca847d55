import { arithmeticMean, median } from "../sorted.ts";

/** Stretch of a series in which the rate stays level. */
export interface RateLevel {
  /** First second of the level and the first one after it. */
  readonly from: number;
  readonly to: number;
  /** Median rate per second. */
  readonly rate: number;
  /**
   * Spread of single seconds around the median: 1.4826 times their median distance, the standard deviation of normal
   * noise.
   */
  readonly noise: number;
}

/** Minimum length of a level, so that the medians around a step have enough seconds. */
export const LEVEL_SECONDS_MIN = 5;
/** Seconds before and after that are compared to find candidates for steps. */
const NEAR_SECONDS = 10;
/** Smallest step, as a share of the higher level. */
const STEP_SHARE_MIN = 0.2;
/** Smallest step, as a multiple of the noise of single seconds and of that of the levels' own medians. */
const STEP_NOISE_MIN = 2.5;
const STEP_ERROR_MIN = 8;
/**
 * Minimum share of a step that falls between the few seconds on both sides of it. A drift has only a small share there.
 */
const SHARPNESS_MIN = 0.6;
const NORMAL_MAD = 1.4826;
/** The standard error of a median is larger than that of a mean by this factor, for normal noise. */
const MEDIAN_ERROR = 1.2533;

/**
 * Cuts the rates of successive seconds where they step abruptly from one level to another, as a limit causes.
 * Candidates are the places where the seconds before and after differ most. Then each is judged between its neighbours,
 * and the weakest is dropped, until every remaining step is large, sharp and far beyond the noise. A running median
 * over five seconds hides single odd seconds, such as stalls, from the search.
 */
export function splitLevels(rates: Float64Array): RateLevel[] {
  let cuts = levelCandidates(rates);
  for (;;) {
    const strengths = cuts.map((at, i) =>
      splitStrength(rates, cuts[i - 1] ?? 0, at, cuts[i + 1] ?? rates.length),
    );
    const weakest = strengths.indexOf(Math.min(...strengths));
    if (weakest < 0 || (strengths[weakest] as number) >= 1) break;
    cuts = cuts.filter((_, i) => i !== weakest);
  }
  return [0, ...cuts].map((from, i) => rateLevel(rates, from, cuts[i] ?? rates.length));
}

/** Places where the rate changes most within a few seconds, by at least the smallest accepted step. */
function levelCandidates(rates: Float64Array): number[] {
  const calm = rates.map((_, i) => median(rates.subarray(Math.max(0, i - 2), i + 3)));
  const differences = calm.map((_, at) => {
    if (at < LEVEL_SECONDS_MIN || at > rates.length - LEVEL_SECONDS_MIN) return 0;
    const near = arithmeticMean(calm.subarray(Math.max(0, at - NEAR_SECONDS), at));
    const far = arithmeticMean(calm.subarray(at, at + NEAR_SECONDS));
    const largest = Math.max(near, far);
    return largest === 0 || Math.abs(near - far) < STEP_SHARE_MIN * SHARPNESS_MIN * largest
      ? 0
      : Math.abs(near - far);
  });
  return [...differences.keys()].filter((at) => {
    const own = differences[at] as number;
    if (own === 0) return false;
    const around = differences.subarray(Math.max(0, at - NEAR_SECONDS), at + NEAR_SECONDS + 1);
    return (
      own === Math.max(...around) && !differences.subarray(Math.max(0, at - NEAR_SECONDS), at).includes(own)
    );
  });
}

function rateLevel(rates: Float64Array, from: number, to: number): RateLevel {
  const part = rates.subarray(from, to);
  const rate = median(part);
  return { from, to, rate, noise: NORMAL_MAD * median(part.map((value) => Math.abs(value - rate))) };
}

/** Standard error of a level's rate if its seconds were independent of each other. */
export const errorOfRate = ({ noise, from, to }: RateLevel): number =>
  (MEDIAN_ERROR * noise) / Math.sqrt(to - from);

/** Strength of a step: the smallest ratio of its measures to their limits. */
function splitStrength(rates: Float64Array, from: number, at: number, to: number): number {
  if (Math.min(at - from, to - at) < LEVEL_SECONDS_MIN) return 0;
  const [before, after] = [rateLevel(rates, from, at), rateLevel(rates, at, to)];
  const step = Math.abs(before.rate - after.rate);
  if (step === 0) return 0;
  // The second of the step itself is a mixture of both levels.
  const near = median(rates.subarray(Math.max(from, at - 1 - LEVEL_SECONDS_MIN), Math.max(from + 1, at - 1)));
  const far = median(rates.subarray(Math.min(to - 1, at + 1), Math.min(to, at + 1 + LEVEL_SECONDS_MIN)));
  return Math.min(
    step / (STEP_SHARE_MIN * Math.max(before.rate, after.rate)),
    step / (STEP_NOISE_MIN * Math.max(before.noise, after.noise)),
    step / (STEP_ERROR_MIN * Math.hypot(errorOfRate(before), errorOfRate(after))),
    Math.abs(near - far) / (SHARPNESS_MIN * step),
  );
}
