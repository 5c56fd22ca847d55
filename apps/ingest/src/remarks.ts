/** Reports the values that were not stored as sent to their sender. */
import {
  LABEL_VALUE_COUNT_MAX,
  OTLP_MOMENT_COUNT_MAX,
  OTLP_POINT_COUNT_MAX,
  SAMPLE_AHEAD_MS_MAX,
  SERIES_PER_METRIC_MAX,
  SERIES_PER_NODE_MAX,
} from "@stashlight/contracts/metrics";
import type { Remark, RemarkReason } from "@stashlight/services/metrics/ingest";
import type { ItemRefusal } from "@stashlight/telemetry";

/** Number of reasons that an answer names; the values of all reasons are counted. */
const TOLD_COUNT_MAX = 10;
const METRIC_CHARACTERS_MAX = 100;

const valueBounds = `one node may have ${LABEL_VALUE_COUNT_MAX} values of a label and ${SERIES_PER_METRIC_MAX} series of a metric`;

const words: Readonly<Record<RemarkReason, string>> = {
  unknown_metric: "is not in the metric catalogue",
  wrong_kind: "has a different kind in the catalogue, or is not an exponential histogram",
  wrong_labels: "has attributes that differ from the catalogue's labels",
  wrong_temporality:
    "has the wrong temporality: counters and histograms must be delta, sums that may fall must be cumulative",
  wrong_unit: "has a unit that differs from the catalogue's",
  too_coarse: "has a bucket scale below 4",
  no_extremes: "has no sum, minimum or maximum",
  impossible_value: "has an impossible value",
  comes_twice: "occurs twice for one timestamp",
  from_the_future: `is more than ${SAMPLE_AHEAD_MS_MAX / 60_000} minutes ahead of the ingest's clock`,
  too_old: "is too old to be stored",
  too_many_moments: `exceeds the ${OTLP_MOMENT_COUNT_MAX} timestamps that one request may have`,
  too_many_points: `exceeds the ${OTLP_POINT_COUNT_MAX} points that one request may have`,
  too_many_values: `has too many label values, and its levels have no sum; ${valueBounds}`,
  too_many_series: `is a new series of a node at its limit of ${SERIES_PER_NODE_MAX} series`,
  store_full: "is a new series, and the store is full",
  counted_as_other: `has too many label values and is counted under the value "other"; ${valueBounds}`,
};

/** Up to ten reasons with the number of values for each; empty if everything was stored as sent. */
export function describeRemarks(remarks: readonly Remark[]): string {
  const counts = new Map<string, number>();
  for (const { metric, reason, count } of remarks) {
    const what = metric === "" ? "The window" : metric.slice(0, METRIC_CHARACTERS_MAX);
    const line = `${what} ${words[reason]}`;
    counts.set(line, (counts.get(line) ?? 0) + count);
  }
  const lines = [...counts].map(([line, count]) => `${line} (${count} ${count === 1 ? "value" : "values"})`);
  const more = lines.length > TOLD_COUNT_MAX ? "; and more" : "";
  return lines.slice(0, TOLD_COUNT_MAX).join("; ") + more;
}

/** Number of values that are not stored at all. */
export const rejectedCount = (remarks: readonly Remark[]): number =>
  remarks.reduce((sum, { reason, count }) => sum + (reason === "counted_as_other" ? 0 : count), 0);

export function summariseRefusals(refusals: readonly ItemRefusal[]): Remark[] {
  const counts = new Map<string, Remark>();
  for (const { metric, reason, count = 1 } of refusals) {
    const key = `${reason} ${metric}`;
    counts.set(key, { metric, reason, count: (counts.get(key)?.count ?? 0) + count });
  }
  return [...counts.values()];
}
