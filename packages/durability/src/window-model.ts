/**
 * The published model (Backblaze, "Backblaze Durability Calculates at 99.999999999%", 2018): a year is cut into windows as
 * long as a rebuild, and data is lost when more than m drives fail within one window.
 *
 *     p = 1 - exp(-AFR / w)                          a drive fails in a window, w = 365 / rebuildDays windows a year
 *     P = sum over i = m+1..n of C(n, i) p^i (1-p)^(n-i)
 *     annual loss = 1 - (1 - P)^w
 *
 * It assumes independent failures and that each window begins with whole drives. Failures that straddle two windows do
 * not count, so it is optimistic. It knows no common cause, and `rebuildsAtOnce` does not enter it.
 */
import { checkDriveGroup, type DriveGroup, driveCount } from "./drive-group.ts";

const YEAR_DAYS = 365;

/** Annual loss probability of one group. Throws a `DurabilityError` for a group out of bounds. */
export function windowAnnualLoss(group: DriveGroup): number {
  checkDriveGroup(group);
  const windows = YEAR_DAYS / group.rebuildDays;
  const failed = -Math.expm1(-group.annualFailureRate / windows);
  const loss = upperBinomial(driveCount(group), group.parityShards + 1, failed);
  return -Math.expm1(windows * Math.log1p(-loss));
}

/**
 * Probability of at least `from` successes among `count` trials, each of probability `each`; all terms are positive.
 */
export function upperBinomial(count: number, from: number, each: number): number {
  if (from > count) return 0;
  if (each === 1) return 1;
  let logTerm = from * Math.log(each) + (count - from) * Math.log1p(-each);
  for (let i = 0; i < from; i += 1) logTerm += Math.log((count - i) / (from - i));
  const odds = each / (1 - each);
  let term = Math.exp(logTerm);
  let sum = term;
  for (let i = from; i < count; i += 1) {
    term *= ((count - i) / (i + 1)) * odds;
    sum += term;
  }
  return Math.min(1, sum);
}
