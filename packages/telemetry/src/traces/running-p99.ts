import { samplesNeeded } from "@stashlight/stats/rank";
import { upperBound } from "../histogram/buckets.ts";
import { ExponentialHistogram } from "../histogram/histogram.ts";

const P99 = 990_000;
const WINDOW_MS = 5 * 60_000;
const REVISE_EVERY = 256;

/**
 * Running p99: 99 of 100 durations of the last five to ten minutes do not exceed it. It is updated every 256th
 * duration, so that one costs no more than a record; until there are enough of them for a p99, it is infinite and
 * nothing is above it.
 *
 * It is the upper bound of p99's bucket: if many durations are alike, the middle would call half of them slow.
 */
export class RunningP99 {
  #current = new ExponentialHistogram();
  #previous = new ExponentialHistogram();
  #windowEndMs = Number.NEGATIVE_INFINITY;
  #untilRevision = REVISE_EVERY;
  #thresholdSeconds = Number.POSITIVE_INFINITY;

  /** Counts a duration, and returns true if it is above the p99 of those before it. */
  observe(seconds: number, nowMs: number): boolean {
    if (nowMs >= this.#windowEndMs) this.#turn(nowMs);
    const isAbove = seconds > this.#thresholdSeconds;
    this.#current.record(seconds);
    this.#untilRevision -= 1;
    if (this.#untilRevision === 0) this.#revise();
    return isAbove;
  }

  #turn(nowMs: number): void {
    const isStale = nowMs >= this.#windowEndMs + WINDOW_MS;
    this.#previous = isStale ? new ExponentialHistogram() : this.#current;
    this.#current = new ExponentialHistogram();
    this.#windowEndMs = nowMs + WINDOW_MS;
    this.#revise();
  }

  #revise(): void {
    this.#untilRevision = REVISE_EVERY;
    const both = this.#current.clone();
    both.merge(this.#previous);
    const bucket = both.count < samplesNeeded(P99) ? null : both.bucketOfQuantile(P99);
    this.#thresholdSeconds = bucket === null ? Number.POSITIVE_INFINITY : upperBound(bucket);
  }
}
