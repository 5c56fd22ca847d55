const SQRT_PI = Math.sqrt(Math.PI);
const SERIES_UP_TO = 2.5;
const FRACTION_STEPS = 120;

/** Share of the standard normal distribution above `z`: DLMF 7.2.2, by the series 7.6.2 and the continued fraction 7.9.2. */
export function normalUpperTail(z: number): number {
  return erfc(z / Math.SQRT2) / 2;
}

function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x);
  if (x < SERIES_UP_TO) return 1 - erfBySeries(x);
  let fraction = x;
  for (let k = FRACTION_STEPS; k >= 1; k -= 1) fraction = x + k / 2 / fraction;
  return Math.exp(-x * x) / (SQRT_PI * fraction);
}

function erfBySeries(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 1; Math.abs(term) > Number.EPSILON * sum * 1e-2; k += 1) {
    term *= (2 * x * x) / (2 * k + 1);
    sum += term;
  }
  return ((2 * Math.exp(-x * x)) / SQRT_PI) * sum;
}

/**
 * Returns the z with a share of `upperTail` (0 to 0.5, exclusive of 0) above it: bisection, to all but the last few
 * bits.
 */
export function normalQuantileUpper(upperTail: number): number {
  let low = 0;
  let high = 40;
  for (let i = 0; i < 80; i += 1) {
    const middle = (low + high) / 2;
    if (normalUpperTail(middle) > upperTail) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
