import { requireWithin } from "./error.ts";
import { type Interval, sortedCopy } from "./sorted.ts";

/** Ranks, from 1, of the two values between which the median lies. */
export interface MedianRanks {
  readonly lowRank: number;
  readonly highRank: number;
  /** What they truly hold, at least what was asked for. */
  readonly confidence: number;
}

/**
 * Ranks of the order statistics that hold the median with at least `confidence`, whatever the distribution: the largest
 * l with P(B < l) <= (1 - confidence) / 2 for B ~ Binomial(count, 1/2), and its mirror (H. A. David, H. N. Nagaraja,
 * Order Statistics, 7.1). For 100 samples and 0.95: 40 and 61. Null when even the extremes do not suffice, which is
 * below 6 samples for 0.95.
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

/** The interval of the median of `values`, in their unit; null when there are too few. Throws `StatsError` on no values. */
export function medianInterval(values: ArrayLike<number>, confidence = 0.95): Interval | null {
  return medianIntervalOfSorted(sortedCopy(values, "values"), confidence);
}

export function medianIntervalOfSorted(sorted: Float64Array, confidence: number): Interval | null {
  const ranks = medianRanks(sorted.length, confidence);
  if (ranks === null) return null;
  return {
    low: sorted[ranks.lowRank - 1] as number,
    high: sorted[ranks.highRank - 1] as number,
    confidence: ranks.confidence,
  };
}
