import { requireValues, requireWithin, StatsError } from "../error.ts";
import { normalQuantileUpper } from "../normal.ts";
import type { Interval } from "../sorted.ts";
import type { TokenBucket } from "./find-shaping.ts";

/** Run after a rest without any load. */
export interface RestedRun {
  readonly restSeconds: number;
  readonly burst: Pick<TokenBucket, "bucketTokens" | "bucketInterval">;
}

/** Tokens refilled per second of rest, in the unit of the bursts. */
export type Refill =
  | { readonly kind: "measured"; readonly tokensPerSecond: number; readonly interval: Interval }
  /** Lower bound, because the bucket may have been full before the end of every rest. */
  | { readonly kind: "at-least"; readonly tokensPerSecond: number };

/**
 * Estimates the refill of a bucket from a run, a rest and another run: the first burst ended with an empty bucket, as
 * each of the others did, so the next burst spends the tokens of the rest. Rests after which the bucket may have been
 * full are excluded; the others are averaged by the inverse of their variance. Throws a `StatsError` without a rested
 * run, with a rest that is not above zero, or with an interval of zero width.
 */
export function estimateRefill(first: RestedRun["burst"], rested: readonly RestedRun[]): Refill {
  requireValues(
    rested.map(({ restSeconds }) => restSeconds),
    "rested runs",
  );
  const short = rested.find(({ restSeconds }) => restSeconds <= 0);
  if (short !== undefined) {
    throw new StatsError(
      "bad-argument",
      `A rest of ${short.restSeconds} s is impossible; it must be above zero.`,
    );
  }
  const partial = rested.filter(({ burst }) => burst.bucketInterval.high < first.bucketInterval.low);
  if (partial.length === 0) {
    const rates = rested.map(({ restSeconds, burst }) => burst.bucketInterval.low / restSeconds);
    return { kind: "at-least", tokensPerSecond: Math.max(0, ...rates) };
  }
  const { confidence } = first.bucketInterval;
  let weights = 0;
  let weighted = 0;
  for (const { restSeconds, burst } of partial) {
    const weight = (restSeconds / standardError(burst.bucketInterval)) ** 2;
    weights += weight;
    weighted += (weight * burst.bucketTokens) / restSeconds;
  }
  const tokensPerSecond = weighted / weights;
  const reach = normalQuantile(confidence) / Math.sqrt(weights);
  const interval = { low: tokensPerSecond - reach, high: tokensPerSecond + reach, confidence };
  return { kind: "measured", tokensPerSecond, interval };
}

function normalQuantile(confidence: number): number {
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  return normalQuantileUpper((1 - confidence) / 2);
}

/** Standard error that a symmetric normal interval implies. */
function standardError({ low, high, confidence }: Interval): number {
  if (!(high > low)) {
    throw new StatsError("bad-argument", `The interval from ${low} to ${high} has no width.`);
  }
  return (high - low) / (2 * normalQuantile(confidence));
}
