import type { ChartTone } from "@stashlight/ui/chart";
import type { LineSpec } from "../../../client/metrics/to-chart.ts";

/** Draws the maximum too: no percentile shows a single stall among few samples. */
export const percentileLines = (tone: ChartTone): LineSpec[] => [
  { column: "p50", label: "p50", tone, weight: "light" },
  { column: "p90", label: "p90", tone, weight: "medium" },
  { column: "p99", label: "p99", tone },
  { column: "max", label: "slowest", tone, weight: "dotted" },
];
