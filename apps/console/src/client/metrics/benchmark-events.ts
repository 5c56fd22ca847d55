/** Benchmarks as marks of charts: they load a vault, and so may explain its figures. */
import type { BenchmarkMark } from "@stashlight/contracts/benchmark/plan";
import type { ChartEvent } from "@stashlight/ui/chart";
import { formatDuration } from "../duration.ts";

/** Keeps those that loaded the vault in view; without one in view, those of any vault. */
export function benchmarksToEvents(
  marks: readonly BenchmarkMark[],
  vaultInView: string | null,
): ChartEvent[] {
  return marks
    .filter(({ vaults }) => vaultInView === null || vaults.includes(vaultInView))
    .map(({ planId, planName, startedAt, finishedAt }) => {
      const [timeMs, endMs] = [startedAt.getTime(), finishedAt.getTime()];
      return {
        timeMs,
        label: `Benchmark: ${planName}, took ${formatDuration(endMs - timeMs)}`,
        status: "good",
        span: { endMs, href: `/benchmarks/plans/${planId}` },
      };
    });
}
