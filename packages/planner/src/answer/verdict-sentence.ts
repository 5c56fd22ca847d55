/** A pool's verdict in words. */

import { counted, formatPlanBytes, formatTimes } from "../format-figures.ts";
import type { StashPlanInput } from "../sizing/plan-types.ts";
import type { StashPlan } from "../sizing/required-drives.ts";
import type { PoolFigures } from "./pool-figures.ts";

export function verdictTitle({ pool, suffices, sufficesToday }: PoolFigures): string {
  const subject = `The ${pool.basis} pool`;
  if (suffices) return `${subject} suffices`;
  return sufficesToday ? `${subject} does not suffice at the horizon` : `${subject} does not suffice`;
}

export function describeVerdict(input: StashPlanInput, plan: StashPlan, figures: PoolFigures): string {
  const { pool, times, firstConstraint, missingDrivesAtHorizon: missing } = figures;
  const drives = `${sentenceStart(counted(pool.drives, "drive"))} of ${formatPlanBytes(pool.drive.capacityBytes)} in ${counted(pool.servers, "server")}`;
  const dead = counted(input.serverFailuresTolerated, "server");
  const verb = pool.drives === 1 ? "carries" : "carry";
  const load = `${drives} ${verb} ${formatTimes(times)} today's load with ${dead} dead; ${firstConstraint} is met first`;
  const when = times >= 1 ? "at the horizon " : "";
  const lack = missing === 0 ? "" : `; ${when}${describeLack(figures)}`;
  return figures.placementHolds
    ? `${load}${lack}.`
    : `${load}${lack}. ${describeMissingPlaces(input, plan, figures)}`;
}

/** More drives in servers whose ports are full would not add capacity. */
function describeLack({
  pool,
  firstConstraint,
  missingDrivesAtHorizon: drives,
  placementHolds,
}: PoolFigures): string {
  const reason = placementHolds ? "" : " for the load";
  if (firstConstraint !== "network") {
    return `${counted(drives, "drive")} ${drives === 1 ? "is" : "are"} missing${reason}`;
  }
  const servers = Math.ceil(drives / pool.drivesPerServer);
  return `${counted(servers, "server")} ${servers === 1 ? "is" : "are"} missing${reason}, as more drives behind the same ports do not help`;
}

function describeMissingPlaces(input: StashPlanInput, plan: StashPlan, { pool }: PoolFigures): string {
  const { dataShards, parityShards } = input;
  const isOne = (count: number): string => (count === 1 ? "is" : "are");
  return pool.servers < plan.placementServers
    ? `${sentenceStart(counted(pool.servers, "server"))} ${isOne(pool.servers)} too few: ${dataShards}+${parityShards} must spread over ${plan.placementServers}.`
    : `${sentenceStart(counted(pool.drives, "drive"))} ${isOne(pool.drives)} too few: each of ${dataShards + parityShards} shards needs one of its own, which ${dataShards + parityShards - pool.drives} of them lack.`;
}

const sentenceStart = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
