import { requireCount, requireWithin, StatsError } from "./error.ts";
import { type Random, randomIndex, randomNormal } from "./random.ts";
import { quantileOfSorted } from "./rank.ts";
import { figuresOf, type Leg, type RunFigures } from "./run-series.ts";
import { type Interval, meanOf } from "./sorted.ts";

/** Below this the runs say too little of how runs differ, and no interval is given. */
export const RUNS_MIN = 6;

/** Single samples drawn in all up to which each is drawn; a second has about ten times as many. */
const SAMPLE_DRAWS_MAX = 20_000_000;

export interface Estimate {
  readonly value: number;
  /** Null with too few runs. */
  readonly interval: Interval | null;
}

export interface LegMean extends Estimate {
  readonly runCount: number;
}

export interface PairMeans {
  /** Slots in which both have a mean; all figures of the pair are of these. */
  readonly pairCount: number;
  readonly meanA: number;
  readonly meanB: number;
  /** Mean of a over mean of b. */
  readonly ratio: Estimate;
  /** Mean of a less mean of b. */
  readonly difference: Estimate;
}

export interface BootstrapInput {
  /** All in one unit: with their samples, or with a figure a run. */
  readonly legs: readonly Leg[];
  /** Indices in `legs`: which a to compare with which b. */
  readonly pairs?: readonly (readonly [number, number])[];
  readonly random: Random;
  /** At least 2,000. */
  readonly drawCount?: number;
  readonly confidence?: number;
}

export interface BootstrapResult {
  readonly seed: number;
  readonly drawCount: number;
  readonly confidence: number;
  /** "samples": single samples were drawn. "moments": their mean was, from its variance. */
  readonly inner: "samples" | "moments";
  readonly legs: readonly LegMean[];
  readonly pairs: readonly PairMeans[];
}

/**
 * Means over a period by a two-level bootstrap (A. C. Davison, D. V. Hinkley, Bootstrap Methods, 3.8): each draw takes
 * slots with replacement, the same for all legs so that pairs stay pairs, and then samples within each drawn run. The
 * mean of a leg is the mean of its runs' means, so each run counts once however many samples failed; intervals are
 * percentiles of the draws.
 *
 * Drawing each of thousands of runs' samples would take minutes. Above 20 million such draws the second level is drawn
 * at once for all runs of a draw, as it is when legs have no samples: what resampling adds to their mean has a known variance, and as a sum over very many
 * independent samples it is normal.
 *
 * A run without a successful sample has no mean and is left out. Throws a `StatsError` when a leg is malformed or has no
 * mean at all, two legs of a pair share no slot, or a parameter is out of bounds.
 */
export function bootstrapMeans(input: BootstrapInput): BootstrapResult {
  return bootstrapWithFigures(input, requireFigures(input.legs));
}

export function requireFigures(legs: readonly Leg[]): RunFigures[] {
  if (legs.length === 0) throw new StatsError("empty", "There are no legs to resample.");
  return legs.map((leg, i) => figuresOf(leg, `leg ${i}`));
}

export function bootstrapWithFigures(input: BootstrapInput, figures: readonly RunFigures[]): BootstrapResult {
  const { legs, pairs = [], random, drawCount = 2000, confidence = 0.95 } = input;
  requireCount(drawCount, "The number of draws", 2000, 100_000);
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const columns = new Columns(legs, figures);
  const ofLegs = legs.map((_, leg) => columns.ofLeg(leg));
  const ofPairs = pairs.map(([a, b]) => columns.ofPair(a, b));
  const inner = columns.sampleCount * drawCount <= SAMPLE_DRAWS_MAX ? "samples" : "moments";
  for (const column of columns.all) column.draws = new Float64Array(drawCount);
  draw(columns, drawCount, random.uint32, inner);
  const estimate = (value: number, draws: Float64Array, runCount: number): Estimate => ({
    value,
    interval: runCount < RUNS_MIN ? null : percentileInterval(draws, confidence),
  });
  return {
    seed: random.seed,
    drawCount,
    confidence,
    inner,
    legs: ofLegs.map((column) => ({
      ...estimate(column.mean, column.draws, column.runCount),
      runCount: column.runCount,
    })),
    pairs: ofPairs.map(([a, b]) => ({
      pairCount: a.runCount,
      meanA: a.mean,
      meanB: b.mean,
      ratio: estimate(
        a.mean / b.mean,
        a.draws.map((value, i) => value / (b.draws[i] as number)),
        a.runCount,
      ),
      difference: estimate(
        a.mean - b.mean,
        a.draws.map((value, i) => value - (b.draws[i] as number)),
        a.runCount,
      ),
    })),
  };
}

/** A leg's runs in places for every slot that any leg has. */
interface Column {
  readonly leg: Leg;
  /** Run of a slot, or -1. */
  readonly runOfSlot: Int32Array;
  readonly runCount: number;
  readonly mean: number;
  /** The means of the slots; zero where there is no run. */
  readonly means: Float64Array;
  /** The variance of the resampled mean of a run, on average over the runs. */
  readonly runVariance: number;
  draws: Float64Array;
}

/** Columns of legs, and of legs in the slots they share with another; one that would be the same is made once. */
class Columns {
  readonly all: Column[] = [];
  readonly slotCount: number;
  readonly #legs: readonly Leg[];
  readonly #figures: readonly RunFigures[];
  readonly #slotOfTime: Map<number, number>;
  readonly #whole: Column[];

  constructor(legs: readonly Leg[], figures: readonly RunFigures[]) {
    this.#legs = legs;
    this.#figures = figures;
    const times = new Set(legs.flatMap((leg) => Array.from(leg.slotsMs)));
    this.#slotOfTime = new Map([...times].map((time, slot) => [time, slot]));
    this.slotCount = times.size;
    this.#whole = legs.map((_, leg) => this.#make(leg, null));
  }

  /** Infinity without samples, which cannot be drawn. */
  get sampleCount(): number {
    return this.all.reduce(
      (sum, { leg }) => sum + ("values" in leg ? leg.values.length : Number.POSITIVE_INFINITY),
      0,
    );
  }

  ofLeg(leg: number): Column {
    return this.#whole[leg] as Column;
  }

  ofPair(a: number, b: number): [Column, Column] {
    const [left, right] = [this.#whole[a], this.#whole[b]];
    if (left === undefined || right === undefined) {
      throw new StatsError(
        "bad-argument",
        `There is no pair of legs ${a} and ${b} among ${this.#whole.length}.`,
      );
    }
    return [this.#within(a, left, right), this.#within(b, right, left)];
  }

  #within(leg: number, own: Column, other: Column): Column {
    const isShared = own.runOfSlot.every((run, slot) => run < 0 || (other.runOfSlot[slot] as number) >= 0);
    return isShared ? own : this.#make(leg, other);
  }

  #make(index: number, other: Column | null): Column {
    const leg = this.#legs[index] as Leg;
    const { mean, meanVariance } = this.#figures[index] as RunFigures;
    const runOfSlot = new Int32Array(this.slotCount).fill(-1);
    const means = new Float64Array(this.slotCount);
    const present: number[] = [];
    let variance = 0;
    for (let run = 0; run < leg.slotsMs.length; run += 1) {
      const slot = this.#slotOfTime.get(leg.slotsMs[run] as number) as number;
      if (Number.isNaN(mean[run]) || (other !== null && (other.runOfSlot[slot] as number) < 0)) continue;
      runOfSlot[slot] = run;
      means[slot] = mean[run] as number;
      variance += meanVariance[run] as number;
      present.push(mean[run] as number);
    }
    if (present.length === 0) {
      const where =
        other === null ? "has no run with a success" : "shares no slot with the leg it is compared with";
      throw new StatsError("empty", `Leg ${index} ${where}.`);
    }
    const column: Column = {
      leg,
      runOfSlot,
      runCount: present.length,
      mean: meanOf(present),
      means,
      runVariance: variance / present.length,
      draws: new Float64Array(0),
    };
    this.all.push(column);
    return column;
  }
}

function draw(columns: Columns, drawCount: number, uint32: () => number, inner: "samples" | "moments"): void {
  const timesDrawn = new Uint16Array(columns.slotCount);
  const resample = inner === "samples" ? meanOfSamples : meanByMoments;
  for (let i = 0; i < drawCount; i += 1) {
    timesDrawn.fill(0);
    for (let k = 0; k < timesDrawn.length; k += 1) {
      const slot = randomIndex(uint32, timesDrawn.length);
      timesDrawn[slot] = (timesDrawn[slot] as number) + 1;
    }
    for (const column of columns.all) column.draws[i] = resample(column, timesDrawn, uint32);
  }
}

/** NaN when no drawn slot has a run, as for any mean of nothing. Two sums at once, which do not wait for each other. */
function meanByMoments(column: Column, timesDrawn: Uint16Array, uint32: () => number): number {
  const { means, runOfSlot } = column;
  const even = timesDrawn.length & ~1;
  let sum = even < timesDrawn.length ? (timesDrawn[even] as number) * (means[even] as number) : 0;
  let sumOfOdd = 0;
  for (let slot = 0; slot < even; slot += 2) {
    sum += (timesDrawn[slot] as number) * (means[slot] as number);
    sumOfOdd += (timesDrawn[slot + 1] as number) * (means[slot + 1] as number);
  }
  let count = timesDrawn.length;
  if (column.runCount < timesDrawn.length) {
    for (let slot = 0; slot < timesDrawn.length; slot += 1) {
      if ((runOfSlot[slot] as number) < 0) count -= timesDrawn[slot] as number;
    }
  }
  return (sum + sumOfOdd) / count + Math.sqrt(column.runVariance / count) * randomNormal(uint32);
}

function meanOfSamples(column: Column, timesDrawn: Uint16Array, uint32: () => number): number {
  if (!("values" in column.leg)) return Number.NaN;
  const { values, offsets } = column.leg;
  let sum = 0;
  let count = 0;
  for (let slot = 0; slot < timesDrawn.length; slot += 1) {
    const run = column.runOfSlot[slot] as number;
    const times = timesDrawn[slot] as number;
    if (run < 0 || times === 0) continue;
    const from = offsets[run] as number;
    const size = (offsets[run + 1] as number) - from;
    let ofRun = 0;
    for (let sample = 0; sample < size * times; sample += 1) {
      ofRun += values[from + randomIndex(uint32, size)] as number;
    }
    sum += ofRun / size;
    count += times;
  }
  return sum / count;
}

/** Draws without a value (none of the drawn slots had a run) say nothing and are left out. */
export function percentileInterval(draws: Float64Array, confidence: number): Interval | null {
  const sorted = draws.filter(Number.isFinite).sort();
  if (sorted.length === 0) return null;
  const tail = Math.round(((1 - confidence) / 2) * 1e6);
  return {
    low: quantileOfSorted(sorted, tail),
    high: quantileOfSorted(sorted, 1e6 - tail),
    confidence,
  };
}
