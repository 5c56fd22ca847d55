import { requireWithin } from "./error.ts";
import { arithmeticMean, type Interval, sortedCopy, squaresAround } from "./sorted.ts";
import { studentQuantile } from "./student.ts";

/** Ranks, from 1, of the two values around the median. */
export interface MedianRanks {
  readonly lowRank: number;
  readonly highRank: number;
  /** Actual coverage, at least the requested one. */
  readonly confidence: number;
}

/**
 * Ranks of the order statistics that enclose the median with at least `confidence`, for any distribution: the largest
 * l with P(B < l) <= (1 - confidence) / 2 for B ~ Binomial(count, 1/2), and its mirror (H. A. David, H. N. Nagaraja,
 * Order Statistics, 7.1). For 100 samples and 0.95: 40 and 61. Null if even the extremes do not suffice, which is below
 * 6 samples for 0.95.
 */
export function medianRanks(count: number, confidence = 0.95): MedianRanks | null {
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const tail = (1 - confidence) / 2;
  let logTerm = count * Math.log(0.5);
  let below = 0;
  let rank = 0;
  while (rank <= count && below + Math.exp(logTerm) <= tail) {
    below += Math.exp(logTerm);
    logTerm += Math.log((count - rank) / (rank + 1));
    rank += 1;
  }
  if (rank === 0) return null;
  return { lowRank: rank, highRank: count + 1 - rank, confidence: 1 - 2 * below };
}

/** Interval of the median of independent `values`; null if there are too few. Throws a `StatsError` on no values. */
export function medianInterval(values: ArrayLike<number>, confidence = 0.95): Interval | null {
  const sorted = sortedCopy(values, "values");
  const ranks = medianRanks(sorted.length, confidence);
  if (ranks === null) return null;
  return {
    low: sorted[ranks.lowRank - 1] as number,
    high: sorted[ranks.highRank - 1] as number,
    confidence: ranks.confidence,
  };
}

const SECTION_COUNT = 6;
/** With fewer samples, sections are too short to be independent of each other. */
export const MEDIAN_SAMPLES_MIN = 40;

export interface SamplesOfRun {
  /** Samples in the order in which they were taken. */
  readonly inOrder: ArrayLike<number>;
  readonly sorted: Float64Array;
  /** Number of samples without a value, which rank last and are assumed to be spread evenly over the run. */
  readonly censoredCount: number;
}

/**
 * Interval of the median of one run, whose neighbouring samples are correlated: consecutive sections of the run differ
 * in the share of samples below the median, and that spread, by Student's t over six sections, gives the ranks (S.
 * Asmussen, P. W. Glynn, Stochastic Simulation, III.5a). The ranks of independent samples would contain the median in
 * 72 % of runs whose neighbours are correlated by 0.7. Null below 40 samples, and if the upper rank is a censored
 * sample.
 */
export function medianIntervalOfRun(samples: SamplesOfRun, confidence = 0.95): Interval | null {
  const { inOrder, sorted, censoredCount } = samples;
  const count = sorted.length + censoredCount;
  if (sorted.length < MEDIAN_SAMPLES_MIN) return null;
  const middle = sorted[Math.ceil(count / 2) - 1];
  if (middle === undefined) return null;
  const shares = sharesBelow(inOrder, middle, sorted.length / count);
  const error = Math.sqrt(
    squaresAround(shares, arithmeticMean(shares)) / (SECTION_COUNT - 1) / SECTION_COUNT,
  );
  const half = studentQuantile(1 - confidence, SECTION_COUNT - 1) * error * count;
  const lowRank = Math.min(Math.ceil(count / 2), Math.floor(count / 2 - half + 0.5));
  const [low, high] = [sorted[lowRank - 1], sorted[count - lowRank]];
  return low === undefined || high === undefined ? null : { low, high, confidence };
}

/** Share of each section's samples below `middle`; an equal sample counts as half. */
function sharesBelow(inOrder: ArrayLike<number>, middle: number, succeeded: number): Float64Array {
  return Float64Array.from({ length: SECTION_COUNT }, (_, section) => {
    const from = Math.round((section * inOrder.length) / SECTION_COUNT);
    const to = Math.round(((section + 1) * inOrder.length) / SECTION_COUNT);
    let below = 0;
    for (let i = from; i < to; i += 1) {
      const value = inOrder[i] as number;
      if (value < middle) below += 1;
      else if (value === middle) below += 0.5;
    }
    return (succeeded * below) / (to - from);
  });
}
