/**
 * Reproducible pseudo-random numbers: every measurement of a simulated fleet is a function of the node and the time, so
 * history and live data match without shared state.
 */

const TWO_TO_32 = 2 ** 32;

function mix(state: number, part: number): number {
  let mixed = Math.imul(state ^ part, 0x9e3779b1);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}

/** Returns a number between 0 and 1, excluding both; only the low 32 bits of the arguments count. */
export function uniform(a: number, b: number, c = 0): number {
  const mixed = mix(mix(mix(0x243f6a88, a), b), c);
  return ((mixed >>> 0) + 0.5) / TWO_TO_32;
}

/** Returns an integer from 0 to below `bound`. */
export const below = (bound: number, a: number, b: number, c = 0): number =>
  Math.floor(uniform(a, b, c) * bound);

/** Draws from the normal distribution of mean 0 and standard deviation 1. */
export function normal(a: number, b: number, c = 0): number {
  return Math.sqrt(-2 * Math.log(uniform(a, b, 2 * c))) * Math.cos(2 * Math.PI * uniform(a, b, 2 * c + 1));
}
