import { StatsError } from "./error.ts";

/** The same difference said in the two ways that people mix up: 118 against 157 is 25 % less time, and 1.33x as fast. */
export interface Faster {
  readonly which: "a" | "b" | "neither";
  /** Share of the slower one's time that the faster one saves: 1 - faster / slower. */
  readonly lessTimeShare: number;
  /** slower / faster. */
  readonly timesAsFast: number;
  readonly words: readonly [lessTime: string, timesAsFast: string];
}

/** From two durations in one unit, both above zero; a `StatsError` otherwise. */
export function fasterOf(a: number, b: number): Faster {
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
    words: [`${percent(lessTimeShare)} % less time`, `${timesAsFast.toFixed(2)}x as fast`],
  };
}

/** Below one percent a rounded figure would say zero of what is not. */
function percent(share: number): string {
  return share > 0 && share < 0.01 ? (100 * share).toFixed(1) : (100 * share).toFixed(0);
}
