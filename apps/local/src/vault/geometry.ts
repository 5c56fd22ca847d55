/** How large the vault of one machine is. Kept apart from what knows more of vaults, so that the supervisor stays small. */

const MIB = 1_048_576;

export const localVault = {
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
  podVolume: { segmentBytes: 8 * MIB, segmentCount: 12 },
  stashVolume: { segmentBytes: 4 * MIB, segmentCount: 20 },
  pieceBytes: 8 * MIB,
} as const;

/** Drives of the catalogue as which those of this vault behave when it is to be a modelled one. */
export const driveModels = { pod: "seagate-exos-x16-16tb", stash: "micron-7450-max-3.2tb" } as const;

const { scheme, stashNodeCount, drivesPerStashNode, podVolume, stashVolume } = localVault;

export const podCount = scheme.dataShardCount + scheme.parityShardCount;
export const stashDeviceCount = stashNodeCount * drivesPerStashNode;

/** What its segments take on the disk, from the first start on and for good. */
export const localVaultBytes =
  podCount * podVolume.segmentBytes * podVolume.segmentCount +
  stashDeviceCount * stashVolume.segmentBytes * stashVolume.segmentCount;
