import { requireWithin } from "./error.ts";

const TERMS_MAX = 100_000;
const BISECTIONS = 200;

/** Logarithm of the gamma function: Stirling's series (DLMF 5.11.1), after the recurrence has raised the argument. */
export function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 10; z += 1) shift += Math.log(z);
  const square = 1 / (z * z);
  const series =
    (1 / 12 - square * (1 / 360 - square * (1 / 1260 - square * (1 / 1680 - square / 1188)))) / z;
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
}

/**
 * Share of the gamma distribution of this shape and scale 1 below `x`: the regularised incomplete gamma function
 * (DLMF 8.2.4), by its series 8.7.1 or, above the mean, Lentz's evaluation of the continued fraction 8.9.2.
 */
export function gammaLowerTail(x: number, shape: number): number {
  requireWithin(shape, "The shape of a gamma distribution", Number.MIN_VALUE, Number.MAX_VALUE);
  if (!(x > 0)) return 0;
  const factor = Math.exp(shape * Math.log(x) - x - logGamma(shape));
  return x < shape + 1 ? factor * lowerSeries(x, shape) : 1 - factor * upperFraction(x, shape);
}

function lowerSeries(x: number, shape: number): number {
  let term = 1 / shape;
  let sum = term;
  for (let n = 1; n < TERMS_MAX && term > sum * Number.EPSILON; n += 1) {
    term *= x / (shape + n);
    sum += term;
  }
  return sum;
}

function upperFraction(x: number, shape: number): number {
  let b = x + 1 - shape;
  let c = Number.MAX_VALUE;
  let d = 1 / b;
  let value = d;
  for (let n = 1; n < TERMS_MAX; n += 1) {
    const a = n * (shape - n);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    value *= c * d;
    if (Math.abs(c * d - 1) < Number.EPSILON) break;
  }
  return value;
}

/** Returns the value that `share` (0 to 1, exclusive) of the gamma distribution of this shape and scale 1 is below. */
export function gammaQuantile(share: number, shape: number): number {
  requireWithin(share, "The share below a quantile", Number.MIN_VALUE, 1 - Number.EPSILON);
  let low = 0;
  let high = shape + 1;
  while (gammaLowerTail(high, shape) < share) high *= 2;
  for (let i = 0; i < BISECTIONS && high - low > 2 * Number.EPSILON * high; i += 1) {
    const middle = (low + high) / 2;
    if (gammaLowerTail(middle, shape) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
