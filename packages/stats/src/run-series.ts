import { requireValues, StatsError } from "./error.ts";
import { nearestRank } from "./rank.ts";

/**
 * Runs of one endpoint and size over a period, oldest first. Run i was planned for `slotsMs[i]`, and its successful
 * samples are `values[offsets[i]]` up to but excluding `values[offsets[i + 1]]`, in one unit; `offsets` has one entry
 * more than there are runs.
 */
export interface RunSeries {
  /** Strictly ascending. */
  readonly slotsMs: ArrayLike<number>;
  readonly offsets: ArrayLike<number>;
  readonly values: Float64Array;
  /** Number of failed and timed-out samples of each run, which rank after all successes; absent if there are none. */
  readonly censoredCounts?: ArrayLike<number>;
}

/** Throws a `StatsError` that describes an error in the shape. */
function requireSeries(series: RunSeries, name: string): void {
  const { slotsMs, offsets, values, censoredCounts } = series;
  const bad = (what: string): StatsError => new StatsError("bad-argument", `The runs of ${name}: ${what}.`);
  requireSlots(slotsMs, name);
  if (offsets.length !== slotsMs.length + 1) {
    throw bad(`${slotsMs.length} runs need ${slotsMs.length + 1} offsets, not ${offsets.length}`);
  }
  if (censoredCounts !== undefined && censoredCounts.length !== slotsMs.length) {
    throw bad(`${slotsMs.length} runs need as many counts of failures, not ${censoredCounts.length}`);
  }
  requireValues(values, `samples of ${name}`, 0);
  if (offsets[0] !== 0 || offsets[slotsMs.length] !== values.length) {
    throw bad(`offsets go from 0 to the number of samples, ${values.length}`);
  }
  for (let i = 0; i < slotsMs.length; i += 1) {
    const [from, to] = [offsets[i] as number, offsets[i + 1] as number];
    if (!Number.isInteger(to) || to < from) throw bad(`the offset after run ${i} is ${to}, below ${from}`);
  }
}

/**
 * The same runs reduced to one figure each, as a store keeps them: a long archive of figures is read in an instant, and
 * suffices for a comparison. One value per run in each list, in one unit; NaN for a run without the figure.
 */
export interface RunMoments {
  /** Strictly ascending. */
  readonly slotsMs: ArrayLike<number>;
  /** Means of the successful samples. */
  readonly means: ArrayLike<number>;
  /** Median at the nearest rank of all samples; NaN if that is a failure. */
  readonly medians: ArrayLike<number>;
  /** Share of each run's samples that failed. */
  readonly failedShares: ArrayLike<number>;
}

export type Leg = RunSeries | RunMoments;

/** One figure per run; NaN if it has none. */
export interface RunFigures {
  readonly mean: Float64Array;
  readonly median: Float64Array;
  /** Share of each run's samples that failed. */
  readonly failedShare: Float64Array;
}

/** Computes the figures of either kind of leg. Throws a `StatsError` that describes an error in its shape. */
export function legFigures(leg: Leg, name: string): RunFigures {
  if ("values" in leg) {
    requireSeries(leg, name);
    return runFigures(leg);
  }
  requireSlots(leg.slotsMs, name);
  const figures = {
    mean: Float64Array.from(leg.means),
    median: Float64Array.from(leg.medians),
    failedShare: Float64Array.from(leg.failedShares),
  };
  for (const [figure, values] of Object.entries(figures)) {
    if (values.length !== leg.slotsMs.length) {
      const what = `${leg.slotsMs.length} runs need as many figures "${figure}", not ${values.length}`;
      throw new StatsError("bad-argument", `The runs of ${name}: ${what}.`);
    }
    const at = values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
    if (at >= 0)
      throw new StatsError("not-finite", `Figure "${figure}" of run ${at} of ${name} is ${values[at]}.`);
  }
  return figures;
}

function requireSlots(slotsMs: ArrayLike<number>, name: string): void {
  if (slotsMs.length === 0) throw new StatsError("empty", `There are no runs of ${name}.`);
  requireValues(slotsMs, `slots of ${name}`);
  for (let i = 1; i < slotsMs.length; i += 1) {
    if ((slotsMs[i] as number) > (slotsMs[i - 1] as number)) continue;
    const what = `slot ${i} is not after the one before it; a slot has one run`;
    throw new StatsError("bad-argument", `The runs of ${name}: ${what}.`);
  }
}

function runFigures(series: RunSeries): RunFigures {
  const runCount = series.slotsMs.length;
  const mean = new Float64Array(runCount).fill(Number.NaN);
  const median = new Float64Array(runCount).fill(Number.NaN);
  const failedShare = new Float64Array(runCount).fill(Number.NaN);
  const scratch = Float64Array.from(series.values);
  for (let run = 0; run < runCount; run += 1) {
    const from = series.offsets[run] as number;
    const to = series.offsets[run + 1] as number;
    const count = to - from;
    const all = count + (series.censoredCounts?.[run] ?? 0);
    if (all > 0) {
      const rank = nearestRank(all, 500_000);
      failedShare[run] = 1 - count / all;
      if (rank <= count) median[run] = select(scratch, from, to - 1, from + rank - 1);
    }
    if (count === 0) continue;
    let sum = 0;
    for (let i = from; i < to; i += 1) sum += series.values[i] as number;
    mean[run] = sum / count;
  }
  return { mean, median, failedShare };
}

/** Returns the value that sorting would put at `at`, by partitioning between `low` and `high` (C. A. R. Hoare 1961). */
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
