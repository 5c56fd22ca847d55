import { vaultSpace } from "@stashlight/contracts/space";
import { readSamples } from "../alert/sample.ts";
import type { BaseWithMerger } from "../metrics/query/merger.ts";

/** Covers the newest windows of a vault's nodes, which arrive every few seconds. */
const windowSeconds = 60;

/** Returns the used share of a vault's capacity for objects; null while its coordinators do not report. */
export async function readVaultFill(platform: BaseWithMerger, vault: string): Promise<number | null> {
  const [sample] = await readSamples(
    platform,
    {
      query: { metric: vaultSpace.taken, where: { vault: [vault] }, groupBy: [], across: "max" },
      condition: {
        kind: "threshold",
        statistic: "last",
        shareOf: vaultSpace.capacity,
        comparison: "above",
        threshold: 0,
        windowSeconds,
      },
    },
    platform.now().getTime(),
  );
  return sample?.value ?? null;
}
