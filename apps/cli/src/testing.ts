/** Test file of a vault of 2+1 with small volumes. */
import { countPorts, createLocalVault, type VaultFile } from "@stashlight/node-runtime/config";

export function smallVault(
  name: string,
  shape: { readonly podNodeCount: number; readonly stashNodeCount: number },
): VaultFile {
  const volume = { segmentBytes: 1_048_576, segmentCount: 4 };
  return createLocalVault({
    ...shape,
    name,
    scheme: { dataShardCount: 2, parityShardCount: 1 },
    drivesPerStashNode: 1,
    podVolume: volume,
    stashVolume: volume,
    pieceBytes: 1_048_576,
    ports: Array.from({ length: countPorts(shape) }, (_, i) => 20_000 + i),
  });
}
