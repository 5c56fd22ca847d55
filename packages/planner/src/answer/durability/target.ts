/** The inverse questions: what reaches the target of nines. */
import { largestWithin } from "@stashlight/durability";
import { boundsAt } from "../../sizing/table.ts";
import type { StashPlanInput } from "../../sizing/types.ts";
import { annualLoss } from "./loss.ts";

export interface DurabilityTargets {
  /** The slowest rebuild that reaches the target; null if none within the bounds of the input does. */
  readonly rebuildBytesPerSecond: number | null;
  /** The largest HDD that reaches the target; null if none within the bounds of the input does. */
  readonly hddBytes: number | null;
}

export function reachTargets(input: StashPlanInput): DurabilityTargets {
  const annualLossMax = 10 ** -input.ninesTarget;
  const rates = boundsAt("rebuildBytesPerSecond");
  const sizes = boundsAt("hddBytes");
  if (rates === null || sizes === null) throw new Error("The inputs of a rebuild have no bounds");
  // The search goes over the time that a byte takes, which grows with the loss.
  const secondsPerByte = largestWithin(
    (seconds) => annualLoss({ ...input, rebuildBytesPerSecond: 1 / seconds }),
    annualLossMax,
    1 / rates.max,
    1 / rates.min,
  );
  const hddBytes = largestWithin(
    (bytes) => annualLoss({ ...input, hddBytes: bytes }),
    annualLossMax,
    sizes.min,
    sizes.max,
  );
  return { rebuildBytesPerSecond: secondsPerByte === null ? null : 1 / secondsPerByte, hddBytes };
}
