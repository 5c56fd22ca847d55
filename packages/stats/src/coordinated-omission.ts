import { requireValues, StatsError } from "./error.ts";

const CORRECTED_COUNT_MAX = 10_000_000;

/**
 * What a client would have seen that had started an operation every `interval`, rather than waiting for a slow one: for
 * each latency L above it, also L - interval, L - 2 interval and so on down to the interval (G. Tene, HdrHistogram's
 * copyCorrectedForCoordinatedOmission). Both in one unit. The given latencies come first, in their order. Throws a
 * `StatsError` when there is none, one is not finite or negative, the interval is not above zero, or the result would
 * pass ten million values.
 */
export function correctCoordinatedOmission(latencies: ArrayLike<number>, interval: number): Float64Array {
  requireValues(latencies, "latencies");
  if (!(interval > 0 && Number.isFinite(interval))) {
    throw new StatsError("bad-argument", `The interval is ${interval}; it must be a number above zero.`);
  }
  let count = 0;
  for (let i = 0; i < latencies.length; i += 1) {
    const latency = latencies[i] as number;
    if (latency < 0) {
      throw new StatsError("bad-argument", `Latency ${i} is ${latency}; it must not be negative.`);
    }
    count += 1 + missedIn(latency, interval);
  }
  if (count > CORRECTED_COUNT_MAX) {
    throw new StatsError(
      "bad-argument",
      `An interval of ${interval} makes ${count} values of these latencies; at most ${CORRECTED_COUNT_MAX} are made.`,
    );
  }
  const corrected = new Float64Array(count);
  corrected.set(latencies);
  let at = latencies.length;
  for (let i = 0; i < latencies.length; i += 1) {
    const latency = latencies[i] as number;
    const missed = missedIn(latency, interval);
    for (let k = 1; k <= missed; k += 1) {
      corrected[at] = latency - k * interval;
      at += 1;
    }
  }
  return corrected;
}

/** Operations that would have started meanwhile and still have waited for at least an interval. */
function missedIn(latency: number, interval: number): number {
  return Math.max(0, Math.floor(latency / interval) - 1);
}
