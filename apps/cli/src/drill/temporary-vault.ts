import { mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import {
  countPorts,
  createLocalVault,
  findFreePorts,
  provideKeys,
  writeVaultFile,
} from "@stashlight/node-runtime/config";
import { POD_SEGMENT_BYTES } from "../pod-size.ts";

export interface VaultShape {
  readonly scheme: { readonly dataShardCount: number; readonly parityShardCount: number };
  readonly podNodeCount: number;
  readonly stashNodeCount: number;
  readonly drivesPerStashNode: number;
  readonly podVolume: { readonly segmentBytes: number; readonly segmentCount: number };
  readonly stashVolume: { readonly segmentBytes: number; readonly segmentCount: number };
  readonly pieceBytes: number;
  /** `drill` drives lose unsynced data with their process; `plain` ones behave as in any vault. */
  readonly drives: "drill" | "plain";
}

const MIB = 1_048_576;

/** Nodes of the vault that `npm start` creates. */
const localNodes = {
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  podNodeCount: 2,
  stashNodeCount: 7,
  drivesPerStashNode: 3,
};

/** For power cuts: three quarters of a gigabyte. */
export const powerCutShape: VaultShape = {
  ...localNodes,
  podVolume: { segmentBytes: 4 * MIB, segmentCount: 6 },
  stashVolume: { segmentBytes: 2 * MIB, segmentCount: 6 },
  pieceBytes: MIB,
  drives: "drill",
};

/** For full vaults: as created by `npm start`, with pods of this size. */
export function fullShape(podBytes: number): VaultShape {
  return {
    ...localNodes,
    podVolume: {
      segmentBytes: POD_SEGMENT_BYTES,
      segmentCount: Math.floor(podBytes / POD_SEGMENT_BYTES),
    },
    stashVolume: { segmentBytes: 4 * MIB, segmentCount: 20 },
    pieceBytes: 8 * MIB,
    drives: "plain",
  };
}

/** Creates a folder below the given one with the vault's file in it; the caller removes it. */
export async function createTemporaryVault(
  parent: string,
  shape: VaultShape,
): Promise<{ readonly folder: string; readonly config: string }> {
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(parent, "drill-"));
  const config = join(folder, "vault.json");
  const ports = await findFreePorts(countPorts(shape), Math.random);
  const { drives, ...layout } = shape;
  const disk = drives === "drill" ? ({ disk: "drill" } as const) : {};
  const file = createLocalVault({ ...layout, ...disk, name: "drill", ports });
  writeVaultFile(config, file);
  provideKeys(config, { areAllHere: true });
  return { folder, config };
}
