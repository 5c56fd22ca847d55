import { requireValues } from "./error.ts";

/** Interval with its coverage: the minimum share of repetitions in which it contains the true value. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
}

/** Returns a sorted copy. Throws a `StatsError` if there are no values, or one is not finite. */
export function sortedCopy(values: ArrayLike<number>, name: string): Float64Array {
  requireValues(values, name);
  return Float64Array.from(values).sort();
}

/** Returns the middle value, or the mean of the middle two: an estimate rather than a sample. */
function medianOfSorted(sorted: ArrayLike<number>): number {
  const half = sorted.length >> 1;
  const upper = sorted[half] as number;
  return sorted.length % 2 === 1 ? upper : (sorted[half - 1] as number) / 2 + upper / 2;
}

/** Median of any finite values, in their unit. Throws a `StatsError` if there are none. */
export function median(values: ArrayLike<number>): number {
  return medianOfSorted(sortedCopy(values, "values"));
}

const INSERTED_MAX = 16;

/** Median of the first `count` finite values, which are sorted in place, for resampling loops. */
export function medianOfFirst(values: Float64Array, count: number): number {
  if (count > INSERTED_MAX) return medianOfSorted(values.subarray(0, count).sort());
  for (let i = 1; i < count; i += 1) {
    const value = values[i] as number;
    let at = i;
    for (; at > 0 && (values[at - 1] as number) > value; at -= 1) values[at] = values[at - 1] as number;
    values[at] = value;
  }
  const half = count >> 1;
  const upper = values[half] as number;
  return count % 2 === 1 ? upper : (values[half - 1] as number) / 2 + upper / 2;
}

/** Mean of at least one value. */
export function arithmeticMean(values: ArrayLike<number>): number {
  const first = values[0] as number;
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += (values[i] as number) - first;
  return first + sum / values.length;
}

/** Sum of squared distances from `mean`, in two passes so that nothing cancels. */
export function squaresAround(values: ArrayLike<number>, mean: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += ((values[i] as number) - mean) ** 2;
  return sum;
}
