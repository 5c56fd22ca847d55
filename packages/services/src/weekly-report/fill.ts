/** When each vault's pods and its stash will be full. */

import type { Forecast } from "@stashlight/stats/forecast";
import { readVaultForecasts } from "../forecast/list.ts";
import type { BaseWithMerger } from "../metrics/query/merger.ts";

export interface Fill {
  readonly name: string;
  /** Null where no capacity was reported. */
  readonly share: number | null;
  readonly forecast: Forecast;
}

const storeWords = { pods: "Pods", stash: "Stash" } as const;

/** The forecasts of now, so that the letter says what pages say when it arrives; `vaults` absent means all. */
export async function readFills(
  platform: BaseWithMerger,
  vaults: readonly string[] | undefined,
  nowMs: number,
): Promise<Fill[]> {
  const where = vaults === undefined ? {} : { vault: [...vaults] };
  const found = await readVaultForecasts(platform, { where }, nowMs);
  return found.map(({ vault, store, share, forecast }) => ({
    ...{ name: `${storeWords[store]} of ${vault || "no vault"}`, share, forecast },
  }));
}
