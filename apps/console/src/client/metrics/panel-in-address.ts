/** Parses the panel of an address, which may no longer fit the catalogue. */
import { isMetricName, panelStatistics, type StoredPanel } from "@stashlight/contracts/metrics";
import type { PanelParams } from "./panel-address.ts";

/** Null without a metric. */
export function wordsOfParams({ metric, stat, by, where }: PanelParams): StoredPanel | null {
  if (metric === null) return null;
  const conditions: Record<string, string[]> = {};
  for (const item of where ?? []) {
    const [label = "", value = ""] = item.split(/:(.*)/s);
    conditions[label] = [...(conditions[label] ?? []), value];
  }
  const usual = isMetricName(metric) ? panelStatistics(metric, by !== null)[0] : undefined;
  return { metric, where: conditions, splitBy: by, statistic: stat ?? usual ?? "" };
}
