/** Terms of a rule on drives that are slower than their peers; without a schema, so that pages load them alone. */

/** Metric that the rule evaluates; a drive without it is not judged. */
export const peersMetric = "stashlight_shard_written_bytes_total";
/** Window of hours in which slow hours are counted. */
export const PEER_HOURS = 48;
