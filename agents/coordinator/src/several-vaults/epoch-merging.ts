/**
 * Keeps the ledger of epochs short by merging epochs.
 *
 * A version carries the number of its epoch, and of two versions of a key in different vaults the one with the higher
 * number is newer. So a reader needs only one fact about the past: for each vault, the last epoch in which it accepted
 * the key. An epoch whose weights return later adds nothing to that and is dropped, without any effect on readers. If
 * too many different weights are left, the two oldest epochs become one that covers all weights between theirs. Keys
 * may then be looked for in more vaults than before, but never in fewer.
 */
import assert from "node:assert/strict";

/** Half of a ledger's limit, so that an earlier version's ledger, which holds more, has space until it is merged. */
export const MERGED_EPOCH_COUNT_MAX = 64;

interface MergeableEpoch {
  readonly weights: number[];
  /** Present only if epochs of different weights were merged. */
  readonly leastWeights?: number[] | undefined;
}

export function mergeEpochs<Epoch extends MergeableEpoch>(
  epochs: readonly Epoch[],
  countMax = MERGED_EPOCH_COUNT_MAX,
): Epoch[] {
  assert(countMax >= 2, "The current epoch is never merged with an older one.");
  const merged = epochs.filter(
    (epoch, at) => !epochs.slice(at + 1).some((later) => placesAlike(epoch, later)),
  );
  while (merged.length > countMax) {
    const [oldest, next, ...others] = merged as [Epoch, Epoch, ...Epoch[]];
    merged.splice(0, merged.length, mergeTwo(oldest, next), ...others);
  }
  return merged;
}

function placesAlike(a: MergeableEpoch, b: MergeableEpoch): boolean {
  if (a.leastWeights !== undefined || b.leastWeights !== undefined) return false;
  return combine(a.weights, b.weights, (one, other) => Math.abs(one - other)).every((gap) => gap === 0);
}

function mergeTwo<Epoch extends MergeableEpoch>(older: Epoch, newer: Epoch): Epoch {
  const least = [older, newer].map(({ weights, leastWeights }) => leastWeights ?? weights) as [
    number[],
    number[],
  ];
  return {
    ...newer,
    weights: combine(older.weights, newer.weights, Math.max),
    leastWeights: combine(...least, Math.min),
  };
}

/** A vault has no weight in epochs from before it joined. */
function combine(
  a: readonly number[],
  b: readonly number[],
  join: (one: number, other: number) => number,
): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => join(a[at] ?? 0, b[at] ?? 0));
}
