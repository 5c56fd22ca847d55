/** Marks of benchmarks on charts: a benchmark loads a vault, and so may explain its figures. */
import type { BenchmarkMark } from "@stashlight/contracts/benchmark";
import type { ChartEvent } from "@stashlight/ui/chart";
import { formatDuration } from "../duration.ts";

/** Keeps benchmarks of the given vaults or of an unknown vault; null keeps all. */
export function benchmarksToEvents(
  marks: readonly BenchmarkMark[],
  shown: readonly string[] | null,
): ChartEvent[] {
  return marks
    .filter(
      ({ vaults }) => shown === null || vaults.length === 0 || vaults.some((vault) => shown.includes(vault)),
    )
    .map(({ planId, planName, startedAt, finishedAt, vaults }) => {
      const [timeMs, endMs] = [startedAt.getTime(), finishedAt.getTime()];
      return {
        timeMs,
        label: `Benchmark: ${planName}, took ${formatDuration(endMs - timeMs)}${vaults.length === 0 ? "; its vault is not known" : ""}`,
        status: "good",
        span: { endMs, href: `/benchmarks/plans/${planId}` },
      };
    });
}
