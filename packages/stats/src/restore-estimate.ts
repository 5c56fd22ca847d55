import { requireCount, requireValues, requireWithin, StatsError } from "./error.ts";
import { percentileInterval } from "./percentile-interval.ts";
import { type Random, randomIndex, randomNormal } from "./random.ts";
import { arithmeticMean, type Interval, median, squaresAround } from "./sorted.ts";

/** Minimum number of samples for an interval; with fewer, their variation is unknown. */
const SAMPLES_MIN = 6;
/** Number of objects at the end of a restore whose times are drawn individually; earlier ones count as a sum. */
const DRAWN_OBJECTS_MAX = 2000;
/** A restore with more objects than this per measured one is an extrapolation. */
const OBJECTS_A_SAMPLE_MAX = 10;

export interface RestoreInput {
  /** Duration of each successful measured download of one object. */
  readonly durationsMs: ArrayLike<number>;
  /** Number of connections used in the measurement. */
  readonly measuredConnectionCount: number;
  readonly objectBytes: number;
  readonly objectCount: number;
  /** From 1 to 64. */
  readonly connectionCount: number;
  readonly random: Random;
  /** At least 1,000. */
  readonly drawCount?: number;
  readonly confidence?: number;
}

export interface RestoreEstimate {
  readonly sampleCount: number;
  /** Median of the draws, or the bound from the measured throughput. */
  readonly seconds: number;
  /** Null with fewer than 6 samples, or for a number of connections other than the measured one. */
  readonly secondsInterval: Interval | null;
  /** Megabytes of 1,000,000 bytes per second; its interval is the inverse of that of the seconds. */
  readonly mbPerSecond: number;
  readonly mbPerSecondInterval: Interval | null;
  /** True for a number of connections other than the measured one, or with more than ten objects per measured one. */
  readonly isExtrapolated: boolean;
  readonly seed: number;
  readonly drawCount: number;
}

/**
 * Estimates the time to download `objectCount` objects over `connectionCount` connections, each of which takes the next
 * object as soon as it is free. Each draw resamples the measured durations, because they are only a sample of the
 * endpoint's behaviour, and takes the time of each object from that resample (B. Efron 1979). Without the first of the
 * two steps the interval of a large restore would shrink to nothing, even with few measured downloads.
 *
 * Above 2,000 objects the time of all but the last 2,000 is one draw of the normal distribution that their sum has in
 * the limit, shared evenly among the connections. The last ones are drawn one by one, so that the wait for the slowest
 * connection at the end is kept. Durations count as independent of each other: if runs differ as a whole, the truth can
 * be outside the interval.
 *
 * Over another number of connections than was measured it is unknown how they slow each other down, so the draws would
 * promise a throughput that a link or a server may not have. The time then follows from the measured throughput of all
 * measured connections together: a bound without an interval, which is too long if more connections raise it.
 *
 * Throws a `StatsError` when there are no durations, one is not positive and finite, or a parameter is out of bounds.
 */
export function restoreEstimate(input: RestoreInput): RestoreEstimate {
  const { durationsMs, objectBytes, objectCount, connectionCount, measuredConnectionCount, random } = input;
  const { drawCount = 1000, confidence = 0.95 } = input;
  requireValues(durationsMs, "durations");
  requireCount(objectBytes, "The size of an object", 1, 1e15);
  requireCount(objectCount, "The number of objects", 1, 1e12);
  requireCount(connectionCount, "The number of connections", 1, 64);
  requireCount(measuredConnectionCount, "The measured number of connections", 1, 10_000);
  requireCount(drawCount, "The number of draws", 1000, 100_000);
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const durations = Float64Array.from(durationsMs);
  if (durations.some((duration) => duration <= 0)) {
    throw new StatsError("bad-argument", "A duration is not above 0; a download takes time.");
  }
  const megabytes = (objectBytes / 1e6) * objectCount;
  const isExtrapolated =
    connectionCount !== measuredConnectionCount || objectCount > OBJECTS_A_SAMPLE_MAX * durations.length;
  const known = { sampleCount: durations.length, isExtrapolated, seed: random.seed, drawCount };
  if (connectionCount > measuredConnectionCount) {
    const mbPerSecond = ((objectBytes / 1e6) * measuredConnectionCount) / (arithmeticMean(durations) / 1000);
    // Even over many connections, no object arrives faster than the fastest measured download.
    const shortestMs = durations.reduce(
      (shortest, each) => Math.min(shortest, each),
      Number.POSITIVE_INFINITY,
    );
    const inTurnsSeconds = (Math.ceil(objectCount / connectionCount) * shortestMs) / 1000;
    const seconds = Math.max(megabytes / mbPerSecond, inTurnsSeconds);
    return {
      ...known,
      seconds,
      mbPerSecond: megabytes / seconds,
      secondsInterval: null,
      mbPerSecondInterval: null,
    };
  }
  const draws = new Float64Array(drawCount);
  const resample = new Float64Array(durations.length);
  for (let draw = 0; draw < drawCount; draw += 1) {
    for (let i = 0; i < resample.length; i += 1) {
      resample[i] = durations[randomIndex(random.uint32, durations.length)] as number;
    }
    draws[draw] = drawnMs(resample, objectCount, connectionCount, random.uint32) / 1000;
  }
  const seconds = median(draws);
  const hasInterval = durations.length >= SAMPLES_MIN && connectionCount === measuredConnectionCount;
  const interval = hasInterval ? percentileInterval(draws, confidence) : null;
  return {
    ...known,
    seconds,
    secondsInterval: interval,
    mbPerSecond: megabytes / seconds,
    mbPerSecondInterval: interval && {
      low: megabytes / interval.high,
      high: megabytes / interval.low,
      confidence,
    },
  };
}

/** Draws one possible duration of the whole restore in milliseconds. */
function drawnMs(
  durations: Float64Array,
  objectCount: number,
  connectionCount: number,
  uint32: () => number,
): number {
  const drawnCount = Math.min(objectCount, DRAWN_OBJECTS_MAX);
  const before = sumDrawnMs(durations, objectCount - drawnCount, uint32) / connectionCount;
  const freeAt = new Float64Array(connectionCount).fill(before);
  let last = before;
  for (let done = 0; done < drawnCount; done += 1) {
    let first = 0;
    for (let i = 1; i < connectionCount; i += 1) {
      if ((freeAt[i] as number) < (freeAt[first] as number)) first = i;
    }
    const end = (freeAt[first] as number) + (durations[randomIndex(uint32, durations.length)] as number);
    freeAt[first] = end;
    last = Math.max(last, end);
  }
  return last;
}

/** Draws the sum of that many independent durations, by the central limit theorem. */
function sumDrawnMs(durations: Float64Array, count: number, uint32: () => number): number {
  if (count === 0) return 0;
  const mean = arithmeticMean(durations);
  const variance = squaresAround(durations, mean) / durations.length;
  return Math.max(0, count * mean + Math.sqrt(count * variance) * randomNormal(uint32));
}
