/** Figures of a vault's durability that a rule may watch; without a schema, so that pages can load only these. */

export const durabilityFigures = ["nines", "spare-parity"] as const;
export type AlertDurabilityFigure = (typeof durabilityFigures)[number];
/** Metric that a rule on durability evaluates; a vault that does not report it is not judged. */
export const durabilityMetric = "stashlight_vault_parity_shards";
