/** Start times of uploads: at once, or at random at a given rate per second. */
import { setTimeout as delay } from "node:timers/promises";

/** Resolves when the next upload may begin, or when the load ends. */
export type Pace = (until: AbortSignal) => Promise<void>;

export const atOnce: Pace = async () => {};

export interface PaceOptions {
  readonly uploadsPerSecond: number;
  readonly nowMs: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly sleep?: (ms: number, until: AbortSignal) => Promise<void>;
}

/**
 * A Poisson process: the gaps between start times are exponential and independent. An upload whose start time has
 * passed, because all writers were busy, begins at once.
 */
export function atRandom({ uploadsPerSecond, nowMs, random, sleep = sleepUntil }: PaceOptions): Pace {
  let nextMs = nowMs();
  return async (until) => {
    nextMs += (-Math.log(1 - random()) * 1000) / uploadsPerSecond;
    const waitMs = nextMs - nowMs();
    if (waitMs > 0) await sleep(waitMs, until);
  };
}

async function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}
