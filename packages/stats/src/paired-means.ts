import { StatsError } from "./error.ts";
import { durationInterval } from "./mean-interval.ts";
import { levelOfLook, payForLooks } from "./peeking/repeated-looks.ts";
import { arithmeticMean, type Interval, squaresAround } from "./sorted.ts";
import { studentQuantile, studentTwoSided } from "./student.ts";

/** Fewer runs do not show how runs differ, so they have no interval. */
export const RUNS_MIN = 6;

export interface Estimate {
  readonly value: number;
  /** Null if there are too few runs. */
  readonly interval: Interval | null;
}

export interface PairedMeans {
  readonly pairCount: number;
  readonly meanA: Estimate;
  readonly meanB: Estimate;
  /** Mean of a over mean of b. */
  readonly ratio: Estimate;
  /** Mean of a minus mean of b. */
  readonly difference: Estimate;
  /** P-value of "equally fast", corrected for a look after every slot (`payForLooks`); 1 if there are too few runs. */
  readonly pValue: number;
}

/** Intervals at the level that this single look needs for all looks together to have the requested level. */
export interface PaidInterval {
  readonly ratio: Interval;
  readonly difference: Interval;
}

interface Deviation {
  readonly value: number;
  /** Zero if all runs have the same value. */
  readonly standardError: number;
}

/**
 * Means of paired runs, by Student's t over slots. The logarithm of the ratio of means is, to first order, the mean over
 * slots of a / mean(a) - b / mean(b), whose spread gives its standard error (the delta method: W. G. Cochran, Sampling
 * Techniques, 6.4). Values are finite and above 0, as many of a as of b; a `StatsError` otherwise.
 */
export class PairedRuns {
  readonly #a: Float64Array;
  readonly #b: Float64Array;
  readonly #logRatio: Deviation;
  readonly #difference: Deviation;
  /** Mean logarithm of the ratios of single slots; null if a mean is not above zero. */
  readonly #ratios: Deviation | null;

  constructor(a: Float64Array, b: Float64Array) {
    if (a.length === 0 || a.length !== b.length) {
      throw new StatsError(
        "empty",
        "In no slot do both legs have a mean and a median that is not a failure.",
      );
    }
    const [meanA, meanB] = [arithmeticMean(a), arithmeticMean(b)];
    if (!(meanA > 0 && meanB > 0)) {
      throw new StatsError(
        "bad-argument",
        `Means are ${meanA} and ${meanB}; to compare, both must be above zero.`,
      );
    }
    this.#a = a;
    this.#b = b;
    const influences = a.map((value, i) => value / meanA - (b[i] as number) / meanB);
    this.#logRatio = { value: Math.log(meanA / meanB), standardError: meanStandardError(influences) };
    this.#difference = meanDeviation(a.map((value, i) => value - (b[i] as number)));
    const ratios = a.map((value, i) => Math.log(value / (b[i] as number)));
    this.#ratios = ratios.every(Number.isFinite) ? meanDeviation(ratios) : null;
  }

  get count(): number {
    return this.#a.length;
  }

  means(confidence: number): PairedMeans {
    const estimate = ({ value, standardError }: Deviation): Estimate => ({
      value,
      interval:
        this.count < RUNS_MIN ? null : this.#interval({ value, standardError }, 1 - confidence, confidence),
    });
    const log = estimate(this.#logRatio);
    return {
      pairCount: this.count,
      meanA: this.#meanOf(this.#a, confidence),
      meanB: this.#meanOf(this.#b, confidence),
      ratio: { value: Math.exp(log.value), interval: log.interval && exponentiate(log.interval) },
      difference: estimate(this.#difference),
      pValue: this.#pValue(),
    };
  }

  #meanOf(values: Float64Array, confidence: number): Estimate {
    const { value, standardError } = meanDeviation(values);
    const width = studentQuantile(1 - confidence, Math.max(1, this.count - 1)) * standardError;
    return { value, interval: this.count < RUNS_MIN ? null : durationInterval(value, width, confidence) };
  }

  /** Intervals that hold at all looks together with a probability of 1 - `paid`; null if there are too few runs. */
  paidIntervals(paid: number): PaidInterval | null {
    if (this.count < RUNS_MIN) return null;
    const level = levelOfLook(paid, this.count);
    return {
      ratio: exponentiate(this.#interval(this.#logRatio, level, 1 - paid)),
      difference: this.#interval(this.#difference, level, 1 - paid),
    };
  }

  #interval({ value, standardError }: Deviation, twoSided: number, confidence: number): Interval {
    const half = studentQuantile(twoSided, this.count - 1) * standardError;
    return { low: value - half, high: value + half, confidence };
  }

  /**
   * Tests the ratio of means and the mean ratio of single slots, and takes the greater p-value: if levels vary much
   * from slot to slot, a few slow slots dominate the first. The result is never below the probability that all signs
   * agree by chance: if a coarse clock or an order effect leaves runs with two values, they have almost no spread, and
   * t would be unbounded. That probability needs no correction, because all slots agree at a look only if they agreed
   * at every look before.
   */
  #pValue(): number {
    if (this.count < RUNS_MIN) return 1;
    const ofSigns = 2 ** (1 - this.count);
    const ofMeans = this.#pValueOfLook(this.#logRatio);
    const ofLook = this.#ratios === null ? ofMeans : Math.max(ofMeans, this.#pValueOfLook(this.#ratios));
    return Math.max(ofSigns, payForLooks(ofLook, this.count));
  }

  #pValueOfLook({ value, standardError }: Deviation): number {
    if (value === 0) return 1;
    return standardError === 0 ? 0 : studentTwoSided(value / standardError, this.count - 1);
  }
}

const meanDeviation = (values: Float64Array): Deviation => ({
  value: arithmeticMean(values),
  standardError: meanStandardError(values),
});

function meanStandardError(values: Float64Array): number {
  const n = values.length;
  return n < 2 ? 0 : Math.sqrt(squaresAround(values, arithmeticMean(values)) / (n - 1) / n);
}

const exponentiate = ({ low, high, confidence }: Interval): Interval => ({
  low: Math.exp(low),
  high: Math.exp(high),
  confidence,
});
