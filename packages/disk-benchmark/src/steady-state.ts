import type { SteadyState } from "@stashlight/contracts/disk";

export const STEADY_ROUNDS = 5;
const EXCURSION_SHARE_MAX = 0.2;
const SLOPE_SHARE_MAX = 0.1;

/**
 * Judges the rates of the last five rounds; null with fewer. The slope is that of the least-squares line over the five
 * rounds.
 */
export function findSteadyState(rates: readonly number[]): SteadyState | null {
  if (rates.length < STEADY_ROUNDS) return null;
  const last = rates.slice(-STEADY_ROUNDS);
  const mean = last.reduce((sum, rate) => sum + rate, 0) / STEADY_ROUNDS;
  if (mean === 0) return { isSteady: true, excursionShare: 0, slopeShare: 0 };
  const middle = (STEADY_ROUNDS - 1) / 2;
  let covariance = 0;
  let variance = 0;
  for (const [i, rate] of last.entries()) {
    covariance += (i - middle) * (rate - mean);
    variance += (i - middle) ** 2;
  }
  const excursionShare = (Math.max(...last) - Math.min(...last)) / mean;
  const slopeShare = Math.abs((covariance / variance) * (STEADY_ROUNDS - 1)) / mean;
  const isSteady = excursionShare <= EXCURSION_SHARE_MAX && slopeShare <= SLOPE_SHARE_MAX;
  return { isSteady, excursionShare, slopeShare };
}
