/** Inverse questions: which figures reach the target of nines. */
import { DAY_SECONDS } from "@stashlight/contracts/time";
import { largestWithin, REBUILD_DAYS_MAX, REBUILD_DAYS_MIN } from "@stashlight/durability";
import type { StashPlanInput } from "../../sizing/plan-types.ts";
import { boundsAt } from "../../sizing/table.ts";
import { annualLoss } from "./loss.ts";

export interface DurabilityTargets {
  /**
   * Slowest rebuild that reaches the target, rounded up to three digits; null if none within the bounds of the input
   * does.
   */
  readonly rebuildBytesPerSecond: number | null;
  /**
   * Largest HDD that reaches the target, rounded down to three digits; null if none within the bounds of the input
   * does.
   */
  readonly hddBytes: number | null;
}

export function reachTargets(input: StashPlanInput): DurabilityTargets {
  const annualLossMax = 10 ** -input.ninesTarget;
  const rates = boundsAt("rebuildBytesPerSecond");
  const sizes = boundsAt("hddBytes");
  if (rates === null || sizes === null) throw new Error("The inputs of a rebuild have no bounds");
  // The models are defined for rebuilds from a second to a century, including the time until they begin.
  const shortest = REBUILD_DAYS_MIN * DAY_SECONDS - input.rebuildStartSeconds;
  const longest = REBUILD_DAYS_MAX * DAY_SECONDS - input.rebuildStartSeconds;
  // Searches over the time per byte, because the loss grows with it.
  const bytes = input.hddBytes * input.hddFill;
  const secondsPerByte = largestWithin(
    (seconds) => annualLoss({ ...input, rebuildBytesPerSecond: 1 / seconds }),
    annualLossMax,
    Math.max(1 / rates.max, shortest / bytes),
    Math.min(1 / rates.min, longest / bytes),
  );
  const bytesPerSecond = input.rebuildBytesPerSecond / input.hddFill;
  const hddBytes = largestWithin(
    (size) => annualLoss({ ...input, hddBytes: size }),
    annualLossMax,
    Math.max(sizes.min, shortest * bytesPerSecond),
    Math.min(sizes.max, longest * bytesPerSecond),
  );
  return {
    rebuildBytesPerSecond: secondsPerByte === null ? null : roundDigits(1 / secondsPerByte, Math.ceil),
    hddBytes: hddBytes === null ? null : roundDigits(hddBytes, Math.floor),
  };
}

/** Rounds to the three digits that are displayed, so that the figure an operator reads reaches the target too. */
function roundDigits(value: number, round: (value: number) => number): number {
  const unit = 10 ** (Math.floor(Math.log10(value)) - 2);
  // Prevents rounding errors from increasing a whole number of units by one.
  return round(Number((value / unit).toPrecision(10))) * unit;
}
