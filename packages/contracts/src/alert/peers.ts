/** Terms of a rule on drives that are slower than their peers; without a schema, so that pages load them alone. */

/** Metric behind such a rule: a drive without it is not judged. */
export const peersMetric = "stashlight_shard_written_bytes_total";
/** Hours of which the slow ones are counted. */
export const PEER_HOURS = 48;
