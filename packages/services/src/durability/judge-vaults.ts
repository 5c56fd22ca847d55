/** Judges the durability of vaults from their agents' reports, for pages, alerts and the API. */
import type { VaultDurability } from "@stashlight/contracts/vault-state";
import {
  describeAssumptions,
  describeLiveDurability,
  describeRemedy,
  judgeLiveDurability,
  listLiveFigures,
} from "@stashlight/planner";
import type { WithMerger } from "../metrics/query/merger.ts";
import { type ReportedVault, readLiveVaults } from "./read-live.ts";

export async function judgeVaults(
  platform: WithMerger,
  vaults: readonly string[],
  nowMs: number,
): Promise<VaultDurability[]> {
  if (vaults.length === 0) return [];
  const reported = await readLiveVaults(platform, vaults, nowMs);
  return [...reported].map(([vault, report]) => judgeReported(vault, report));
}

function judgeReported(vault: string, { live, reportedMs }: ReportedVault): VaultDurability {
  const judged = judgeLiveDurability(live);
  const sentence = describeLiveDurability(judged);
  const reportedAt = reportedMs === null ? null : new Date(reportedMs);
  if (judged.kind === "unknown") {
    return {
      vault,
      sentence,
      reportedAt,
      remedy: null,
      nines: null,
      missingCount: null,
      podCount: null,
      spareShare: null,
      figures: [],
      assumptions: [],
    };
  }
  const { nines, missing, spareShare } = judged;
  return {
    vault,
    sentence,
    reportedAt,
    spareShare,
    remedy: describeRemedy(judged),
    nines: {
      value: nines.value,
      low: nines.interval?.low ?? nines.value,
      high: nines.interval?.high ?? nines.value,
    },
    missingCount: missing?.count ?? 0,
    podCount: live.pods.length,
    figures: listLiveFigures(live, judged),
    assumptions: describeAssumptions(judged),
  };
}
