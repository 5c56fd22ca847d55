import { vaultMarks } from "@stashlight/contracts/judgement";
import { localVaultName } from "@stashlight/contracts/vault/fullness";
import type { BaseWithMerger } from "../metrics/query/merger.ts";
import { readVaultFullness } from "../vault/fullness.ts";

/**
 * Null if the local vault has space for a slot of its own plan, otherwise the reason why not. Plans that people create
 * are run in any case.
 */
export async function whyVaultHasNoRoom(
  platform: BaseWithMerger,
  { builtInKey }: { builtInKey: string | null },
): Promise<string | null> {
  if (builtInKey === null) return null;
  const fullness = await readVaultFullness(platform, localVaultName);
  if (fullness === null || fullness < vaultMarks.warningShare) return null;
  const [now, limit] = [fullness, vaultMarks.warningShare].map((share) => Math.round(share * 100));
  return `The vault is ${now} % full, and this plan writes to it only below ${limit} %. Delete objects or enlarge the vault.`;
}
