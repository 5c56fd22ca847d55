/** Arrival times of uploads: a Poisson process with a variable rate, made by thinning a process of the highest rate. */
import type { Random } from "@stashlight/stats/forkable-random";
import type { Arrivals } from "./options.ts";

export function rateAt(arrivals: Arrivals, second: number): number {
  switch (arrivals.type) {
    case "steady":
      return arrivals.uploadsPerSecond;
    case "diurnal": {
      const { uploadsPerSecond, swing, periodSeconds } = arrivals;
      return uploadsPerSecond * (1 + swing * Math.sin((2 * Math.PI * second) / periodSeconds));
    }
    case "trace":
      return arrivals.points.findLast(([from]) => from <= second)?.[1] ?? 0;
  }
}

export function highestRate(arrivals: Arrivals): number {
  if (arrivals.type === "steady") return arrivals.uploadsPerSecond;
  if (arrivals.type === "diurnal") return arrivals.uploadsPerSecond * (1 + arrivals.swing);
  return Math.max(0, ...arrivals.points.map(([, rate]) => rate));
}

/** Expected number of uploads between two seconds. */
export function uploadCountBetween(arrivals: Arrivals, from: number, to: number): number {
  if (arrivals.type === "steady") return arrivals.uploadsPerSecond * Math.max(0, to - from);
  const stepCount = Math.max(1, Math.ceil(to - from));
  const step = (to - from) / stepCount;
  let count = 0;
  for (let i = 0; i < stepCount; i += 1) count += rateAt(arrivals, from + (i + 0.5) * step) * step;
  return count;
}

/** Returns the second of the next upload after `after`; infinity if none comes by `until`. */
export function nextArrival(
  arrivals: Arrivals,
  { after, until, scale }: { after: number; until: number; scale: number },
  random: Random,
): number {
  const highest = highestRate(arrivals) * scale;
  if (highest === 0) return Number.POSITIVE_INFINITY;
  for (let second = after; ; ) {
    second += -Math.log(1 - random.next()) / highest;
    if (second > until) return Number.POSITIVE_INFINITY;
    if (random.next() * highest < rateAt(arrivals, second) * scale) return second;
  }
}
