import { formatFill } from "@stashlight/contracts/space";
import { vaultMarks } from "@stashlight/contracts/thresholds";
import { localVaultName } from "@stashlight/contracts/vault";
import type { BaseWithMerger } from "../metrics/query/merger.ts";
import { readVaultFill } from "../vault/fill.ts";

/**
 * Returns null if the local vault has space for a slot of its own plan, otherwise the reason. Plans that people create
 * run in any case.
 */
export async function whyVaultHasNoRoom(
  platform: BaseWithMerger,
  { builtInKey }: { builtInKey: string | null },
): Promise<string | null> {
  if (builtInKey === null) return null;
  const fill = await readVaultFill(platform, localVaultName);
  if (fill === null || fill < vaultMarks.warningShare) return null;
  const [now, limit] = [fill, vaultMarks.warningShare].map(formatFill);
  return `The vault is ${now} full, and this schedule writes to it only below ${limit}. Delete objects or enlarge the vault.`;
}
