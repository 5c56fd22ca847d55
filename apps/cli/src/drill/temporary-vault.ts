/** A vault made for one drill, of drives that lose with their process what was not synced. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalVault, findFreePorts, portCountOf } from "@stashlight/agent/config";

export interface VaultShape {
  readonly scheme: { readonly dataShardCount: number; readonly parityShardCount: number };
  readonly podNodeCount: number;
  readonly stashNodeCount: number;
  readonly drivesPerStashNode: number;
  readonly podVolume: { readonly segmentBytes: number; readonly segmentCount: number };
  readonly stashVolume: { readonly segmentBytes: number; readonly segmentCount: number };
}

const MIB = 1_048_576;

/** The layout of a vault of one machine, in three quarters of a gigabyte. */
export const drillShape: VaultShape = {
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
  podVolume: { segmentBytes: 4 * MIB, segmentCount: 6 },
  stashVolume: { segmentBytes: 2 * MIB, segmentCount: 6 },
};

/** Makes a folder below the given one with the vault's file in it; the caller removes it. */
export async function createTemporaryVault(
  parent: string,
  shape: VaultShape,
): Promise<{ readonly folder: string; readonly config: string }> {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(parent, "drill-"));
  const config = join(folder, "vault.json");
  const ports = await findFreePorts(portCountOf(shape), Math.random);
  const file = createLocalVault({ ...shape, name: "drill", pieceBytes: MIB, disk: "drill", ports });
  writeFileSync(config, JSON.stringify(file), { mode: 0o600 });
  return { folder, config };
}
