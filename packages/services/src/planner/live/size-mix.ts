export interface CountedClass {
  readonly uploadCount: number;
  /** Exclusive lower and inclusive upper bound. */
  readonly bounds: readonly [number, number];
}

const ROUNDS = 60;

/**
 * Returns mean bytes of each class such that all uploads together have `totalBytes`: the middle of every class is
 * scaled by the same factor and clamped to its bounds. The sum rises with the factor, so it is found by bisection.
 */
export function estimateClassBytes(classes: readonly CountedClass[], totalBytes: number): number[] {
  const at = (factor: number): number[] =>
    classes.map(({ bounds: [low, high] }) => Math.min(high, Math.max(low, ((low + high) / 2) * factor)));
  const total = (factor: number): number =>
    at(factor).reduce((sum, bytes, i) => sum + bytes * (classes[i]?.uploadCount ?? 0), 0);
  if (classes.length === 1) return [totalBytes / (classes[0]?.uploadCount ?? 1)];
  let [low, high] = [0, 2 ** 20];
  for (let round = 0; round < ROUNDS; round += 1) {
    const middle = (low + high) / 2;
    if (total(middle) < totalBytes) low = middle;
    else high = middle;
  }
  return at(high);
}
