import { nearestRank } from "@stashlight/stats";
import type { SampleGroup } from "./exported-run.ts";

const TICKS_PER_HALF = 5;

/**
 * Writes a percentile distribution in the format of HdrHistogram and its plotter: milliseconds, five steps in each half
 * of the remaining distance to 100 %. Computed from the samples, not from bins. Failures are counted in a comment,
 * since the format has no field for them.
 */
export function renderHgrm({ okMs, censoredMs, starts }: SampleGroup): string {
  const sorted = Float64Array.from(okMs).sort();
  const count = sorted.length;
  const lines = [
    `${"Value".padStart(12)} ${"Percentile".padStart(14)} ${"TotalCount".padStart(10)} ${"1/(1-Percentile)".padStart(14)}`,
    "",
  ];
  for (const percent of count === 0 ? [] : steps(count)) {
    const rank = nearestRank(count, Math.round(percent * 10_000));
    const value = sorted[rank - 1] as number;
    const columns = `${value.toFixed(3).padStart(12)} ${(percent / 100).toFixed(12)} ${String(upTo(sorted, rank)).padStart(10)}`;
    lines.push(percent === 100 ? columns : `${columns} ${(100 / (100 - percent)).toFixed(2).padStart(14)}`);
  }
  const mean = count === 0 ? 0 : sorted.reduce((sum, value) => sum + value, 0) / count;
  const variance = count === 0 ? 0 : sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count;
  const cell = (value: number): string => value.toFixed(3).padStart(12);
  lines.push(
    `#[Mean    = ${cell(mean)}, StdDeviation   = ${cell(Math.sqrt(variance))}]`,
    `#[Max     = ${cell(sorted[count - 1] ?? 0)}, Total count    = ${String(count).padStart(12)}]`,
    `#[Failed  = ${String(censoredMs.length).padStart(12)}, which the values above do not contain]`,
    ...(starts?.kind === "due" ? ["#[From the moment at which each operation was due]"] : []),
  );
  return `${lines.join("\n")}\n`;
}

/** Percentages ever closer to 100, until only one sample is above; then 100. */
function steps(count: number): number[] {
  const percents: number[] = [];
  for (let percent = 0; 100 - percent > 100 / (2 * count) && 100 - percent > 1e-4; ) {
    percents.push(percent);
    const halves = 2 ** (Math.floor(Math.log2(100 / (100 - percent))) + 1);
    percent += 100 / (TICKS_PER_HALF * halves);
  }
  return [...percents, 100];
}

/** Number of samples up to and including those equal to the sample at `rank`. */
function upTo(sorted: Float64Array, rank: number): number {
  let count = rank;
  while (count < sorted.length && sorted[count] === sorted[rank - 1]) count += 1;
  return count;
}
