import { readSamples } from "../alert/sample.ts";
import type { BaseWithMerger } from "../metrics/query/merger.ts";

/** The newest windows of a vault's nodes, which arrive every few seconds. */
const windowSeconds = 60;

/** The share of its pods' usable bytes that is taken; null while they do not report. */
export async function readVaultFullness(platform: BaseWithMerger, vault: string): Promise<number | null> {
  const [sample] = await readSamples(
    platform,
    {
      query: { metric: "stashlight_pod_taken_bytes", where: { vault: [vault] }, groupBy: [], across: "sum" },
      condition: {
        kind: "threshold",
        statistic: "last",
        shareOf: "stashlight_pod_usable_bytes",
        comparison: "above",
        threshold: 0,
        windowSeconds,
      },
    },
    platform.now().getTime(),
  );
  return sample?.value ?? null;
}
