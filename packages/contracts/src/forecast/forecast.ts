/** Queries for when vaults' stores will be full and drives worn out; times in the answer are the forecast's own. */
import { z } from "zod";
import { seriesLabel } from "../metrics/query/query.ts";
import { vaultCountMax } from "../vault/vault.ts";

export const forecastListInput = z.object({
  /** All nodes if absent. */
  nodeIds: z.array(z.uuid()).min(1).max(10_000).optional(),
  where: z.partialRecord(seriesLabel, z.array(z.string().max(200)).min(1).max(vaultCountMax)).default({}),
});
export type ForecastListInput = z.output<typeof forecastListInput>;

/** Pods of a vault, or its stash. */
export type ForecastStore = "pods" | "stash";

/** The drive whose wear is forecast. */
export const wearForecastInput = z.object({
  nodeId: z.uuid("There is no such node."),
  device: z.string().max(200),
});
export type WearForecastInput = z.output<typeof wearForecastInput>;

export interface WearForecast {
  /** When the drive is worn out, with the interval, or the reason why there is no forecast. */
  sentence: string;
}
