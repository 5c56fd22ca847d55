import { StatsError } from "./error.ts";

/**
 * Expresses a difference in two ways that are easily confused: 118 against 157 is 25 % less time, and 1.33x as fast.
 */
export interface Faster {
  readonly which: "a" | "b" | "neither";
  /** Share of the slower side's time that the faster side saves: 1 - faster / slower. */
  readonly lessTimeShare: number;
  /** Ratio slower / faster. */
  readonly timesAsFast: number;
  readonly words: readonly [lessTime: string, timesAsFast: string];
}

/** Computes both figures from two durations in one unit, both above zero; throws a `StatsError` otherwise. */
export function compareSpeeds(a: number, b: number): Faster {
  for (const duration of [a, b]) {
    if (!(duration > 0 && Number.isFinite(duration))) {
      throw new StatsError("bad-argument", `A duration is ${duration}; to compare, both must be above zero.`);
    }
  }
  const timesAsFast = Math.max(a, b) / Math.min(a, b);
  const lessTimeShare = 1 - Math.min(a, b) / Math.max(a, b);
  return {
    which: a === b ? "neither" : a < b ? "a" : "b",
    lessTimeShare,
    timesAsFast,
    words: [`${percent(lessTimeShare)} % less time`, `${formatTimes(timesAsFast)}x as fast`],
  };
}

/** Near 0 and 100 %, a rounded figure would show no difference, or that the faster side takes no time. */
function percent(share: number): string {
  if (share > 0 && share < 0.01) return Number((100 * share).toPrecision(1)).toString();
  if (share >= 0.999) return "over 99.9";
  return share >= 0.99 ? (Math.floor(1000 * share) / 10).toFixed(1) : (100 * share).toFixed(0);
}

/** Shows two decimals if they matter. */
const formatTimes = (times: number): string =>
  times < 100 ? times.toFixed(2) : Number(times.toPrecision(3)).toString();
