/**
 * When a store will be full, from how what lives in it grew: bytes that are free or can be freed, over the net growth
 * rate of the window that is looked at. Dead records do not count, because recycling frees them when room is wanted.
 */

import { MINUTE_MS, YEAR_SECONDS } from "../time/duration.ts";

export type TimeToFull =
  | { readonly kind: "filling"; readonly seconds: number; readonly bytesPerSecond: number }
  | { readonly kind: "full" }
  /** Level or shrinking: at this rate it is never full. */
  | { readonly kind: "not-filling" }
  | { readonly kind: "too-little-data"; readonly reason: string };

export interface TimeToFullInput {
  readonly endMs: readonly number[];
  readonly liveBytes: readonly number[];
  readonly capacityBytes: number | null;
}

/** A trend of fewer points is one of chance. */
export const fillPointsMin = 5;
const WINDOW_MS_MIN = MINUTE_MS;
/** Farther away than a store is planned for. */
export const fillHorizonSeconds = 2 * YEAR_SECONDS;

export function timeToFull({ endMs, liveBytes, capacityBytes }: TimeToFullInput): TimeToFull {
  if (capacityBytes === null || capacityBytes <= 0) {
    return { kind: "too-little-data", reason: "no capacity was reported" };
  }
  const [firstMs, lastMs, live] = [endMs[0], endMs.at(-1), liveBytes.at(-1)];
  if (live !== undefined && live >= capacityBytes) return { kind: "full" };
  if (firstMs === undefined || lastMs === undefined || live === undefined || endMs.length < fillPointsMin) {
    return { kind: "too-little-data", reason: `needs ${fillPointsMin} windows, has ${endMs.length}` };
  }
  if (lastMs - firstMs < WINDOW_MS_MIN) {
    return { kind: "too-little-data", reason: "needs a minute of windows" };
  }
  const bytesPerSecond = growthPerMs(endMs, liveBytes) * 1_000;
  const seconds = (capacityBytes - live) / bytesPerSecond;
  if (bytesPerSecond <= 0 || seconds > fillHorizonSeconds) return { kind: "not-filling" };
  return { kind: "filling", seconds, bytesPerSecond };
}

/** Slope of the least-squares line: one full or freshly purged window at an end does not decide it. */
function growthPerMs(endMs: readonly number[], bytes: readonly number[]): number {
  const count = endMs.length;
  const meanMs = endMs.reduce((sum, ms) => sum + ms, 0) / count;
  const meanBytes = bytes.reduce((sum, value) => sum + value, 0) / count;
  let [together, spread] = [0, 0];
  endMs.forEach((ms, i) => {
    together += (ms - meanMs) * ((bytes[i] ?? 0) - meanBytes);
    spread += (ms - meanMs) ** 2;
  });
  return together / spread;
}
