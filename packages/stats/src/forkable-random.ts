/** sfc32, a small fast generator with 128 bits of state: the only source of randomness in a run. */
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
  let a = seed >>> 0;
  let b = Math.floor(seed / 2 ** 32) >>> 0;
  let c = 0x9e3779b9;
  let d = 1;
  const nextUint = () => {
    const sum = (a + b + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 12; round += 1) nextUint();
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
