/** Forecasts when each vault's pods and its stash will be full. */

import type { Forecast } from "@stashlight/stats/forecast";
import { readVaultForecasts } from "../forecast/list.ts";
import type { BaseWithMerger } from "../metrics/query/merger.ts";

export interface Fill {
  readonly name: string;
  /** Null if no capacity was reported. */
  readonly share: number | null;
  readonly forecast: Forecast;
}

/** The pods' fill is the vault's fill: the used share of its capacity for objects. */
const storeWords = { pods: "Vault", stash: "Stash of" } as const;

/** Reads current forecasts, so that the e-mail agrees with the pages on arrival; without `vaults`, of all vaults. */
export async function readFills(
  platform: BaseWithMerger,
  vaults: readonly string[] | undefined,
  nowMs: number,
): Promise<Fill[]> {
  const where = vaults === undefined ? {} : { vault: [...vaults] };
  const found = await readVaultForecasts(platform, { where }, nowMs);
  return found.map(({ vault, store, share, forecast }) => ({
    name: `${storeWords[store]} ${vault || "without a name"}`,
    share,
    forecast,
  }));
}
