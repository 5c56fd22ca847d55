/**
 * An epoch contains everything on which the machines of a vault must agree: the nodes with their drives, under a number
 * that rises by one when a drive, a machine or a stash server changes. It holds no secret, so nodes send it to each
 * other, and each machine puts it into its own copy of the vault's file.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { parseVaultFile, VaultFileError } from "./load-vault-file.ts";
import { type VaultFile, vaultFileSchema } from "./vault-file-schema.ts";

const { clusterId, epoch, nodes, rebuildBytesPerSecond } = vaultFileSchema.shape;
const vaultEpochSchema = z.strictObject({ clusterId, epoch, nodes, rebuildBytesPerSecond });

/** Paths of its nodes are relative to the folder of the vault's file, like those in the file. */
export type VaultEpoch = z.infer<typeof vaultEpochSchema>;

/** Reads a vault's file as written, with its relative paths. Throws a VaultFileError. */
export function readRawVaultFile(path: string): VaultFile {
  const text = readFileSync(path, "utf8");
  parseVaultFile(text, path);
  return vaultFileSchema.parse(JSON.parse(text));
}

export function toVaultEpoch(raw: VaultFile): VaultEpoch {
  return vaultEpochSchema.parse({
    clusterId: raw.clusterId,
    epoch: raw.epoch,
    nodes: raw.nodes,
    ...(raw.rebuildBytesPerSecond !== undefined && { rebuildBytesPerSecond: raw.rebuildBytesPerSecond }),
  });
}

/** Parses a received epoch. Throws a VaultFileError that explains what is wrong with it. */
export function parseVaultEpoch(value: unknown): VaultEpoch {
  const parsed = vaultEpochSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VaultFileError(`The epoch cannot be read: ${issue?.path.join(".")}: ${issue?.message}.`);
}

export function isSameEpoch(a: VaultEpoch, b: VaultEpoch): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/**
 * Returns the vault's file with this epoch and everything else unchanged. Throws a VaultFileError if the result is
 * invalid.
 */
export function inEpoch(raw: VaultFile, next: VaultEpoch, path: string): VaultFile {
  const { rebuildBytesPerSecond: _, ...rest } = raw;
  const changed = { ...rest, ...next };
  parseVaultFile(JSON.stringify(changed), path);
  return changed;
}
