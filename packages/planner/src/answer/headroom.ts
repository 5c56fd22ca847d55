/**
 * What the installed pool still has to spare. The drives that are left with `serverFailuresTolerated` servers dead must
 * carry the load, as in a plan; headroom is those drives over the drives that the binding constraint needs. Placement is
 * apart: it is about servers, and no spare drive makes up for one that is missing.
 */

import {
  type ConstraintName,
  constraintNames,
  drivesUnder,
  loadAfter,
  type StashPlan,
} from "../sizing/plan.ts";
import type { StashPlanInput } from "../sizing/types.ts";
import { counted, figureInWords } from "../words.ts";
import { type Pool, placementHolds, poolSuffices } from "./pool.ts";

export interface Headroom {
  readonly pool: Pool;
  /** How many times today's load fits, by constraint. */
  readonly timesByConstraint: Readonly<Record<ConstraintName, number>>;
  /** The constraint that is met first as the load grows. */
  readonly firstConstraint: ConstraintName;
  /** How many times today's load fits; below 1 it does not. */
  readonly times: number;
  /** The same of the load at the horizon of the plan. */
  readonly timesAtHorizon: number;
  readonly missingDrivesAtHorizon: number;
  /** Enough servers that shards lie as the plan has them, and a drive for each shard. */
  readonly placementHolds: boolean;
  /** The planned load fits and placement holds. */
  readonly suffices: boolean;
  readonly sentence: string;
}

/** Null when nothing is installed. */
export function headroomOf(input: StashPlanInput, plan: StashPlan, pool: Pool): Headroom | null {
  if (pool.basis === "planned") return null;
  const today = drivesUnder(input, loadAfter(input, 0));
  const timesByConstraint = Object.fromEntries(
    constraintNames.map((name) => [name, pool.carryingDrives / today[name]]),
  ) as Record<ConstraintName, number>;
  const firstConstraint = constraintNames.reduce((first, name) =>
    today[name] > today[first] ? name : first,
  );
  const headroom = {
    pool,
    timesByConstraint,
    firstConstraint,
    times: timesByConstraint[firstConstraint],
    timesAtHorizon: pool.carryingDrives / plan.drivesByConstraint[plan.bindingConstraint],
    missingDrivesAtHorizon: Math.max(0, plan.drivesForLoad - pool.carryingDrives),
    placementHolds: placementHolds(input, plan, pool),
    suffices: poolSuffices(input, plan, pool),
  };
  return { ...headroom, sentence: sentenceOf(input, plan, headroom) };
}

function sentenceOf(input: StashPlanInput, plan: StashPlan, headroom: Omit<Headroom, "sentence">): string {
  const { pool, times, firstConstraint, missingDrivesAtHorizon } = headroom;
  const n = input.dataShards + input.parityShards;
  const load = `${counted(pool.drives, "installed drive")} carry ${figureInWords(times)} times today's load; ${firstConstraint} is met first`;
  const horizon =
    missingDrivesAtHorizon === 0
      ? ""
      : `; at the horizon ${counted(missingDrivesAtHorizon, "drive")} ${missingDrivesAtHorizon === 1 ? "is" : "are"} missing`;
  if (headroom.placementHolds) return `${load}${horizon}.`;
  const why =
    pool.servers < plan.placementServers
      ? `${counted(pool.servers, "server")} are too few: ${input.dataShards}+${input.parityShards} must spread over ${plan.placementServers}`
      : `${counted(pool.drives, "drive")} are too few: each of ${n} shards needs one of its own`;
  return `${load}${horizon}. ${why}.`;
}
