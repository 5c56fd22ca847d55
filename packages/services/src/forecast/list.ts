/** Forecasts when the pods and the stash of each vault will be full; within a place, for its drives only. */
import type { ForecastListInput, ForecastStore } from "@stashlight/contracts/forecast";
import { podSpace, stashSpace, vaultSpace } from "@stashlight/contracts/space";
import type { Forecast } from "@stashlight/stats/forecast";
import { requireRole, type Verb } from "../context.ts";
import type { BaseWithMerger, WithMerger } from "../metrics/query/merger.ts";
import { type ForecastQuestion, readForecasts } from "./read-forecasts.ts";

interface VaultForecast {
  readonly vault: string;
  readonly store: ForecastStore;
  readonly forecast: Forecast;
  /** Used share of the capacity; null if there is no capacity. */
  readonly share: number | null;
}

type Asked = Pick<ForecastQuestion, "metric" | "capacityMetric" | "across">;

const ofVault: Asked = { metric: vaultSpace.taken, capacityMetric: vaultSpace.capacity, across: "max" };
const ofPods: Asked = { metric: podSpace.taken, capacityMetric: podSpace.capacity, across: "sum" };
const ofStash: Asked = { metric: stashSpace.taken, capacityMetric: stashSpace.capacity, across: "sum" };

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
  const read = async (store: ForecastStore, asked: Asked): Promise<VaultForecast[]> => {
    const question = { ...asked, nodeIds, where, groupBy: ["vault"], leavesOutSimulated: false } as const;
    const found = await readForecasts(platform, question, nowMs);
    return found.map(({ labels, shownForecast, share }) => ({
      vault: labels.vault ?? "",
      store,
      forecast: shownForecast,
      share,
    }));
  };
  const [vaults, stash] = await Promise.all([read("pods", ofVault), read("stash", ofStash)]);
  // A store without a coordinator reports only pods' nodes and drives.
  const pods = vaults.length > 0 ? vaults : await read("pods", ofPods);
  return [...pods, ...stash];
}
