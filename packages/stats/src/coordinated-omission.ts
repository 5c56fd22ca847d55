import { requireValues, requireWithin, StatsError } from "./error.ts";
import { median } from "./sorted.ts";

const CORRECTED_COUNT_MAX = 10_000_000;

/** Operations of one load in one run, in order of start. */
export interface StartedOperations {
  /** Start of each operation, in the unit of the latencies. */
  readonly startedAt: ArrayLike<number>;
  /** Duration of each operation, including failures. */
  readonly latencies: ArrayLike<number>;
  /** Value that each operation counts with: its latency, or the timeout for a failure. */
  readonly values: ArrayLike<number>;
  /** Connection of each operation; a connection had one operation at a time. */
  readonly connections: ArrayLike<number>;
}

export interface CorrectedRun {
  /** Usual distance between two starts on one connection; null with fewer than two starts on each. */
  readonly interval: number | null;
  /** Values in their order, followed by those of the omitted operations. */
  readonly corrected: Float64Array;
}

/**
 * Adds the latencies of a client that keeps starting operations at the pace of the run instead of waiting for a slow
 * one: for each latency L above the interval, also L - interval, L - 2 interval and so on down to the interval (G.
 * Tene, HdrHistogram's copyCorrectedForCoordinatedOmission).
 *
 * The interval is the median of the real distances between starts on one connection. Pause plus latency would be too
 * short if operations or sizes alternate: a load that starts once per second omits nothing in a stall of half a second.
 * A failed operation delayed others only for its own duration, even if its value is much larger.
 *
 * Throws a `StatsError` if there is no operation, the lists differ in length, a latency is not finite or negative, or
 * the result would exceed ten million values.
 */
export function correctCoordinatedOmission(run: StartedOperations): CorrectedRun {
  const { latencies, values } = run;
  requireOperations(run);
  const interval = findInterval(run);
  if (interval === null) return { interval, corrected: Float64Array.from(values) };
  let count = values.length;
  for (let i = 0; i < latencies.length; i += 1) count += countMissed(latencies[i] as number, interval);
  if (count > CORRECTED_COUNT_MAX) {
    throw new StatsError(
      "bad-argument",
      `An interval of ${interval} would make ${count} values; at most ${CORRECTED_COUNT_MAX} are allowed.`,
    );
  }
  const corrected = new Float64Array(count);
  corrected.set(Float64Array.from(values));
  let at = values.length;
  for (let i = 0; i < latencies.length; i += 1) {
    const latency = latencies[i] as number;
    const missed = countMissed(latency, interval);
    for (let k = 1; k <= missed; k += 1) {
      corrected[at] = latency - k * interval;
      at += 1;
    }
  }
  return { interval, corrected };
}

function requireOperations({ startedAt, latencies, values, connections }: StartedOperations): void {
  requireValues(latencies, "latencies");
  requireValues(values, "values");
  for (let i = 0; i < latencies.length; i += 1) {
    const latency = latencies[i] as number;
    if (latency < 0)
      throw new StatsError("bad-argument", `Latency ${i} is ${latency}; it must not be negative.`);
  }
  requireValues(startedAt, "starts");
  for (const list of [startedAt, values, connections]) {
    requireWithin(list.length, "The length of each list of operations", latencies.length, latencies.length);
  }
}

function findInterval({ startedAt, connections }: StartedOperations): number | null {
  const before = new Map<number, number>();
  const distances: number[] = [];
  for (let i = 0; i < startedAt.length; i += 1) {
    const at = startedAt[i] as number;
    const connection = connections[i] as number;
    const last = before.get(connection);
    if (last !== undefined && at > last) distances.push(at - last);
    before.set(connection, at);
  }
  return distances.length === 0 ? null : median(Float64Array.from(distances));
}

/** Counts operations that would have started meanwhile and would still have waited for at least an interval. */
function countMissed(latency: number, interval: number): number {
  return Math.max(0, Math.floor(latency / interval) - 1);
}
