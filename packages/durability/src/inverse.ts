/** Inverse questions about durability: the largest value that still reaches a target. */
import { DurabilityError } from "./error.ts";

const BISECTIONS = 60;

/**
 * The largest x from `min` to `max` whose annual loss is at most `annualLossMax`, for a loss that grows with x; null if
 * even `min` loses more. Bisects the logarithm of x.
 */
export function largestWithin(
  annualLoss: (x: number) => number,
  annualLossMax: number,
  min: number,
  max: number,
): number | null {
  if (!(min > 0 && max > min)) throw new DurabilityError(`The range ${min} to ${max} has nothing to search.`);
  if (annualLoss(min) > annualLossMax) return null;
  if (annualLoss(max) <= annualLossMax) return max;
  let low = Math.log(min);
  let high = Math.log(max);
  for (let i = 0; i < BISECTIONS && high - low > 1e-10; i += 1) {
    const middle = (low + high) / 2;
    if (annualLoss(Math.exp(middle)) <= annualLossMax) low = middle;
    else high = middle;
  }
  return Math.exp(low);
}
