import { requireCount, requireWithin } from "./error.ts";
import { logGamma } from "./gamma.ts";
import { normalQuantileUpper } from "./normal.ts";

const FRACTION_STEPS_MAX = 300;
const BISECTIONS = 200;

/**
 * Share of Student's t distribution at least as far from 0 as `t`, on both sides: DLMF 8.17.1 by the continued fraction
 * 8.17.22, whose parameters are half the degrees of freedom and one half.
 */
export function studentTwoSided(t: number, degreesOfFreedom: number): number {
  requireCount(degreesOfFreedom, "The degrees of freedom", 1, Number.MAX_SAFE_INTEGER);
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0;
  const half = degreesOfFreedom / 2;
  const x = degreesOfFreedom / (degreesOfFreedom + t * t);
  const factor = Math.exp(half * Math.log(x) + 0.5 * Math.log1p(-x) - logBetaWithHalf(half));
  if (x === 1) return 1;
  return x < (half + 1) / (half + 2.5)
    ? (factor * betaFraction(half, 0.5, x)) / half
    : 1 - (factor * betaFraction(0.5, half, 1 - x)) / 0.5;
}

/**
 * Limit on cached quantiles, because a page uses the same few for each number of slots. When it is exceeded, all are
 * dropped.
 */
const KEPT_MAX = 4096;
const kept = new Map<string, number>();

/** Returns the t with a share of `twoSided` (0 to 1, exclusive of 0) beyond it on both sides together. */
export function studentQuantile(twoSided: number, degreesOfFreedom: number): number {
  requireWithin(twoSided, "The share beyond a quantile", Number.MIN_VALUE, 1);
  const key = `${twoSided} ${degreesOfFreedom}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= KEPT_MAX) kept.clear();
  const quantile = bisectQuantile(twoSided, degreesOfFreedom);
  kept.set(key, quantile);
  return quantile;
}

function bisectQuantile(twoSided: number, degreesOfFreedom: number): number {
  let low = 0;
  let high = 1;
  while (studentTwoSided(high, degreesOfFreedom) > twoSided) high *= 2;
  for (let i = 0; i < BISECTIONS && high - low > Number.EPSILON * high; i += 1) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degreesOfFreedom) > twoSided) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Logarithm of the beta function of `a` and one half, by the ratio of gamma functions (DLMF 5.12.1). */
function logBetaWithHalf(a: number): number {
  return logGamma(a) + Math.log(Math.PI) / 2 - logGamma(a + 0.5);
}

/** Lentz's evaluation of the continued fraction of the incomplete beta function. */
function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= FRACTION_STEPS_MAX; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    const step = d * c;
    value *= step;
    if (Math.abs(step - 1) < Number.EPSILON) break;
  }
  return value;
}

/**
 * Returns the t with a share of Student's distribution above it, by Cornish and Fisher's expansion from the normal
 * quantile (M. Abramowitz, I. A. Stegun, Handbook of Mathematical Functions, 26.7.5): with 3 degrees of freedom and
 * 0.025 it gives 3.16 instead of 3.18, with 10 it is right to four digits.
 */
export function studentQuantileUpper(upperTail: number, freedom: number): number {
  const z = normalQuantileUpper(upperTail);
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3;
}
