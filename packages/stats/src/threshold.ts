import { requireCount, requireValues, StatsError } from "./error.ts";

export interface ThresholdRule {
  /** Threshold in the unit of the values; an equal value has not crossed it. */
  readonly threshold: number;
  readonly direction: "above" | "below";
  /** The rule holds when `n` of the last `m` values crossed the threshold. */
  readonly n: number;
  readonly m: number;
}

/**
 * Evaluates the rule at each value, oldest first. Before there are `m` values it uses the existing ones, so a series
 * can begin with an alarm. Throws a `StatsError` if a value is not finite or 1 <= n <= m <= 1,000 does not hold.
 */
export function nOfM(values: ArrayLike<number>, rule: ThresholdRule): boolean[] {
  requireValues(values, "values", 0);
  requireCount(rule.m, "The number of values looked at", 1, 1000);
  requireCount(rule.n, "The number of values that must cross", 1, rule.m);
  if (!Number.isFinite(rule.threshold)) {
    throw new StatsError("not-finite", `The threshold is ${rule.threshold}, which is not a finite number.`);
  }
  const crosses = Array.from(values, (value) =>
    rule.direction === "above" ? value > rule.threshold : value < rule.threshold,
  );
  let count = 0;
  return crosses.map((isAcross, i) => {
    if (isAcross) count += 1;
    if (crosses[i - rule.m] === true) count -= 1;
    return count >= rule.n;
  });
}
