/** Stash occupancy for drawing and judging, the same on every page. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { type Measured, measureStash, type StashSpace } from "@stashlight/contracts/space";
import { type ChartThreshold, formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";

/** Series of a stash: unpurged shards and garbage. */
export function occupancySources(scope: Pick<LinesSource, "where" | "nodeIds"> = {}): LinesSource[] {
  return [
    {
      ...scope,
      metric: "stashlight_stash_live_bytes",
      lines: [{ column: "avg", label: "unpurged", tone: "stash", hasBand: true }],
    },
    {
      ...scope,
      metric: "stashlight_stash_dead_bytes",
      lines: [{ column: "avg", label: "garbage", tone: "unknown", weight: "dotted" }],
    },
    { ...scope, metric: "stashlight_stash_capacity_bytes", lines: [] },
  ];
}

/** Draws one line per vault for a few vaults: a sum would hide the stash that fills up. */
export function occupancyByVault(vaults: readonly string[]): LinesSource[] {
  return [
    {
      metric: "stashlight_stash_live_bytes",
      groupBy: ["vault"],
      lines: ({ labels: { vault = "–" } }) => [
        {
          column: "avg",
          label: vault,
          tone: "stash",
          weight: weights[vaults.indexOf(vault) % weights.length] ?? "strong",
        },
      ],
    },
  ];
}

const weights = ["strong", "medium", "light"] as const;

/** Stash capacity of the answers; null if part of it is unknown. */
export function readStash(answers: readonly MetricAnswer[]): StashSpace | null {
  const read = (metric: MetricName) => measuredLast(answerTo(answers, metric)?.series[0]);
  return measureStash({
    live: read("stashlight_stash_live_bytes"),
    garbage: read("stashlight_stash_dead_bytes"),
    used: read("stashlight_stash_used_bytes"),
    capacity: read("stashlight_stash_capacity_bytes"),
  });
}

export function measuredLast(series: MetricSeries | undefined): Measured | null {
  const last = lastPoint(series);
  return last === null ? null : { bytes: last.value, atMs: last.untilMs };
}

/** Newest value of a gauge, and the end of the window that reported it. */
export function lastPoint(series: MetricSeries | undefined): { value: number; untilMs: number } | null {
  const value = series?.columns.kind === "gauge" ? series.columns.last.at(-1) : undefined;
  const untilMs = series?.endMs.at(-1);
  return value === undefined || untilMs === undefined ? null : { value, untilMs };
}

/** Newest value of a single-series gauge. */
const lastValue = (answer: MetricAnswer | undefined): number | null =>
  lastPoint(answer?.series[0])?.value ?? null;

/**
 * Draws the capacity only once the values reach this share of it; a distant line would flatten them, and the axis shows
 * shares anyway.
 */
const CAPACITY_SHOWN_FROM = 0.4;

export const stashCapacity = (answers: readonly MetricAnswer[]): number | null =>
  lastValue(answerTo(answers, "stashlight_stash_capacity_bytes"));

export function capacityThreshold(answers: readonly MetricAnswer[]): ChartThreshold[] {
  const capacityBytes = stashCapacity(answers);
  const maxValue = (metric: MetricName): number => {
    const columns = answerTo(answers, metric)?.series[0]?.columns;
    return columns?.kind === "gauge" ? Math.max(0, ...columns.max) : 0;
  };
  const most = Math.max(maxValue("stashlight_stash_live_bytes"), maxValue("stashlight_stash_dead_bytes"));
  if (capacityBytes === null || most < CAPACITY_SHOWN_FROM * capacityBytes) return [];
  const { value, unit } = formatQuantity("bytes", capacityBytes);
  return [{ value: capacityBytes, label: `capacity ${value} ${unit}`, tone: "bad" }];
}
