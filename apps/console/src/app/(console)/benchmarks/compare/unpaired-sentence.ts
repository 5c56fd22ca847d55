import type { BenchmarkUnpaired } from "@stashlight/contracts/benchmark";
import { formatMs } from "../results/comparison.tsx";

/** Describes the samples of two runs, which may share a name, without calling one faster. */
export function unpairedSentence({ a, b, shiftMs }: BenchmarkUnpaired): string {
  if (shiftMs === 0) return `The medians of A (${a.name}) and B (${b.name}) are the same in these two runs`;
  const place = shiftMs < 0 ? "below" : "above";
  return `In these two runs the median of A (${a.name}) is ${formatMs(Math.abs(shiftMs))} ${place} that of B (${b.name})`;
}
