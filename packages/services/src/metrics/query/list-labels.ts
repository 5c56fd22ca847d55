import type { LabelValues, MetricLabelsAnswer, MetricLabelsQuery } from "@stashlight/contracts/metrics/query";
import { requireRole, type Verb } from "../../context.ts";
import { selectSeries } from "./select.ts";

/** Limit on listed values; users search for a node by part of its name, because a fleet has thousands. */
const VALUE_COUNT_MAX = 2_000;

const collator = new Intl.Collator("en", { numeric: true });

/** Lists the labels of a metric's stored series and their values, to filter or split by. */
export async function listMetricLabels({ ctx, input }: Verb<MetricLabelsQuery>): Promise<MetricLabelsAnswer> {
  requireRole(ctx, "viewer");
  const series = await selectSeries(ctx.platform.metrics, input);
  const valuesByLabel = new Map<string, Set<string>>();
  for (const { labels } of series) {
    for (const [label, value] of Object.entries(labels)) {
      const values = valuesByLabel.get(label) ?? new Set<string>();
      valuesByLabel.set(label, values.add(value));
    }
  }
  const labels: Partial<Record<string, LabelValues>> = Object.fromEntries(
    [...valuesByLabel].map(([label, found]): [string, LabelValues] => {
      const values = [...found].sort(collator.compare);
      return [
        label,
        {
          values: values.slice(0, VALUE_COUNT_MAX),
          omittedCount: Math.max(0, values.length - VALUE_COUNT_MAX),
        },
      ];
    }),
  );
  return { seriesCount: series.length, labels };
}
