/** Uses a vault's durability as the value of a rule, with the sentence that pages show. */
import type { AlertCondition, AlertQuery } from "@stashlight/contracts/alert";
import type { VaultDurability } from "@stashlight/contracts/vault-state";
import type { MetricClient } from "@stashlight/db/metrics";
import { judgeVaults } from "../durability/judge-vaults.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { selectSeries } from "../metrics/query/select.ts";
import type { Sample } from "./evaluate.ts";

type DurabilityCondition = Extract<AlertCondition, { kind: "durability" }>;

/** Vaults whose durability is unknown have no value. */
export async function readDurabilitySamples(
  platform: WithMerger,
  { query, condition }: { query: AlertQuery; condition: DurabilityCondition },
  nowMs: number,
): Promise<Sample[]> {
  const reporting = await selectSeries(platform.metrics, { ...query, nodeIds: undefined });
  const real = reporting.filter(({ node }) => !node.isSimulated);
  const vaults = new Set(real.flatMap(({ labels }) => labels.vault ?? []));
  const judged = await judgeOnce(platform, [...vaults].toSorted(), nowMs);
  return judged.flatMap(({ vault, nines, spareShare, sentence, reportedAt, podCount }): Sample[] => {
    // Only an interval entirely below the target breaches it; one that includes the target is inconclusive.
    const value = condition.figure === "nines" ? (nines?.high ?? null) : spareShare;
    if (value === null || reportedAt === null) return [];
    const evidence = { statistic: "modelled" as const, sampleCount: podCount ?? 0, sentence };
    return [
      { group: JSON.stringify([vault]), labels: { vault }, value, evidence, atMs: reportedAt.getTime() },
    ];
  });
}

/**
 * Time for which rules share a reading: shorter than the interval between two evaluations of a rule, so that each uses
 * a new one.
 */
const KEPT_MS = 2_000;

interface Kept {
  readonly key: string;
  readonly madeMs: number;
  readonly judged: Promise<VaultDurability[]>;
}

const keptByClient = new WeakMap<MetricClient, Kept>();

/** Judges the vaults once for all rules on durability, which are evaluated one after another. */
function judgeOnce(
  platform: WithMerger,
  vaults: readonly string[],
  nowMs: number,
): Promise<VaultDurability[]> {
  const kept = keptByClient.get(platform.metrics);
  const key = JSON.stringify(vaults);
  if (kept?.key === key && Math.abs(nowMs - kept.madeMs) < KEPT_MS) return kept.judged;
  const judged = judgeVaults(platform, vaults, nowMs);
  keptByClient.set(platform.metrics, { key, madeMs: nowMs, judged });
  judged.catch(() => keptByClient.delete(platform.metrics));
  return judged;
}
