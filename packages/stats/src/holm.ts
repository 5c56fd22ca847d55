import { requireValues, requireWithin } from "./error.ts";

/**
 * Adjusts the p-values of several tests in one view so that the probability of even one false discovery among them
 * stays below the level at which they are read (S. Holm 1979): the smallest is multiplied by the number of tests, the
 * next by one less, and so on, and none becomes smaller than the previous one. Returns them in the order of the input.
 * Throws a `StatsError` if there are none, or one is not from 0 to 1.
 */
export function holmAdjusted(pValues: ArrayLike<number>): Float64Array {
  requireValues(pValues, "p-values");
  const order = Array.from({ length: pValues.length }, (_, i) => i);
  order.sort((one, other) => (pValues[one] as number) - (pValues[other] as number));
  const adjusted = new Float64Array(pValues.length);
  let least = 0;
  for (const [place, i] of order.entries()) {
    const pValue = pValues[i] as number;
    requireWithin(pValue, "A p-value", 0, 1);
    least = Math.max(least, Math.min(1, (pValues.length - place) * pValue));
    adjusted[i] = least;
  }
  return adjusted;
}
