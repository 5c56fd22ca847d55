import { requireValues, StatsError } from "../error.ts";
import { type Interval, median } from "../sorted.ts";
import { errorOfRate, LEVEL_SECONDS_MIN, type RateLevel, splitLevels } from "./levels.ts";
import { findPeriod } from "./period.ts";

/** A burst that ends and a base rate that remains. Tokens are in the unit of the series: I/Os, or bytes. */
export interface TokenBucket {
  readonly kind: "token-bucket";
  readonly burstRate: number;
  /** Rate once the bucket is empty. Tokens are then spent as they arrive, so this is also the refill rate. */
  readonly baseRate: number;
  readonly burstSeconds: number;
  /** Tokens that the burst spent beyond the refill: the bucket's size if it was full at the start. */
  readonly bucketTokens: number;
  readonly bucketInterval: Interval;
  /** Mean deviation of a second from the fitted model, as a share of the mean rate. */
  readonly errorShare: number;
}

export type Shaping =
  | TokenBucket
  /** Several limits in series: each level is lower than the previous one, and stays. */
  | { readonly kind: "steps"; readonly levels: readonly RateLevel[] }
  | {
      readonly kind: "periodic";
      readonly rate: number;
      readonly periodSeconds: number;
      readonly swingShare: number;
      readonly predictedShare: number;
    }
  /** Levels that change up and down without a fixed bucket, as neighbours and a drive's own work cause them. */
  | { readonly kind: "varies"; readonly levels: readonly RateLevel[] }
  | { readonly kind: "level"; readonly rate: number; readonly noise: number };

const SECONDS_MIN = 30;
/** Largest difference between the medians of a level's halves, as a share of the step beside it. */
const UNEVEN_SHARE_MAX = 0.25;
/** Seconds around the step in which the rate may be a mixture of both levels. */
const KNEE_SECONDS = 5;
const CONFIDENCE = 0.95;
const NORMAL_95 = 1.959964;

/**
 * Finds the limit of a drive or volume under full load: `rates` are its I/Os or bytes in successive seconds. A claim
 * needs evidence that noise does not produce: a bucket is one sharp and lasting step down between two even levels, and
 * a period must predict the second half of the series. Throws a `StatsError` with fewer than 30 seconds, or a rate that
 * is negative or not finite.
 */
export function findShaping(rates: Float64Array): Shaping {
  requireValues(rates, "rates", SECONDS_MIN);
  const negative = rates.findIndex((rate) => rate < 0);
  if (negative >= 0) {
    throw new StatsError("bad-argument", `Rate ${negative} is ${rates[negative]}; a rate is zero or more.`);
  }
  const period = findPeriod(rates);
  if (period !== null) {
    const { seconds: periodSeconds, swingShare, predictedShare } = period;
    return { kind: "periodic", rate: median(rates), periodSeconds, swingShare, predictedShare };
  }
  const levels = splitLevels(rates);
  const [first, second] = levels as [RateLevel, RateLevel | undefined];
  if (second === undefined) return { kind: "level", rate: first.rate, noise: first.noise };
  const isFalling = levels.every(({ rate }, i) => i === 0 || rate < (levels[i - 1] as RateLevel).rate);
  if (!isFalling || !levels.every((level, i) => isEven(rates, level, smallestStep(levels, i)))) {
    return { kind: "varies", levels };
  }
  return levels.length === 2 ? fitBucket(rates, first, second) : { kind: "steps", levels };
}

/** Size of the smaller of the steps on both sides of a level. */
function smallestStep(levels: readonly RateLevel[], at: number): number {
  const rate = (levels[at] as RateLevel).rate;
  const steps = [levels[at - 1], levels[at + 1]].flatMap((other) =>
    other === undefined ? [] : [Math.abs(other.rate - rate)],
  );
  return Math.min(...steps);
}

/** Returns true if a level ends as it began: neither a drift nor a return to the previous level. */
function isEven(rates: Float64Array, { from, to }: RateLevel, step: number): boolean {
  if (to - from < 2 * LEVEL_SECONDS_MIN) return true;
  const middle = (from + to) >> 1;
  const [early, late] = [median(rates.subarray(from, middle)), median(rates.subarray(middle, to))];
  return Math.abs(early - late) <= UNEVEN_SHARE_MAX * step;
}

function fitBucket(rates: Float64Array, burst: RateLevel, base: RateLevel): TokenBucket {
  const step = burst.rate - base.rate;
  const knee = {
    from: Math.max(0, burst.to - KNEE_SECONDS),
    to: Math.min(rates.length, burst.to + KNEE_SECONDS),
  };
  let burstSeconds = knee.from;
  for (const rate of rates.subarray(knee.from, knee.to)) {
    burstSeconds += Math.min(1, Math.max(0, (rate - base.rate) / step));
  }
  let bucketTokens = 0;
  for (const rate of rates.subarray(0, knee.to)) bucketTokens += rate - base.rate;
  // The spent tokens are counted, but the refill meanwhile is estimated, and one second may be counted by half.
  const error = Math.hypot(burstSeconds * errorOfRate(base), base.noise * Math.sqrt(KNEE_SECONDS), step / 2);
  let missed = 0;
  let all = 0;
  for (const [second, rate] of rates.entries()) {
    const share = Math.min(1, Math.max(0, burstSeconds - second));
    missed += Math.abs(rate - (base.rate + share * step));
    all += rate;
  }
  return {
    kind: "token-bucket",
    burstRate: burst.rate,
    baseRate: base.rate,
    burstSeconds,
    bucketTokens,
    bucketInterval: {
      low: bucketTokens - NORMAL_95 * error,
      high: bucketTokens + NORMAL_95 * error,
      confidence: CONFIDENCE,
    },
    errorShare: missed / all,
  };
}
