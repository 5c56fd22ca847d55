import { sfc32 } from "./random.ts";

/** Randomness of a simulated run, which its parts draw from generators forked off each other. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform among 0 .. count - 1. */
  below(count: number): number;
  chance(probability: number): boolean;
  between(low: number, high: number): number;
  pick<T>(list: readonly T[]): T;
  /** Creates a separate generator, so that more draws in one place do not change another. */
  fork(): Random;
}

export function createRandom(seed: number): Random {
  const nextUint = sfc32(seed, Math.floor(seed / 2 ** 32));
  const next = () => nextUint() / 2 ** 32;
  const random: Random = {
    next,
    below: (count) => Math.floor(next() * count),
    chance: (probability) => next() < probability,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => {
      const picked = list[Math.floor(next() * list.length)];
      if (picked === undefined) throw new RangeError("There is nothing to pick from an empty list.");
      return picked;
    },
    fork: () => createRandom(nextUint() * 2 ** 21 + (nextUint() >>> 11)),
  };
  return random;
}
