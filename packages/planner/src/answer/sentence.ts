import type { StashPlan } from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { counted } from "../words.ts";

/** The answer in one sentence: how many, and what decides it. */
export function sentenceOf(input: StashPlanInput, plan: StashPlan): string {
  const f = input.serverFailuresTolerated;
  const pool = `${counted(plan.drives, "drive")} in ${counted(plan.servers, "server")}`;
  const load = `load alone needs ${counted(plan.drivesForLoad, "drive")}, ${plan.bindingConstraint} binding`;
  if (plan.decidedBy === "load") {
    const servers = counted(plan.servers - f, "server");
    return `${pool}; load decides: ${plan.bindingConstraint} needs ${counted(plan.drivesForLoad, "drive")}, so ${servers}, and ${f} more that may be dead; placement alone needs ${counted(plan.placementServers, "server")}`;
  }
  const { dataShards, parityShards } = input;
  if (plan.servers > plan.placementServers) {
    return `${pool}; placement decides: each of ${dataShards + parityShards} shards needs a drive of its own; ${load}`;
  }
  return `${pool}; placement decides: ${dataShards}+${parityShards} must spread over ${plan.placementServers} to outlive ${f === 1 ? "one dead server" : `${f} dead servers`}; ${load}`;
}

/** How the same servers would do with fewer drives; null when they would not. */
export function adviceOf(input: StashPlanInput, plan: StashPlan): string | null {
  if (plan.fewestDrivesPerServer >= input.drivesPerServer) return null;
  const drives = plan.fewestDrivesPerServer * plan.servers;
  return `${counted(plan.fewestDrivesPerServer, "drive")} a server would do: ${counted(drives, "drive")} in the same ${counted(plan.servers, "server")}.`;
}
