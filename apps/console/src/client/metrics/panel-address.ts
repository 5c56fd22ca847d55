/** Encodes a panel in a readable, permanent address. Kept apart from the parser, which needs the catalogue. */
import type { MetricPanel } from "@stashlight/contracts/metrics";
import { createSerializer, type inferParserType, parseAsArrayOf, parseAsString } from "nuqs";

export const panelParams = {
  metric: parseAsString,
  stat: parseAsString,
  by: parseAsString,
  /** An item "tier:stash" for each value of each label. */
  where: parseAsArrayOf(parseAsString),
};
export type PanelParams = inferParserType<typeof panelParams>;

const serialize = createSerializer(panelParams);

export const toPanelParams = ({ metric, where, splitBy, statistic }: MetricPanel): PanelParams => ({
  metric,
  stat: statistic,
  by: splitBy,
  where: Object.entries(where).flatMap(([label, values]) => values.map((value) => `${label}:${value}`)),
});

/** Explorer link to this panel, with the time and the vaults of `search`. */
export const explorerHref = (panel: MetricPanel, search = ""): string =>
  `/explorer${serialize(search === "" ? new URLSearchParams() : search, toPanelParams(panel))}`;
