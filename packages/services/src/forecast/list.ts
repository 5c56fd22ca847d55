/** When the pods and the stash of each vault are full; in a place, of its drives alone. */
import type { ForecastListInput, ForecastStore } from "@stashlight/contracts/forecast";
import type { Forecast } from "@stashlight/stats/forecast";
import { requireRole, type Verb } from "../context.ts";
import type { BaseWithMerger, WithMerger } from "../metrics/query/merger.ts";
import { type ForecastQuestion, readForecasts } from "./read-forecasts.ts";

interface VaultForecast {
  readonly vault: string;
  readonly store: ForecastStore;
  readonly forecast: Forecast;
  /** The share of the capacity that is taken; null without a capacity. */
  readonly share: number | null;
}

const metrics = {
  pods: { metric: "stashlight_pod_taken_bytes", capacityMetric: "stashlight_pod_usable_bytes" },
  stash: { metric: "stashlight_stash_live_bytes", capacityMetric: "stashlight_stash_capacity_bytes" },
} as const satisfies Record<ForecastStore, Pick<ForecastQuestion, "metric" | "capacityMetric">>;

export async function listForecasts({
  ctx,
  input,
}: Verb<ForecastListInput, WithMerger>): Promise<VaultForecast[]> {
  requireRole(ctx, "viewer");
  return readVaultForecasts(ctx.platform, input, ctx.platform.now().getTime());
}

export async function readVaultForecasts(
  platform: BaseWithMerger,
  { nodeIds, where }: ForecastListInput,
  nowMs: number,
): Promise<VaultForecast[]> {
  const ofStores = await Promise.all(
    (["pods", "stash"] as const).map(async (store) => {
      const question: ForecastQuestion = {
        ...{ ...metrics[store], nodeIds, where, groupBy: ["vault"], across: "sum" },
        leavesOutSimulated: false,
      };
      const found = await readForecasts(platform, question, nowMs);
      return found.map(({ labels, forecast, share }) => ({
        vault: labels.vault ?? "",
        store,
        forecast,
        share,
      }));
    }),
  );
  return ofStores.flat();
}
