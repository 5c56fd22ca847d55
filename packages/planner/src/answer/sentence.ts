import { counted, formatShare, formatUsd } from "../format-figures.ts";
import { poolPriceUsd } from "../sizing/cheapest.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import type { NetworkVerdict } from "./network.ts";
import type { PoolOption } from "./pools.ts";

/** Returns the answer in one sentence: an undersized port comes first, then the number of drives and its reason. */
export function describePlan(
  input: StashPlanInput,
  plan: StashPlan,
  { firstTooSmall }: NetworkVerdict,
): string {
  const drives = describeDrives(input, plan);
  if (firstTooSmall === null) return drives;
  return `${drives}; but the ports of ${firstTooSmall.of} are the first limit: ${formatShare(firstTooSmall.utilisation)} busy at the peak`;
}

function describeDrives(input: StashPlanInput, plan: StashPlan): string {
  const f = input.serverFailuresTolerated;
  const pool = `${counted(plan.drives, "drive")} in ${counted(plan.servers, "server")}`;
  const load = `load alone needs ${counted(plan.drivesForLoad, "drive")}, ${plan.bindingConstraint} binding`;
  if (plan.decidedBy === "load") {
    const servers = counted(plan.servers - f, "server");
    if (plan.bindingConstraint === "network") {
      return `${pool}; load decides: the ports of ${servers} carry the peak, and ${f} more may be dead; placement alone needs ${counted(plan.placementServers, "server")}`;
    }
    return `${pool}; load decides: ${plan.bindingConstraint} needs ${counted(plan.drivesForLoad, "drive")}, so ${servers}, and ${f} more that may be dead; placement alone needs ${counted(plan.placementServers, "server")}`;
  }
  const { dataShards, parityShards } = input;
  if (plan.servers > plan.placementServers) {
    return `${pool}; placement decides: each of ${dataShards + parityShards} shards needs a drive of its own; ${load}`;
  }
  return `${pool}; placement decides: ${dataShards}+${parityShards} must spread over ${plan.placementServers} to survive ${f === 1 ? "one dead server" : `${f} dead servers`}; ${load}`;
}

/** Explains why servers are not filled, and the extra cost of filled ones. */
export function describeAdvice(input: StashPlanInput, plan: StashPlan, filled: PoolOption): string {
  const more = filled.priceUsd - poolPriceUsd(input, plan.servers, plan.drives);
  return `${counted(input.drivesPerServer, "drive")} per server ${input.drivesPerServer === 1 ? "suffices" : "suffice"}; with ${filled.drivesPerServer} in each it would be ${counted(filled.drives, "drive")} in ${counted(filled.servers, "server")}, for ${formatUsd(more)} more.`;
}
