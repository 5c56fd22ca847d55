/**
 * One series: a metric with its labels. Each kind keeps values since the last window apart from earlier ones, so that a
 * batch carries the delta and Prometheus the total, while recording updates only one.
 */
import { ExponentialHistogram } from "../histogram/histogram.ts";

export type Labels = Readonly<Record<string, string>>;

export interface CounterHandle {
  /** Adds `amount` to the counter, by default 1. */
  add(amount?: number): void;
  /**
   * Follows an external count, given as its total so far. If that total falls, its source has restarted, and the whole
   * total is added.
   */
  follow(sourceTotal: number): void;
}

export interface GaugeHandle {
  /** Sets the present level; null if unknown, which shows as a gap and not as zero. */
  set(value: number | null): void;
}

export interface HistogramHandle {
  /** Records a value in the metric's unit, such as seconds. */
  record(value: number): void;
}

export class CounterSeries implements CounterHandle {
  readonly labels: Labels;
  #total = 0;
  #totalAtWindow = 0;
  #sourceTotal = 0;
  refusedCount = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  get total(): number {
    return this.#total;
  }

  add(amount = 1): void {
    if (amount >= 0 && amount < Number.POSITIVE_INFINITY) this.#total += amount;
    else this.refusedCount += 1;
  }

  follow(sourceTotal: number): void {
    if (!(sourceTotal >= 0 && sourceTotal < Number.POSITIVE_INFINITY)) {
      this.refusedCount += 1;
      return;
    }
    const hasRestarted = sourceTotal < this.#sourceTotal;
    this.#total += hasRestarted ? sourceTotal : sourceTotal - this.#sourceTotal;
    this.#sourceTotal = sourceTotal;
  }

  takeIncrease(): number {
    const increase = this.#total - this.#totalAtWindow;
    this.#totalAtWindow = this.#total;
    return increase;
  }
}

export class GaugeSeries implements GaugeHandle {
  readonly labels: Labels;
  #value: number | null = null;
  refusedCount = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  get value(): number | null {
    return this.#value;
  }

  set(value: number | null): void {
    const isPossible = value === null || Number.isFinite(value);
    this.#value = isPossible ? value : null;
    if (!isPossible) this.refusedCount += 1;
  }
}

export class HistogramSeries implements HistogramHandle {
  readonly labels: Labels;
  #window = new ExponentialHistogram();
  readonly #before = new ExponentialHistogram();
  #refusedBefore = 0;

  constructor(labels: Labels) {
    this.labels = labels;
  }

  get refusedCount(): number {
    return this.#refusedBefore + this.#window.refusedCount;
  }

  record(value: number): void {
    this.#window.record(value);
  }

  /** Returns the values since the last call; they belong to the caller. */
  takeWindow(): ExponentialHistogram {
    const taken = this.#window;
    this.#before.merge(taken);
    this.#refusedBefore += taken.refusedCount;
    this.#window = new ExponentialHistogram();
    return taken;
  }

  cumulative(): ExponentialHistogram {
    const all = this.#before.clone();
    all.merge(this.#window);
    return all;
  }
}
