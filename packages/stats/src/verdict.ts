/** Decides every comparison of two endpoints: pages, cards, reports, messages and commands all use this decision. */
import type { Shift } from "./hodges-lehmann.ts";
import { type PaidInterval, type PairedMeans, RUNS_MIN } from "./paired-means.ts";
import { payForLooks } from "./peeking/repeated-looks.ts";
import type { Interval } from "./sorted.ts";
import type { SuccessComparison } from "./success.ts";

/** Smallest difference that matters to the user; smaller ones may be real but are ignored. */
export type MinimumEffect =
  | { readonly kind: "share"; readonly share: number }
  | { readonly kind: "duration"; readonly duration: number };

export type Verdict =
  | { readonly kind: "faster"; readonly which: "a" | "b" }
  /**
   * "minimum": any difference is below the user's minimum. "interval": the data shows neither that nor a difference.
   */
  | { readonly kind: "not distinguishable"; readonly because: "interval" | "minimum" }
  /** The success rates differ by more than chance explains, so comparing the times of successes would be unfair. */
  | { readonly kind: "unequal success"; readonly better: "a" | "b" | null }
  /** Ahead by the mean, before there are enough runs for a test. */
  | { readonly kind: "leads"; readonly which: "a" | "b"; readonly count: number; readonly countMin: number }
  | { readonly kind: "too few runs"; readonly count: number; readonly countMin: number };

/** Accepted probability that a verdict is wrong, over all looks. */
export const ERROR_MAX = 0.05;

export interface VerdictInput {
  readonly means: PairedMeans;
  readonly shift: Shift;
  readonly success: SuccessComparison;
  readonly minimum: MinimumEffect;
  readonly paidIntervals: (paid: number) => PaidInterval | null;
}

/**
 * "Faster" requires a p-value, corrected for all looks, below 5 %, the shift of medians on the same side, and an effect
 * of at least the user's minimum. "Too little to matter" requires the whole interval, corrected as well, inside the
 * minimum: two one-sided tests (D. J. Schuirmann 1987).
 */
export function decideVerdict({ means, shift, success, minimum, paidIntervals }: VerdictInput): Verdict {
  const { pairCount: count, ratio, pValue } = means;
  if (success.slotCount >= RUNS_MIN && success.pValue < ERROR_MAX) {
    const isClear = payForLooks(success.pValue, success.slotCount) < ERROR_MAX;
    return { kind: "unequal success", better: isClear ? success.better : null };
  }
  if (count < RUNS_MIN || shift.interval === null) return describeLead(count, ratio.value);
  const which = ratio.value < 1 ? "a" : "b";
  const isSameSide = which === "a" ? shift.interval.high < 0 : shift.interval.low > 0;
  if (pValue < ERROR_MAX && isSameSide && isEnough(minimum, ratio.value, shift.shift)) {
    return { kind: "faster", which };
  }
  const paid = paidIntervals(2 * ERROR_MAX);
  const isInside = paid !== null && isWithinMinimum(minimum, means, paid);
  return { kind: "not distinguishable", because: isInside ? "minimum" : "interval" };
}

function describeLead(count: number, ratio: number): Verdict {
  const counts = { count, countMin: RUNS_MIN };
  return ratio === 1
    ? { kind: "too few runs", ...counts }
    : { kind: "leads", which: ratio < 1 ? "a" : "b", ...counts };
}

const isEnough = (minimum: MinimumEffect, ratio: number, shift: number): boolean =>
  minimum.kind === "share" ? savedShare(ratio) >= minimum.share : Math.abs(shift) >= minimum.duration;

/** Share of the slower endpoint's time that the faster endpoint saves. */
const savedShare = (ratio: number): number => 1 - Math.min(ratio, 1 / ratio);

/** Checks both the displayed interval and the corrected one. */
function isWithinMinimum(
  minimum: MinimumEffect,
  { ratio, difference }: PairedMeans,
  paid: PaidInterval,
): boolean {
  const isWithin = (interval: Interval | null, isSmall: (end: number) => boolean): boolean =>
    interval !== null && isSmall(interval.low) && isSmall(interval.high);
  if (minimum.kind === "share") {
    const isSmall = (end: number) => savedShare(end) < minimum.share;
    return isWithin(ratio.interval, isSmall) && isWithin(paid.ratio, isSmall);
  }
  const isSmall = (end: number) => Math.abs(end) < minimum.duration;
  return isWithin(difference.interval, isSmall) && isWithin(paid.difference, isSmall);
}
