import { StashlightError } from "@stashlight/contracts/errors";
import { type MetricDefinition, metricCatalogue } from "@stashlight/contracts/metrics";
import type { MetricHeatmap, MetricHeatmapQuery, MetricOrigin } from "@stashlight/contracts/metrics/query";
import { upperBound } from "@stashlight/telemetry";
import { requireRole, type Verb } from "../../context.ts";
import { present } from "../../present.ts";
import { planCovered, readCovered } from "./fleets.ts";
import type { MergedHeatmap } from "./merge.ts";
import type { WithMerger } from "./merger.ts";
import { distinctNodes, readOrigin, selectSeries } from "./select.ts";

/** Maximum number of rows of a heatmap; each combines a whole number of a histogram's buckets. */
const ROW_COUNT_MAX = 48;
const BUCKETS_PER_ROW = [1, 2, 4, 8, 16, 32];

/** Counts the values of a histogram's metric by range of values, over time. */
export async function queryHeatmap({
  ctx,
  input,
}: Verb<MetricHeatmapQuery, WithMerger>): Promise<MetricHeatmap> {
  requireRole(ctx, "viewer");
  return answerHeatmap(ctx.platform, input);
}

/** Answers without a check of permissions. */
export async function answerHeatmap(platform: WithMerger, input: MetricHeatmapQuery): Promise<MetricHeatmap> {
  const { kind }: MetricDefinition = metricCatalogue[input.metric];
  if (kind !== "histogram") {
    throw new StashlightError(
      "invalid_input",
      `${input.metric} is a ${kind}; a heatmap shows the values of a histogram.`,
      { field: "metric" },
    );
  }
  const { origin, heatmap } = await readBuckets(platform, input);
  return { ...origin, ...heatmapRows(heatmap) };
}

/** Reads a histogram's metric in its stored buckets, over time. */
export async function readBuckets(
  platform: WithMerger,
  input: MetricHeatmapQuery,
): Promise<{ origin: MetricOrigin; heatmap: MergedHeatmap }> {
  const { metrics, merger, now } = platform;
  const series = await selectSeries(metrics, input);
  const { plan, covered } = await planCovered(
    metrics,
    { metric: input.metric, kind: "histogram", across: "sum" },
    [series],
    {
      fromMs: input.fromMs,
      toMs: input.toMs,
      nowMs: now().getTime(),
      pointCountMax: input.columnCountMax,
      windowMs: distinctNodes(series).reduce((most, { windowMs }) => Math.max(most, windowMs), 0),
    },
  );
  const [origin, groups] = await Promise.all([
    readOrigin(metrics, input, series, plan),
    readCovered(metrics, plan, covered),
  ]);
  const { heatmap } = await merger.merge({ ...plan, kind: "heatmap", groups });
  return { origin, heatmap: heatmap ?? { endMs: [], buckets: [] } };
}

/** Combines buckets into rows. Values that count as zero get a separate row at the bottom. */
function heatmapRows({ endMs, buckets }: MergedHeatmap): Pick<MetricHeatmap, "endMs" | "bounds" | "counts"> {
  const indexes = buckets.flatMap((column) => column.flatMap(([index]) => index ?? []));
  const hasZero = buckets.some((column) => column.some(([index]) => index === null));
  if (indexes.length === 0) {
    const bounds = hasZero ? [0, upperBound(-321)] : [];
    return { endMs, bounds, counts: buckets.map((column) => column.map(([, count]) => count)) };
  }
  const lowest = indexes.reduce((least, index) => Math.min(least, index));
  const highest = indexes.reduce((most, index) => Math.max(most, index));
  const rowSpan = (per: number): number => Math.floor(highest / per) - Math.floor(lowest / per) + 1;
  const per = BUCKETS_PER_ROW.find((each) => rowSpan(each) <= ROW_COUNT_MAX) ?? 32;
  const firstRow = Math.floor(lowest / per);
  const offset = hasZero ? 1 : 0;
  const rowCount = rowSpan(per) + offset;
  const bounds = Array.from({ length: rowSpan(per) + 1 }, (_, row) => upperBound((firstRow + row) * per - 1));
  const counts = buckets.map((column) => {
    const rows = new Array<number>(rowCount).fill(0);
    for (const [index, count] of column) {
      const row = index === null ? 0 : Math.floor(index / per) - firstRow + offset;
      rows[row] = present(rows[row]) + count;
    }
    return rows;
  });
  return { endMs, bounds: hasZero ? [0, ...bounds] : bounds, counts };
}
