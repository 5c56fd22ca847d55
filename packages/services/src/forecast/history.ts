/**
 * The history that a forecast chooses from: hours of four weeks, points of ten minutes of the newest two days, and
 * minutes of the newest two hours. Its times are the forecast's own, whatever range a page shows.
 */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricQuery, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@stashlight/contracts/time";
import type { MetricClient } from "@stashlight/db/metrics";
import { forecastMarks, type HistoryPoint } from "@stashlight/stats/forecast";
import type { BaseWithMerger } from "../metrics/query/merger.ts";
import { type Group, groupSeries, readSampleRange } from "../metrics/query/query.ts";
import { type SelectedSeries, selectSeries } from "../metrics/query/select.ts";

export interface HistoryQuestion {
  readonly metric: MetricName;
  readonly where: MetricQuery["where"];
  readonly nodeIds?: readonly string[] | undefined;
  readonly groupBy: readonly SeriesLabel[];
  readonly across: MetricQuery["across"];
  readonly leavesOutSimulated: boolean;
}

export interface History {
  readonly labels: Group["labels"];
  readonly points: readonly HistoryPoint[];
  /** The newest value and the end of its window; null if nothing was reported. */
  readonly newest: { readonly value: number; readonly atMs: number } | null;
}

interface Part {
  readonly lengthMs: number;
  readonly pointCountMax: number;
}

const hours: Part = { lengthMs: forecastMarks.historyMsMax, pointCountMax: 700 };
const tens: Part = { lengthMs: 2 * DAY_MS, pointCountMax: 300 };
const minutes: Part = { lengthMs: 2 * HOUR_MS, pointCountMax: 150 };

async function selectGroups(
  metrics: MetricClient,
  { metric, where, nodeIds, groupBy, leavesOutSimulated }: HistoryQuestion,
): Promise<Group[]> {
  const found = await selectSeries(metrics, { metric, where, nodeIds: nodeIds && [...nodeIds] });
  return groupSeries(leavesOutSimulated ? found.filter(({ node }) => !node.isSimulated) : found, groupBy);
}

/** Reads the histories of a gauge up to a moment, for each group. */
export async function readHistories(
  platform: BaseWithMerger,
  question: HistoryQuestion,
  nowMs: number,
): Promise<History[]> {
  const groups = await selectGroups(platform.metrics, question);
  const parts = [
    await readHours(platform, question, groups, nowMs),
    await readPart(platform, question, groups, tens, nowMs),
    await readPart(platform, question, groups, minutes, nowMs),
  ];
  return groups.map(({ labels }, i) => {
    const [ofHours = [], ofTens = [], ofMinutes = []] = parts.map((part) => part[i] ?? []);
    const points = continued(continued(ofHours, ofTens), ofMinutes);
    const newest = points.at(-1);
    return {
      labels,
      points: points.map(({ atMs, value, peak }) => ({ atMs, value, peak })),
      newest: newest === undefined ? null : { value: newest.last, atMs: newest.atMs },
    };
  });
}

/** Reads the newest value of each group, for gauges that need no history. */
export async function readNewest(
  platform: BaseWithMerger,
  question: HistoryQuestion,
  nowMs: number,
): Promise<{ labels: Group["labels"]; value: number }[]> {
  const groups = await selectGroups(platform.metrics, question);
  const recent = await readPart(platform, question, groups, tens, nowMs);
  const isComplete = recent.every((points) => points.length > 0);
  const earlier = isComplete ? [] : await readHours(platform, question, groups, nowMs);
  return groups.flatMap(({ labels }, i) => {
    const newest = recent[i]?.at(-1) ?? earlier[i]?.at(-1);
    return newest === undefined ? [] : [{ labels, value: newest.last }];
  });
}

interface ReadPoint {
  readonly fromMs: number;
  readonly atMs: number;
  readonly value: number;
  readonly peak: number;
  readonly last: number;
}

/** Returns the coarse points up to the start of the finer ones. */
function continued(coarse: readonly ReadPoint[], fine: readonly ReadPoint[]): readonly ReadPoint[] {
  const beginMs = fine[0]?.fromMs ?? Number.POSITIVE_INFINITY;
  return [...coarse.filter(({ atMs }) => atMs <= beginMs), ...fine];
}

async function readPart(
  platform: BaseWithMerger,
  { metric, across }: HistoryQuestion,
  groups: readonly Group[],
  { lengthMs, pointCountMax }: Part,
  nowMs: number,
): Promise<ReadPoint[][]> {
  const range = { fromMs: nowMs - lengthMs, toMs: nowMs, nowMs, pointCountMax };
  const { stepMs, merged } = await readSampleRange(platform, { metric, across }, groups, range);
  return merged.map(({ endMs, columns }) => {
    if (columns.kind !== "gauge") return [];
    const { min, max, last } = columns;
    return endMs.map((each, i) => ({
      fromMs: each - stepMs,
      atMs: Math.min(each, nowMs),
      value: min[i] ?? 0,
      peak: max[i] ?? 0,
      last: last[i] ?? 0,
    }));
  });
}

/** Hours from two days ago do not change, while rules query them four times per minute. */
const CACHED_MS = 10 * MINUTE_MS;
/** Enough for two stores and a few of an operator's rules; each page of a node or drive asks a different query. */
const CACHED_COUNT_MAX = 30;

interface CachedHours {
  readonly madeMs: number;
  readonly points: Promise<ReadPoint[][]>;
}

const cacheByClient = new WeakMap<MetricClient, Map<string, CachedHours>>();

function readHours(
  platform: BaseWithMerger,
  question: HistoryQuestion,
  groups: readonly Group[],
  nowMs: number,
): Promise<ReadPoint[][]> {
  const kept = cacheByClient.get(platform.metrics) ?? new Map<string, CachedHours>();
  cacheByClient.set(platform.metrics, kept);
  const key = JSON.stringify([question, groups.map(({ labels, series }) => [labels, seriesCount(series)])]);
  const found = kept.get(key);
  if (found !== undefined && Math.abs(nowMs - found.madeMs) < CACHED_MS) return found.points;
  const points = readPart(platform, question, groups, hours, nowMs);
  kept.delete(key);
  kept.set(key, { madeMs: nowMs, points });
  const [oldest] = kept.keys();
  if (kept.size > CACHED_COUNT_MAX && oldest !== undefined) kept.delete(oldest);
  points.catch(() => kept.delete(key));
  return points;
}

const seriesCount = (series: readonly SelectedSeries[]): number => series.length;
