/** The durability of each vault as a rule's value, with the sentence that pages show. */
import type { AlertCondition, AlertQuery } from "@stashlight/contracts/alert/rule";
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
  const judged = await judgeVaults(platform, [...vaults], nowMs);
  return judged.flatMap(({ vault, nines, spareShare, sentence, reportedAt, podCount }): Sample[] => {
    // Only an interval entirely below the target is a judgement; one that includes the target is none.
    const value = condition.figure === "nines" ? (nines?.high ?? null) : spareShare;
    if (value === null || reportedAt === null) return [];
    const evidence = { statistic: "modelled" as const, sampleCount: podCount ?? 0, sentence };
    return [
      { group: JSON.stringify([vault]), labels: { vault }, value, evidence, atMs: reportedAt.getTime() },
    ];
  });
}
