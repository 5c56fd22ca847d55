import type { StashPlan } from "../sizing/required-drives.ts";

/** Load below which a chart of drives shows nothing, and its figures are zeros. */
const DRIVES_SHOWN_MIN = 0.01;

/** Returns a sentence that replaces the charts of a very small load; null for any other. */
export function describeSmallLoad({ drivesByConstraint, bindingConstraint }: StashPlan): string | null {
  if (drivesByConstraint[bindingConstraint] >= DRIVES_SHOWN_MIN) return null;
  return "The load needs less than a hundredth of one drive under every constraint, so no input about load or drives moves the answer.";
}
