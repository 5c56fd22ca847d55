/** What the occupancy of a stash is drawn and judged from; the same on every page that shows it. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import type { Measured } from "@stashlight/contracts/space/fill";
import { measureStash, type StashSpace } from "@stashlight/contracts/space/stash-space";
import { type ChartThreshold, formatQuantity } from "@stashlight/ui/chart";
import { answerTo } from "../../../client/metrics/answer-to.ts";
import type { LinesSource } from "../../../client/metrics/use-wide-windows.ts";

/** Series of a stash: the unpurged shards, and the garbage apart from them. */
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

/** A line for each of a few vaults, as their sum would hide the one that fills up. */
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

/** The space of the stash that the answers are of; null where part of it is not known. */
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
  const mostOf = (metric: MetricName): number => {
    const columns = answerTo(answers, metric)?.series[0]?.columns;
    return columns?.kind === "gauge" ? Math.max(0, ...columns.max) : 0;
  };
  const most = Math.max(mostOf("stashlight_stash_live_bytes"), mostOf("stashlight_stash_dead_bytes"));
  if (capacityBytes === null || most < CAPACITY_SHOWN_FROM * capacityBytes) return [];
  const { value, unit } = formatQuantity("bytes", capacityBytes);
  return [{ value: capacityBytes, label: `capacity ${value} ${unit}`, tone: "bad" }];
}
