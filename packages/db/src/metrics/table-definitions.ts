/** The metric tables, as the migrations create them in every storage profile. */
import { RESOLUTIONS, type Resolution } from "./retention.ts";

export interface MetricTable {
  readonly name: string;
  readonly resolution: Resolution;
  /** The primary key, which contains `node_id` and `ts`. */
  readonly key: string;
}

/**
 * Raw rows hold the levels of gauges followed by the increases of counters: one row per window, because a row and its
 * key cost as much as a dozen values. A layout lists exactly the series of its windows, so every element has a value.
 */
function resolutionTables(resolution: Resolution): MetricTable[] {
  const wide = resolution === "raw" ? ["sample"] : ["gauge", "counter"];
  return [
    { name: `hist_${resolution}`, resolution, key: "node_id, series_id, ts" },
    ...wide.map((kind) => ({ name: `${kind}_${resolution}`, resolution, key: "node_id, ts, layout_id" })),
  ];
}

/** Partitioned by `ts`, which is the end of a window or bucket. */
export const metricTables: readonly MetricTable[] = [
  ...RESOLUTIONS.flatMap(resolutionTables),
  { name: "batch_seen", resolution: "raw", key: "node_id, ts, boot_id, sequence" },
];
