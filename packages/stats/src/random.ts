import { requireCount } from "./error.ts";

/** Source of randomness: the same seed gives the same numbers, on every machine. */
export interface Random {
  readonly seed: number;
  /** Returns the next integer from 0 to 2^32 - 1. */
  readonly uint32: () => number;
}

const WARM_UP_ROUNDS = 12;

/**
 * sfc32, the small fast counting generator of C. Doty-Humphrey's PractRand, with 128 bits of state, half of which the
 * seed gives. Returns a function that draws the next integer from 0 to 2^32 - 1.
 */
export function sfc32(seedLow: number, seedHigh: number): () => number {
  let a = seedLow | 0;
  let b = seedHigh | 0;
  let c = 0x9e37_79b9 | 0;
  let counter = 1;
  const uint32 = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < WARM_UP_ROUNDS; i += 1) uint32();
  return uint32;
}

/** `seed` is an integer from 0 to 2^32 - 1. */
export function createRandom(seed: number): Random {
  requireCount(seed, "The seed", 0, 0xffff_ffff);
  return { seed, uint32: sfc32(0, seed) };
}

const TO_UNIT = 2 ** -32;

/**
 * Returns an integer from 0 to `count` - 1. Its bias is below count / 2^32, far less than a few thousand draws can
 * show.
 */
export function randomIndex(uint32: () => number, count: number): number {
  return Math.floor(uint32() * TO_UNIT * count);
}

/** Returns one value of the standard normal distribution (G. E. P. Box, M. E. Muller 1958). */
export function randomNormal(uint32: () => number): number {
  const radius = Math.sqrt(-2 * Math.log((uint32() + 1) * TO_UNIT));
  return radius * Math.cos(2 * Math.PI * uint32() * TO_UNIT);
}

/** Shuffles the values, each order equally likely (R. A. Fisher, F. Yates 1938). */
export function shuffle(values: Uint32Array | Int32Array, uint32: () => number): void {
  for (let i = values.length - 1; i > 0; i -= 1) {
    const other = randomIndex(uint32, i + 1);
    const value = values[i] as number;
    values[i] = values[other] as number;
    values[other] = value;
  }
}

/** Source of randomness in orders and choices: a number from 0 to below 1. */
export type Uniform = () => number;

/** Gives the same numbers for the same seed, which may be any integer. */
export function createUniform(seed: number): Uniform {
  const { uint32 } = createRandom(seed >>> 0);
  return () => uint32() * TO_UNIT;
}

/** Returns the items in another order, each equally likely (R. A. Fisher, F. Yates 1938). */
export function shuffled<T>(items: readonly T[], uniform: Uniform): T[] {
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(uniform() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}
