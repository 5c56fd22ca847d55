/**
 * Gate of verdicts: decides whether a winner may be named. Pages, cards, reports, messages and the HTTP API use only
 * these functions to name a winner, show a p-value and count slots.
 */
import type { BenchmarkSlots, BenchmarkVerdict } from "./result.ts";

export const isGateOpen = ({ undisturbedCount, neededCount }: BenchmarkSlots): boolean =>
  undisturbedCount >= neededCount;

/**
 * Returns the statistics' verdict or, if the gate is shut, unequal success, a lead in undisturbed slots, or too few
 * slots.
 */
export function gateVerdict(found: BenchmarkVerdict, slots: BenchmarkSlots): BenchmarkVerdict {
  if (isGateOpen(slots)) return found;
  // Failures in many runs count even if few runs have a time to compare.
  if (found.kind === "unequal success" && slots.undisturbedCount > 0) return found;
  const counts = { count: slots.undisturbedCount, countMin: slots.neededCount };
  return found.kind === "leads" && slots.undisturbedCount > 0
    ? { kind: "leads", which: found.which, ...counts }
    : { kind: "too few runs", ...counts };
}

/**
 * Formats "4 of 6 slots, none undisturbed"; with enough of them "6 undisturbed of 8 slots", which are those behind the
 * figures, or "8 slots".
 */
export function formatSlots(slots: BenchmarkSlots): string {
  const { measuredCount, undisturbedCount, neededCount } = slots;
  const isShort = measuredCount < neededCount;
  const measured = `${measuredCount}${isShort ? ` of ${neededCount}` : ""} ${measuredCount === 1 && !isShort ? "slot" : "slots"}`;
  if (undisturbedCount === measuredCount) return measured;
  if (isGateOpen(slots)) return `${undisturbedCount} undisturbed of ${measured}`;
  const undisturbed = `${measured}, ${undisturbedCount === 0 ? "none" : undisturbedCount} undisturbed`;
  return isShort ? undisturbed : `${undisturbed}, ${neededCount} needed`;
}
