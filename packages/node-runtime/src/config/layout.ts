/** Derives from a vault's file what the machines and the transport need. */
import { scrubMarks } from "@stashlight/contracts/thresholds";
import {
  type Address,
  coordinatorAddress,
  type PlacementLimits,
  placementLimits,
  podAddress,
  quorumsOf,
  REBUILD_BYTES_PER_SECOND,
  type StashDevice,
  shardBytesIn,
  stashAddress,
  takesNewShards,
  type VaultConfig,
} from "@stashlight/write-path";
import type { VaultFile, VaultNode } from "./vault-file-schema.ts";

export function toVaultConfig({ epoch, scheme, nodes, rebuildBytesPerSecond }: VaultFile): VaultConfig {
  const podDriveIds: string[] = [];
  const stashDevices: StashDevice[] = [];
  for (const [serverId, node] of nodes.entries()) {
    if (node.role === "pod") for (const { pod, driveId } of node.drives) podDriveIds[pod] = driveId;
    if (node.role === "stash") {
      const { isDraining = false } = node;
      for (const { device, quarantine } of node.drives) {
        const isQuarantined = quarantine !== undefined;
        stashDevices.push({ deviceId: device, serverId, isDraining, isQuarantined });
      }
    }
  }
  stashDevices.sort((a, b) => a.deviceId - b.deviceId);
  const coordinatorCount = nodes.filter(({ role }) => role === "coordinator").length;
  return { epoch, scheme, podDriveIds, stashDevices, coordinatorCount, rebuildBytesPerSecond };
}

/** Rate at which a pod requests the shards that it lacks. */
export function rebuildRate({ rebuildBytesPerSecond }: VaultFile): number {
  return rebuildBytesPerSecond ?? REBUILD_BYTES_PER_SECOND;
}

/** Days within which a round verifies each live record of a drive. */
export function scrubRoundDays({ scrubDays }: VaultFile): number {
  return scrubDays ?? scrubMarks.roundDays;
}

/**
 * Space of a pod's drive for shards. It counts as full once it has no space for the smallest shard, as for
 * coordinators.
 */
export function podRoom({ dataBytesMax, dataBytesFree }: { dataBytesMax: number; dataBytesFree: number }) {
  const usableBytes = shardBytesIn(dataBytesMax);
  return { usableBytes, takenBytes: usableBytes - shardBytesIn(dataBytesFree) };
}

export interface StashLimits extends PlacementLimits {
  /** Number of devices that an upload needs, and number of devices that accept new shards. */
  readonly deviceCountMin: number;
  readonly takingCount: number;
}

/** Number of pods that an upload can do without. */
export function sparedPodCount({ scheme }: VaultFile): number {
  const { shardCount, acknowledge } = quorumsOf(scheme);
  return shardCount - acknowledge;
}

/** Returns the stash's placement limits, with the failures that it survives. */
export function stashLimits(file: VaultFile): StashLimits {
  const config = toVaultConfig(file);
  return {
    ...placementLimits(config),
    deviceCountMin: quorumsOf(file.scheme).acknowledge,
    takingCount: config.stashDevices.filter(takesNewShards).length,
  };
}

/** Returns the addresses of a node. Coordinators are numbered in the order of the file. */
export function nodeAddresses({ nodes }: VaultFile, node: VaultNode): Address[] {
  if (node.role === "pod") return node.drives.map(({ pod }) => podAddress(pod));
  if (node.role === "stash") return node.drives.map(({ device }) => stashAddress(device));
  const coordinators = nodes.filter(({ role }) => role === "coordinator");
  return [coordinatorAddress(coordinators.findIndex(({ id }) => id === node.id))];
}

const CALLING_RANK = { pod: 0, stash: 1, coordinator: 2 } as const;

/**
 * Returns true if the first of two nodes calls the second; one connection serves both directions. The node that
 * receives more bytes calls, because a client's socket reads into reusable memory: pods and stash nodes call the
 * coordinators, and pods call the stash and the pods that come after them in the file. Coordinators do not connect to
 * each other, nor do stash nodes.
 */
export function calls({ nodes }: VaultFile, caller: VaultNode, called: VaultNode): boolean {
  if (caller.id === called.id) return false;
  if (caller.role === "pod" && called.role === "pod") return nodes.indexOf(caller) < nodes.indexOf(called);
  return CALLING_RANK[caller.role] < CALLING_RANK[called.role];
}
