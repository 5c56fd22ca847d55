/**
 * Number of vaults behind this machine's endpoint. A start that asks for more adds them. Vaults are never removed,
 * because their objects are read through the same endpoint.
 */
import { existsSync } from "node:fs";
import { Failure } from "../failure.ts";
import { vaultFilePath, vaultFolderPath } from "./vault-folders.ts";

/** Each has 20 pods and its own stash on the same machine. */
export const vaultCountMax = 4;

export interface VaultCount {
  readonly total: number;
  /** Number of vaults that this run creates, including the first vault. */
  readonly added: number;
}

/** `wanted` is the value of `--vaults`; undefined if not given. Throws a Failure if fewer are wanted than exist. */
export function decideVaultCount(dataDirectory: string, wanted: number | undefined): VaultCount {
  const present = presentCount(dataDirectory);
  const total = wanted ?? Math.max(1, present);
  if (total >= present) return { total, added: total - present };
  const last = vaultFolderPath(dataDirectory, present);
  throw new Failure(
    `--vaults ${total} is fewer than the ${present} vaults of this data folder, and a vault cannot be removed: each of them holds objects, down to ${last}. Leave --vaults out, or give ${present} or more.`,
  );
}

/** Counts up to the last vault that has a file, even if an earlier vault lost its file. */
function presentCount(dataDirectory: string): number {
  for (let number = vaultCountMax; number >= 1; number -= 1) {
    if (existsSync(vaultFilePath(dataDirectory, number))) return number;
  }
  return 0;
}

/** 1, 2 and so on. */
export function vaultNumbers({ total }: Pick<VaultCount, "total">): number[] {
  return Array.from({ length: total }, (_, at) => at + 1);
}
