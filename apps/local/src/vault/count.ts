/**
 * How many vaults stand behind the endpoint of this machine. Each later one is added by a start that asks for more, and
 * stays: its objects are read through the same endpoint.
 */
import { existsSync } from "node:fs";
import { Failure } from "../failure.ts";
import { vaultFileOf, vaultFolderOf } from "./files.ts";

/** Each is 20 pods and a stash of its own on the same machine. */
export const vaultCountMax = 4;

export interface VaultCount {
  readonly total: number;
  /** As many of them are new at this start; the first vault counts as well. */
  readonly added: number;
}

/** `wanted` is the value of `--vaults`; undefined if not given. Throws a Failure for fewer than there are. */
export function vaultCountOf(dataDirectory: string, wanted: number | undefined): VaultCount {
  const present = presentCount(dataDirectory);
  const total = wanted ?? Math.max(1, present);
  if (total >= present) return { total, added: total - present };
  const last = vaultFolderOf(dataDirectory, present);
  throw new Failure(
    `--vaults ${total} is fewer than the ${present} vaults of this data folder, and a vault cannot be taken away: objects lie in each of them, down to ${last}. Leave --vaults out, or give ${present} or more.`,
  );
}

/** Up to the last vault that has a file, whether or not those before it lost theirs. */
function presentCount(dataDirectory: string): number {
  for (let number = vaultCountMax; number >= 1; number -= 1) {
    if (existsSync(vaultFileOf(dataDirectory, number))) return number;
  }
  return 0;
}

/** 1, 2 and so on. */
export function numbersOf({ total }: Pick<VaultCount, "total">): number[] {
  return Array.from({ length: total }, (_, at) => at + 1);
}
