/** Converts measurements of a drive or a vault into a demand. */
import type { MetricAnswer } from "@stashlight/contracts/metrics/query";
import type { DemandStep } from "@stashlight/devices/ebs";

export interface MeasuredDemand {
  readonly steps: readonly DemandStep[];
  /** Windows without data, which are excluded. */
  readonly missingCount: number;
}

/**
 * Turns operations and bytes of the same windows into steps. A window that lacks either is left out, because treating
 * it as idle would lower the demand.
 */
export function toDemand(operations: MetricAnswer, bytes: MetricAnswer): MeasuredDemand {
  const counts = byTime(operations);
  const sizes = byTime(bytes);
  const seconds = operations.stepMs / 1_000;
  const ends = [...counts.keys()].filter((endMs) => sizes.has(endMs)).sort((a, b) => a - b);
  const steps = ends.map((endMs): DemandStep => {
    const count = counts.get(endMs) ?? 0;
    const kib = count === 0 ? 4 : (sizes.get(endMs) ?? 0) / count / 1_024;
    return { seconds, iops: count / seconds, kib: Math.max(0.5, kib), readShare: 0 };
  });
  const [first, last] = [ends[0] ?? 0, ends.at(-1) ?? 0];
  const expected = ends.length === 0 ? 0 : Math.round((last - first) / operations.stepMs) + 1;
  return { steps, missingCount: Math.max(0, expected - ends.length) };
}

function byTime({ series }: MetricAnswer): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { endMs, columns } of series) {
    if (columns.kind !== "counter") continue;
    endMs.forEach((at, i) => {
      sums.set(at, (sums.get(at) ?? 0) + (columns.increase[i] ?? 0));
    });
  }
  return sums;
}
