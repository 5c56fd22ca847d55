/** What the occupancy of a stash is drawn and judged from; the same on every page that shows it. */

import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { type ChartThreshold, formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";

/** Every question that `readOccupancy` needs the answer to. */
export function occupancySources(scope: Pick<LinesSource, "where" | "nodeIds"> = {}): LinesSource[] {
  return [
    {
      ...scope,
      metric: "stashlight_stash_used_bytes",
      lines: [{ column: "avg", label: "used", tone: "stash", hasBand: true }],
    },
    {
      ...scope,
      metric: "stashlight_stash_live_bytes",
      lines: [{ column: "avg", label: "live", tone: "stash", weight: "light" }],
    },
    {
      ...scope,
      metric: "stashlight_stash_dead_bytes",
      lines: [{ column: "avg", label: "dead", tone: "unknown", weight: "dotted" }],
    },
    { ...scope, metric: "stashlight_stash_capacity_bytes", lines: [] },
  ];
}

/** A line beside a figure needs no more; each vault has as many. */
export const TREND_POINT_COUNT = 60;

/** A line for each of a few vaults, as their sum would hide the one that fills up. */
export function occupancyByVault(vaults: readonly string[]): LinesSource[] {
  return [
    {
      metric: "stashlight_stash_used_bytes",
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

export interface Occupancy {
  readonly usedBytes: number | null;
  readonly capacityBytes: number | null;
  /** The end of the newest window of the used bytes. */
  readonly untilMs: number | undefined;
}

export function readOccupancy(answers: readonly MetricAnswer[]): Occupancy {
  const used = lastPoint(answerTo(answers, "stashlight_stash_used_bytes")?.series[0]);
  return {
    usedBytes: used?.value ?? null,
    untilMs: used?.untilMs,
    capacityBytes: capacityOf(answers),
  };
}

/** The newest value of a gauge, and the end of the window that told it. */
export function lastPoint(series: MetricSeries | undefined): { value: number; untilMs: number } | null {
  const value = series?.columns.kind === "gauge" ? series.columns.last.at(-1) : undefined;
  const untilMs = series?.endMs.at(-1);
  return value === undefined || untilMs === undefined ? null : { value, untilMs };
}

/** The newest value of a gauge of one series. */
const lastOf = (answer: MetricAnswer | undefined): number | null =>
  lastPoint(answer?.series[0])?.value ?? null;

/** Below this share of the capacity its line would only press the others flat; shares stand on the axis anyway. */
const CAPACITY_SHOWN_FROM = 0.4;

export const capacityOf = (answers: readonly MetricAnswer[]): number | null =>
  lastOf(answerTo(answers, "stashlight_stash_capacity_bytes"));

export function capacityThreshold(answers: readonly MetricAnswer[]): ChartThreshold[] {
  const capacityBytes = capacityOf(answers);
  const columns = answerTo(answers, "stashlight_stash_used_bytes")?.series[0]?.columns;
  const most = columns?.kind === "gauge" ? Math.max(0, ...columns.max) : 0;
  if (capacityBytes === null || most < CAPACITY_SHOWN_FROM * capacityBytes) return [];
  const { value, unit } = formatQuantity("bytes", capacityBytes);
  return [{ value: capacityBytes, label: `capacity ${value} ${unit}`, tone: "bad" }];
}
