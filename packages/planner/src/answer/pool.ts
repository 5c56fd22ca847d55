/** A pool of stash servers, and what of it still works when as many are dead as may be. */

import type { StashPlan } from "../sizing/plan.ts";
import type { PoolInput, StashPlanInput } from "../sizing/types.ts";

/** `planned`: nothing is installed, so the pool of the plan itself is meant. */
export interface Pool extends PoolInput {
  readonly basis: "installed" | "planned";
  readonly drives: number;
  /** Drives that are left when `serverFailuresTolerated` servers are dead: they must carry the load. */
  readonly carryingDrives: number;
}

export function poolOf(input: StashPlanInput, plan: StashPlan): Pool {
  const { servers, drivesPerServer } = input.installed ?? {
    servers: plan.servers,
    drivesPerServer: input.drivesPerServer,
  };
  return {
    basis: input.installed === null ? "planned" : "installed",
    servers,
    drivesPerServer,
    drives: servers * drivesPerServer,
    carryingDrives: Math.max(0, servers - input.serverFailuresTolerated) * drivesPerServer,
  };
}

/** Bytes of records that a number of drives takes up to the planned fill. */
export function capacityBytesOf(input: StashPlanInput, drives: number): number {
  return drives * input.drive.capacityBytes * input.usableFraction * input.maxFill;
}

/** Enough servers that shards may lie as the plan has them, and a drive for each shard of an upload. */
export function placementHolds(input: StashPlanInput, plan: StashPlan, pool: Pool): boolean {
  return pool.servers >= plan.placementServers && pool.drives >= input.dataShards + input.parityShards;
}

/** The planned load fits, and placement holds. */
export function poolSuffices(input: StashPlanInput, plan: StashPlan, pool: Pool): boolean {
  return plan.drivesForLoad <= pool.carryingDrives && placementHolds(input, plan, pool);
}
