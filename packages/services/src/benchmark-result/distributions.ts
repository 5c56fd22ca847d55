/** Extracts comparable values from an imported file without samples. */

import type { ComparableSubject, ComparedBy } from "@stashlight/contracts/benchmark";
import { importedManifest, type StoredDistribution } from "@stashlight/contracts/sample";

/** More values would not change a distribution, but comparisons examine pairs of values. */
const VALUE_COUNT_MAX = 20_000;

export interface DistributionSubject extends ComparableSubject {
  readonly distribution: StoredDistribution;
}

/** A size missing from a file cannot be matched with another run's; a sync has no size. */
export function storedDistributions(manifest: unknown): DistributionSubject[] {
  const { imported } = importedManifest.parse(manifest ?? {});
  return (imported?.distributions ?? []).flatMap((distribution) => {
    const { operation, bins } = distribution;
    const sizeBytes = operation === "SYNC" ? 0 : distribution.sizeBytes;
    const sampleCount = bins.reduce((sum, [, count]) => sum + count, 0);
    if (sizeBytes === null || sampleCount === 0) return [];
    const by: ComparedBy = distribution.of === "segments" ? "segments" : "bins";
    return [{ operation, sizeBytes, connectionCount: 1, sampleCount, by, distribution }];
  });
}

/** Returns a value per operation or segment; if there are too many, as many as allowed at equal distances of rank. */
export function expandDistribution({ bins }: StoredDistribution): Float64Array {
  const total = bins.reduce((sum, [, count]) => sum + count, 0);
  const values = new Float64Array(Math.min(total, VALUE_COUNT_MAX));
  let bin = 0;
  let passed = 0;
  for (let place = 0; place < values.length; place += 1) {
    const rank = ((place + 0.5) / values.length) * total;
    while (bin < bins.length - 1 && passed + (bins[bin]?.[1] ?? 0) < rank) {
      passed += bins[bin]?.[1] ?? 0;
      bin += 1;
    }
    values[place] = bins[bin]?.[0] ?? 0;
  }
  return values;
}
