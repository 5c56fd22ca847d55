/**
 * Computes the number of SSDs that a stash needs. With n = k + m shards an upload is acknowledged when q = n - 1 of
 * them are durable on the stash, and they leave it when their pods have flushed. Six constraints give the number of
 * drives that the load needs; the placement of shards, with servers allowed to die, gives the number of servers. The
 * names are those of the formulas beside them.
 */

import { recordBytes as payloadRecordBytes } from "@stashlight/contracts/space";
import { DAY_SECONDS } from "@stashlight/contracts/time";
import { enduranceDrives } from "./endurance.ts";
import { meanOverMix, splitMix } from "./mix.ts";
import { usableBytesPerSecond } from "./network-ports.ts";
import type { StashPlanInput } from "./plan-types.ts";

export const constraintNames = ["capacity", "bandwidth", "iops", "fsync", "endurance", "network"] as const;
export type ConstraintName = (typeof constraintNames)[number];

export interface StashLoad {
  /** lambda: mean rate of small uploads per second. */
  readonly uploadsPerSecond: number;
  /** b: bytes of one small upload's n records, averaged over the mix. */
  readonly stashBytesPerObject: number;
  readonly meanBytesPerSecond: number;
  readonly peakBytesPerSecond: number;
  readonly peakShardsPerSecond: number;
}

export interface StashPlan {
  readonly load: StashLoad;
  /** Mean occupancy of the stash: arrival rate x residence (Little's law). */
  readonly meanOccupancyBytes: number;
  /**
   * Bytes that must fit: those arriving at the peak during the longer of the residence's 99th percentile and the
   * outage.
   */
  readonly requiredBytes: number;
  readonly requiredBy: "residence" | "outage";
  /** Fractional numbers of drives, before rounding up. */
  readonly drivesByConstraint: Readonly<Record<ConstraintName, number>>;
  /** Constraint that needs the most drives. */
  readonly bindingConstraint: ConstraintName;
  readonly drivesForLoad: number;
  /** Maximum number of an upload's shards on one server. */
  readonly shardsPerServerMax: number;
  readonly placementServers: number;
  readonly decidedBy: "load" | "placement";
  readonly servers: number;
  readonly drives: number;
  /** Minimum number of drives per server with which this number of servers still supports the load. */
  readonly fewestDrivesPerServer: number;
  /** Writes to each drive if this plan's drives share the load. */
  readonly driveWritesPerDay: number;
}

/** Bytes of one record in the stash's log: header and shard, rounded up to the alignment. */
export function recordBytes(objectBytes: number, input: StashPlanInput): number {
  return payloadRecordBytes(Math.ceil(objectBytes / input.dataShards), input);
}

/** Load after `years`, by the growth of the input. */
export function loadAfter(input: StashPlanInput, years: number): StashLoad {
  const n = input.dataShards + input.parityShards;
  const { small, smallShare } = splitMix(input);
  const uploadsPerSecond = input.uploadsPerSecond * smallShare * (1 + input.growthPerYear) ** years;
  const stashBytesPerObject = n * meanOverMix(small, (bytes) => recordBytes(bytes, input));
  const meanBytesPerSecond = uploadsPerSecond * stashBytesPerObject;
  return {
    uploadsPerSecond,
    stashBytesPerObject,
    meanBytesPerSecond,
    peakBytesPerSecond: input.peakFactor * meanBytesPerSecond,
    peakShardsPerSecond: input.peakFactor * uploadsPerSecond * n,
  };
}

/** Load that the pool must carry until the horizon: the load at the horizon, or today's if it shrinks. */
export function plannedLoad(input: StashPlanInput): StashLoad {
  return loadAfter(input, input.growthPerYear < 0 ? 0 : input.horizonYears);
}

function requiredBytes(input: StashPlanInput, load: StashLoad): number {
  return load.peakBytesPerSecond * Math.max(input.residenceSecondsP99, input.outageSeconds);
}

/**
 * Number of drives that each constraint requires under a load; fractions, because they are compared before rounding up.
 */
export function drivesUnder(input: StashPlanInput, load: StashLoad): Record<ConstraintName, number> {
  const { drive } = input;
  return {
    capacity: requiredBytes(input, load) / (drive.capacityBytes * input.usableFraction * input.maxFill),
    bandwidth:
      (load.peakBytesPerSecond * input.logWriteAmplification) /
      (drive.writeBytesPerSecond * input.maxUtilisation),
    iops:
      (load.peakShardsPerSecond * (input.writesPerShard + input.purgeWritesPerShard)) /
      (drive.writeIops * input.maxUtilisation),
    fsync: load.peakShardsPerSecond / (input.shardsPerCommit * drive.fsyncPerSecond * input.maxUtilisation),
    endurance: enduranceDrives(input, load.meanBytesPerSecond),
    // Number of drives of the stash servers whose ports carry the peak.
    network:
      (load.peakBytesPerSecond * input.drivesPerServer) /
      usableBytesPerSecond(input, input.stashBitsPerSecond),
  };
}

/** Constraint that requires the most drives. */
export function largestConstraint(drives: Readonly<Record<ConstraintName, number>>): ConstraintName {
  return constraintNames.reduce((most, name) => (drives[name] > drives[most] ? name : most));
}

/** Drives that satisfy every constraint: at least one, rounded up to whole drives. */
export function wholeDrives(drives: Readonly<Record<ConstraintName, number>>): number {
  return Math.max(1, Math.ceil(drives[largestConstraint(drives)]));
}

/** `input` must have passed `checkStashPlanInput`. */
export function planStash(input: StashPlanInput): StashPlan {
  const n = input.dataShards + input.parityShards;
  const load = plannedLoad(input);
  const drivesByConstraint = drivesUnder(input, load);
  const bindingConstraint = largestConstraint(drivesByConstraint);
  const drivesForLoad = wholeDrives(drivesByConstraint);
  const f = input.serverFailuresTolerated;
  // An acknowledged upload may lose q - k shards, and f dead servers lose all of theirs.
  const shardsPerServerMax = Math.max(1, Math.floor((n - 1 - input.dataShards) / f));
  const placementServers = Math.ceil(n / shardsPerServerMax);
  const loadServers = Math.ceil(drivesForLoad / input.drivesPerServer) + f;
  // A drive holds at most one shard of an upload.
  const drivePerShardServers = Math.ceil(n / input.drivesPerServer);
  const servers = Math.max(loadServers, placementServers, drivePerShardServers);
  const drives = servers * input.drivesPerServer;
  return {
    load,
    meanOccupancyBytes: load.meanBytesPerSecond * input.residenceSecondsMean,
    requiredBytes: requiredBytes(input, load),
    requiredBy: input.outageSeconds > input.residenceSecondsP99 ? "outage" : "residence",
    drivesByConstraint,
    bindingConstraint,
    drivesForLoad,
    shardsPerServerMax,
    placementServers,
    decidedBy: loadServers > Math.max(placementServers, drivePerShardServers) ? "load" : "placement",
    servers,
    drives,
    fewestDrivesPerServer: Math.max(
      Math.ceil(n / servers),
      Math.ceil(wholeDrives({ ...drivesByConstraint, network: 0 }) / Math.max(1, servers - f)),
    ),
    driveWritesPerDay: driveWritesPerDay(input, load, drives * input.drive.capacityBytes),
  };
}

/** Drive writes per day if a load is spread evenly over drives of `drivesBytes` in total. */
export function driveWritesPerDay(input: StashPlanInput, load: StashLoad, drivesBytes: number): number {
  return (
    (load.meanBytesPerSecond *
      input.logWriteAmplification *
      input.deviceWriteAmplificationRatio *
      DAY_SECONDS) /
    drivesBytes
  );
}
