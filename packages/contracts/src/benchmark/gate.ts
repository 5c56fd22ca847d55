/**
 * The gate of verdicts: decides whether a winner may be named at all. Pages, cards, reports, messages and the HTTP API
 * name one, show a p-value and count slots by these functions alone.
 */
import type { BenchmarkSlots, BenchmarkVerdict } from "./result.ts";

export const isGateOpen = ({ undisturbedCount, neededCount }: BenchmarkSlots): boolean =>
  undisturbedCount >= neededCount;

/** Returns the verdict of the statistics, or too few slots where the gate is shut. */
export function gateVerdict(found: BenchmarkVerdict, slots: BenchmarkSlots): BenchmarkVerdict {
  if (isGateOpen(slots)) return found;
  return { kind: "too few runs", count: slots.undisturbedCount, countMin: slots.neededCount };
}

/** Null where nobody is named. */
export function verdictWinner<Side>({
  verdict,
  a,
  b,
}: {
  verdict: BenchmarkVerdict;
  a: Side;
  b: Side;
}): { winner: Side; loser: Side } | null {
  if (verdict.kind !== "faster") return null;
  return verdict.which === "a" ? { winner: a, loser: b } : { winner: b, loser: a };
}

/** "4 of 6 slots, none undisturbed"; with enough of them "8 slots, 6 undisturbed", or "8 slots". */
export function formatSlots(slots: BenchmarkSlots): string {
  const { measuredCount, undisturbedCount, neededCount } = slots;
  const isShort = measuredCount < neededCount;
  const measured = `${measuredCount}${isShort ? ` of ${neededCount}` : ""} ${measuredCount === 1 && !isShort ? "slot" : "slots"}`;
  if (undisturbedCount === measuredCount) return measured;
  const undisturbed = `${measured}, ${undisturbedCount === 0 ? "none" : undisturbedCount} undisturbed`;
  return isShort || isGateOpen(slots) ? undisturbed : `${undisturbed}, ${neededCount} needed`;
}
