/** What the occupancy of a stash is drawn and judged from; the same on every page that shows it. */

import type { MetricAnswer, MetricSeries } from "@stashlight/contracts/metrics/query";
import { DAY_SECONDS } from "@stashlight/contracts/time/duration";
import { type TimeToFull, timeToFull } from "@stashlight/contracts/vault/time-to-full";
import { bandInWords, type FillBand, fillBand } from "@stashlight/planner/fill-band";
import { chosenTimeZone } from "@stashlight/ui";
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

/** A trend needs no more; each vault has so many. */
export const GROWTH_POINT_COUNT = 60;

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
  readonly timeToFull: TimeToFull;
  readonly band: FillBand | null;
  /** The end of the newest window of the used bytes. */
  readonly untilMs: number | undefined;
}

export function readOccupancy(answers: readonly MetricAnswer[]): Occupancy {
  const live = answerTo(answers, "stashlight_stash_live_bytes")?.series[0];
  const capacityBytes = capacityOf(answers);
  const used = lastPoint(answerTo(answers, "stashlight_stash_used_bytes")?.series[0]);
  const growth = {
    endMs: live?.endMs ?? [],
    liveBytes: live?.columns.kind === "gauge" ? live.columns.avg : [],
    capacityBytes,
  };
  const told = timeToFull(growth);
  return {
    usedBytes: used?.value ?? null,
    untilMs: used?.untilMs,
    capacityBytes,
    timeToFull: told,
    band: fillBand(growth, told),
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

/** What grows so slowly may as well not: some minutes of noise say nothing of next year. */
export const FAR_SECONDS = 90 * DAY_SECONDS;

/** The sooner full, the worse; nothing where that is not known. */
export function rankOfTimeToFull(told: TimeToFull): { rank?: number } {
  if (told.kind === "too-little-data") return {};
  if (told.kind === "full") return { rank: 0 };
  return { rank: told.kind === "filling" ? -told.seconds : Number.NEGATIVE_INFINITY };
}

/** "between 3 and 5 December"; nothing where it is not filling, or so far away that no day can be named. */
export function formatBand(told: TimeToFull, band: FillBand | null): string | null {
  if (told.kind !== "filling" || told.seconds > FAR_SECONDS || band === null) return null;
  return bandInWords(band, chosenTimeZone());
}

/** "in 3.2 h", "not filling", or what is missing to say it. */
export function formatTimeToFull(told: TimeToFull): {
  value: string | null;
  unit?: string;
  missing?: string;
} {
  if (told.kind === "full") return { value: "full" };
  if (told.kind === "not-filling") return { value: "not filling" };
  if (told.kind === "too-little-data") return { value: null, missing: `Too little data: ${told.reason}.` };
  return told.seconds > FAR_SECONDS ? { value: "over 90 d" } : formatQuantity("seconds", told.seconds);
}
