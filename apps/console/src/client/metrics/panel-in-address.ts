/** Panel of an address, which may no longer fit the catalogue. */
import { isMetricName } from "@stashlight/contracts/metrics";
import { type PanelWords, panelStatisticsOf } from "@stashlight/contracts/metrics/panel";
import type { PanelParams } from "./panel-address.ts";

/** Null without a metric. */
export function wordsOfParams({ metric, stat, by, where }: PanelParams): PanelWords | null {
  if (metric === null) return null;
  const conditions: Record<string, string[]> = {};
  for (const item of where ?? []) {
    const [label = "", value = ""] = item.split(/:(.*)/s);
    conditions[label] = [...(conditions[label] ?? []), value];
  }
  const usual = isMetricName(metric) ? panelStatisticsOf(metric, by !== null)[0] : undefined;
  return { metric, where: conditions, splitBy: by, statistic: stat ?? usual ?? "" };
}
