/**
 * Limits on the space that one node, and all nodes together, may take in the metric store. Anyone with a node's key
 * can choose series names, so every limit will be reached one day, by a program that puts an id into a label or by an
 * attacker.
 */
import { type MetricDefinition, type MetricUnit, metricLabelValues } from "./definition.ts";

/** Label value that replaces values beyond the limit. */
export const OTHER_LABEL_VALUE = "other";

/**
 * Limit on values per label, metric and node. The largest enclosures hold 108 drives, a vault has a few dozen nodes,
 * and our own code defines the reasons and statuses.
 */
export const LABEL_VALUE_COUNT_MAX = 200;

/** Limit on series per metric and node: a stash node with 36 drives and 40 pods has 1,440 for unpurged shards. */
export const SERIES_PER_METRIC_MAX = 1_500;

/** Limit on series per node: a pod with 108 drives has about 2,500, any other agent a few hundred. */
export const SERIES_PER_NODE_MAX = 5_000;

/**
 * Limit on series of all nodes and fleets together: 10,000 nodes have about a million. This many take about 1 GB of
 * Postgres.
 */
export const SERIES_COUNT_MAX = 2_000_000;

/**
 * Limit on different sets of gauges and counters in a node's windows. An agent uses a few after each restart. A program
 * that sends only changed values soon reaches the limit, and its samples are then stored one by one.
 */
export const SAMPLE_LAYOUTS_PER_NODE_MAX = 1_000;

/** Limit on rows that record a node's refused values; further metric names are counted together. */
export const REFUSED_ROWS_PER_NODE_MAX = 200;

/** A clock that is further ahead is wrong. */
export const SAMPLE_AHEAD_MS_MAX = 300_000;

/** Limit on different timestamps in an OTLP request; each is a window: twenty minutes of ten-second windows. */
export const OTLP_MOMENT_COUNT_MAX = 120;

/** Limit on points in an OTLP request: four per series of a node. */
export const OTLP_POINT_COUNT_MAX = 4 * SERIES_PER_NODE_MAX;

const ADDABLE_UNITS: ReadonlySet<MetricUnit> = new Set(["bytes", "records", "shards", "segments", "count"]);

/** True if series of this metric can be added up. Levels in seconds, shares and states have no meaningful sum. */
export const isAddable = ({ kind, unit }: MetricDefinition): boolean =>
  kind !== "gauge" || ADDABLE_UNITS.has(unit);

/** Labels whose values are not known in advance. */
export const openLabels = ({ labels, isOfDrive }: MetricDefinition): readonly string[] => [
  ...labels.filter((label) => !Object.hasOwn(metricLabelValues, label)),
  ...(isOfDrive ? ["modelled"] : []),
];
