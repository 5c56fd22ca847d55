/**
 * Pool of stash servers with their drives. An answer examines two pools: the planned pool, to be bought, and the
 * installed one. Each is judged with its own drives, so that no figure mixes the two.
 */

import type { DriveInput, StashPlanInput } from "../sizing/plan-types.ts";
import { drivesUnder, type StashLoad, type StashPlan, wholeDrives } from "../sizing/required-drives.ts";

export interface Pool {
  readonly basis: "installed" | "planned";
  readonly servers: number;
  readonly drivesPerServer: number;
  readonly drives: number;
  /** Drive of the plan; installed drives have their own capacity and sync rate if known. */
  readonly drive: DriveInput;
  /** Drives that remain to carry the load when `serverFailuresTolerated` servers are dead. */
  readonly carryingDrives: number;
}

export function plannedPool(
  input: StashPlanInput,
  servers: number,
  drivesPerServer = input.drivesPerServer,
): Pool {
  return makePool(input, "planned", { servers, drivesPerServer }, input.drive);
}

/** Returns null if nothing is installed. */
export function installedPool(input: StashPlanInput): Pool | null {
  const { installed, drive } = input;
  if (installed === null) return null;
  const capacityBytes = installed.driveCapacityBytes ?? drive.capacityBytes;
  const fsyncPerSecond = installed.driveFsyncPerSecond ?? drive.fsyncPerSecond;
  return makePool(input, "installed", installed, { ...drive, capacityBytes, fsyncPerSecond });
}

function makePool(
  input: StashPlanInput,
  basis: Pool["basis"],
  { servers, drivesPerServer }: Pick<Pool, "servers" | "drivesPerServer">,
  drive: DriveInput,
): Pool {
  return {
    basis,
    servers,
    drivesPerServer,
    drive,
    drives: servers * drivesPerServer,
    carryingDrives: Math.max(0, servers - input.serverFailuresTolerated) * drivesPerServer,
  };
}

/** Fractional number of the pool's own drives that each constraint requires. */
export function poolDrivesUnder(input: StashPlanInput, { drive, drivesPerServer }: Pool, load: StashLoad) {
  return drivesUnder({ ...input, drive, drivesPerServer }, load);
}

/** Bytes of records that fit on the drives of a pool up to the planned fill level. */
export function poolCapacityBytes(input: StashPlanInput, { drives, drive }: Pool): number {
  return drives * drive.capacityBytes * input.usableFraction * input.maxFill;
}

/**
 * Returns true if there are enough servers for the plan's placement of shards, and enough drives for the shards of an
 * upload.
 */
export function placementHolds(input: StashPlanInput, plan: StashPlan, pool: Pool): boolean {
  return pool.servers >= plan.placementServers && pool.drives >= input.dataShards + input.parityShards;
}

/** Returns true if the load fits on the drives left when servers are dead, and placement holds. */
export function poolSuffices(
  input: StashPlanInput,
  plan: StashPlan,
  pool: Pool,
  load: StashLoad = plan.load,
): boolean {
  const needed = wholeDrives(poolDrivesUnder(input, pool, load));
  return needed <= pool.carryingDrives && placementHolds(input, plan, pool);
}
