/** Test data of this package. */
import fc from "fast-check";
import { type Scheme, shardCountOf } from "./scheme.ts";

export function anyScheme(shardCountMax: number): fc.Arbitrary<Scheme> {
  return fc
    .integer({ min: 2, max: shardCountMax })
    .chain((shardCount) =>
      fc
        .integer({ min: 1, max: shardCount - 1 })
        .map((dataShardCount) => ({ dataShardCount, parityShardCount: shardCount - dataShardCount })),
    );
}

/** Lengths around the widths of vectors, lines, blocks and pages, and arbitrary ones. */
export const shardBytesOfInterest = fc.oneof(
  fc.constantFrom(0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 1023, 1025, 4095, 4097),
  fc.integer({ min: 0, max: 3000 }),
);

/** Picks up to m distinct indexes of shards. */
export function anyLosses(scheme: Scheme): fc.Arbitrary<number[]> {
  const index = fc.integer({ min: 0, max: shardCountOf(scheme) - 1 });
  return fc.uniqueArray(index, { maxLength: scheme.parityShardCount });
}

/** Creates `count` arrays of pseudo-random bytes, which the seed determines. */
export function noise(seed: number, count: number, byteCount: number): Uint8Array[] {
  let state = (seed | 0) ^ 0x9e3779b9;
  return Array.from({ length: count }, () =>
    Uint8Array.from({ length: byteCount }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      return state >>> 24;
    }),
  );
}

/** Returns all subsets of 0..itemCount-1 with 1 to `sizeMax` members. */
export function subsets(itemCount: number, sizeMax: number): number[][] {
  const grow = (subset: readonly number[]): number[][] => {
    if (subset.length === sizeMax) return [];
    const next = (subset.at(-1) ?? -1) + 1;
    return Array.from({ length: itemCount - next }, (_, offset) => [...subset, next + offset]).flatMap(
      (larger) => [larger, ...grow(larger)],
    );
  };
  return grow([]);
}
