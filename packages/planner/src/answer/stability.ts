/**
 * Judges whether pods keep up. A pod receives one record of each upload, so an n-th of `meanBytesPerSecond`. Its
 * utilisation is rho = in / out; at rho >= 1 its backlog on the stash grows without end (the stability condition of
 * every queue). The time until the pool is full is free / (in - out), and a backlog is gone after backlog / (out - in),
 * both for all pods together.
 */

import { formatFigure, formatPlanSeconds } from "../format-figures.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import { type Pool, poolCapacityBytes } from "./pool.ts";

export interface Stability {
  /** Utilisation of a pod at mean load. */
  readonly rhoMean: number;
  readonly rhoPeak: number;
  /** Time to full at peak load, starting from the mean occupancy; null if pods keep up with the peak. */
  readonly secondsToFullAtPeak: number | null;
  /** Time to drain the backlog of a planned outage, at mean load; null if it never drains. */
  readonly drainSeconds: number | null;
  readonly sentence: string;
}

/** Returns null if the flush rate of pods is unknown. */
export function podStability(input: StashPlanInput, plan: StashPlan, pool: Pool): Stability | null {
  if (input.podFlushBytesPerSecond === null) return null;
  const { meanBytesPerSecond, peakBytesPerSecond } = plan.load;
  const outBytesPerSecond = (input.dataShards + input.parityShards) * input.podFlushBytesPerSecond;
  const freeBytes = Math.max(0, poolCapacityBytes(input, pool) - plan.meanOccupancyBytes);
  const figures = {
    rhoMean: meanBytesPerSecond / outBytesPerSecond,
    rhoPeak: peakBytesPerSecond / outBytesPerSecond,
    secondsToFullAtPeak: secondsUntil(freeBytes, peakBytesPerSecond - outBytesPerSecond),
    drainSeconds: secondsUntil(
      peakBytesPerSecond * input.outageSeconds,
      outBytesPerSecond - meanBytesPerSecond,
    ),
  };
  return { ...figures, sentence: describeStability(figures, pool) };
}

/** Returns null if the rate is not positive. */
function secondsUntil(bytes: number, bytesPerSecond: number): number | null {
  return bytesPerSecond > 0 ? bytes / bytesPerSecond : null;
}

function describeStability(figures: Omit<Stability, "sentence">, { basis }: Pool): string {
  const { rhoMean, rhoPeak, secondsToFullAtPeak, drainSeconds } = figures;
  if (drainSeconds === null) {
    return `Pods are ${formatFigure(rhoMean)} times as busy as they can be: the stash fills up and never drains.`;
  }
  const drain = `the backlog of an outage drains in ${formatPlanSeconds(drainSeconds)}`;
  const busy = `Pods are ${formatFigure(rhoMean * 100)} % busy on average`;
  if (secondsToFullAtPeak === null) return `${busy}, ${formatFigure(rhoPeak * 100)} % at peak; ${drain}.`;
  return `${busy}, but a peak is ${formatFigure(rhoPeak)} times what they flush: it fills the ${basis} pool in ${formatPlanSeconds(secondsToFullAtPeak)}; ${drain}.`;
}
