import { requireValues, StatsError } from "./error.ts";
import { nearestRank } from "./rank.ts";

/**
 * Runs of one endpoint and size over a period, oldest first. Run i was planned for `slotsMs[i]`, and its successful
 * samples are `values[offsets[i]]` up to but without `values[offsets[i + 1]]`, in one unit; `offsets` has one entry more
 * than there are runs.
 */
export interface RunSeries {
  /** Strictly ascending. */
  readonly slotsMs: ArrayLike<number>;
  readonly offsets: ArrayLike<number>;
  readonly values: Float64Array;
  /** Failed and timed-out samples of each run, which rank behind all that succeeded; absent when there is none. */
  readonly censoredCounts?: ArrayLike<number>;
}

/** Throws a `StatsError` that names what is wrong with the shape. */
export function requireSeries(series: RunSeries, name: string): void {
  const { slotsMs, offsets, values, censoredCounts } = series;
  const bad = (what: string): StatsError => new StatsError("bad-argument", `The runs of ${name}: ${what}.`);
  if (slotsMs.length === 0) throw new StatsError("empty", `There are no runs of ${name}.`);
  if (offsets.length !== slotsMs.length + 1) {
    throw bad(`${slotsMs.length} runs need ${slotsMs.length + 1} offsets, not ${offsets.length}`);
  }
  if (censoredCounts !== undefined && censoredCounts.length !== slotsMs.length) {
    throw bad(`${slotsMs.length} runs need as many counts of failures, not ${censoredCounts.length}`);
  }
  requireValues(slotsMs, `slots of ${name}`);
  requireValues(values, `samples of ${name}`, 0);
  if (offsets[0] !== 0 || offsets[slotsMs.length] !== values.length) {
    throw bad(`offsets go from 0 to the number of samples, ${values.length}`);
  }
  for (let i = 0; i < slotsMs.length; i += 1) {
    if (i > 0 && !((slotsMs[i] as number) > (slotsMs[i - 1] as number))) {
      throw bad(`slot ${i} is not after the one before it; a slot has one run`);
    }
    const [from, to] = [offsets[i] as number, offsets[i + 1] as number];
    if (!Number.isInteger(to) || to < from) throw bad(`the offset after run ${i} is ${to}, below ${from}`);
  }
}

/** A figure for each run; NaN where it has none. */
export interface RunFigures {
  readonly mean: Float64Array;
  /** Of the mean of a resample: the variance of the run's samples around their mean, over their number. */
  readonly meanVariance: Float64Array;
  /** At the nearest rank of all samples; Infinity where that is a failure. */
  readonly median: Float64Array;
}

export function runFigures(series: RunSeries): RunFigures {
  const runCount = series.slotsMs.length;
  const mean = new Float64Array(runCount).fill(Number.NaN);
  const meanVariance = new Float64Array(runCount).fill(Number.NaN);
  const median = new Float64Array(runCount).fill(Number.NaN);
  const scratch = Float64Array.from(series.values);
  for (let run = 0; run < runCount; run += 1) {
    const from = series.offsets[run] as number;
    const to = series.offsets[run + 1] as number;
    const count = to - from;
    const all = count + (series.censoredCounts?.[run] ?? 0);
    if (all > 0) {
      const rank = nearestRank(all, 500_000);
      median[run] = rank > count ? Number.POSITIVE_INFINITY : select(scratch, from, to - 1, from + rank - 1);
    }
    if (count === 0) continue;
    let sum = 0;
    for (let i = from; i < to; i += 1) sum += series.values[i] as number;
    const centre = sum / count;
    let squares = 0;
    for (let i = from; i < to; i += 1) squares += ((series.values[i] as number) - centre) ** 2;
    mean[run] = centre;
    meanVariance[run] = squares / count / count;
  }
  return { mean, meanVariance, median };
}

/** The value that sorting would put at `at`, by partitioning between `low` and `high` (C. A. R. Hoare 1961). */
function select(values: Float64Array, low: number, high: number, at: number): number {
  while (low < high) {
    const pivot = values[at] as number;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] as number) < pivot) i += 1;
      while ((values[j] as number) > pivot) j -= 1;
      if (i > j) break;
      const value = values[i] as number;
      values[i] = values[j] as number;
      values[j] = value;
      i += 1;
      j -= 1;
    }
    if (j < at) low = i;
    if (i > at) high = j;
  }
  return values[at] as number;
}
