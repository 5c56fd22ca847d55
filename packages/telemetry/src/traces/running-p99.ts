import { samplesNeeded } from "@stashlight/stats/rank";
import { upperBound } from "../histogram/buckets.ts";
import { ExponentialHistogram } from "../histogram/histogram.ts";

const P99 = 990_000;
const WINDOW_MS = 5 * 60_000;
const REVISE_EVERY = 256;

/**
 * Running p99 of the durations of the last five to ten minutes. Updated every 256th duration, so that observing costs
 * no more than recording; infinite until there are enough durations for a p99.
 *
 * The p99 is the upper bound of its bucket: if many durations are similar, the middle would classify half of them as
 * slow.
 */
export class RunningP99 {
  #current = new ExponentialHistogram();
  #previous = new ExponentialHistogram();
  #windowEndMs = Number.NEGATIVE_INFINITY;
  #untilRevision = REVISE_EVERY;
  #thresholdSeconds = Number.POSITIVE_INFINITY;

  /** Records a duration; returns true if it exceeds the p99 of earlier ones. */
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
