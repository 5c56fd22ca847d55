/** Reads the newest values of gauges that real agents reported in the last minute. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { MetricQuery, SeriesLabel } from "@stashlight/contracts/metrics/query";
import { MINUTE_MS } from "@stashlight/contracts/time";
import type { BaseWithMerger } from "../metrics/query/merger.ts";
import { groupSeries, mergeGroups } from "../metrics/query/query.ts";
import { newestWindowMs, selectSeries } from "../metrics/query/select.ts";
import { present } from "../present.ts";

export interface AskedLevel {
  readonly metric: MetricName;
  readonly groupBy: readonly SeriesLabel[];
  readonly across: "min" | "max";
  readonly where?: MetricQuery["where"];
}

export interface Level {
  readonly labels: Readonly<Partial<Record<string, string>>>;
  readonly value: number;
  readonly atMs: number;
}

/** Age up to which a window counts; agents send one every few seconds. */
const WINDOW_MS = MINUTE_MS;

export async function readNewestLevels(
  platform: BaseWithMerger,
  { metric, groupBy, across, where = {} }: AskedLevel,
  vaults: readonly string[],
  nowMs: number,
): Promise<Level[]> {
  const question = { metric, where: { ...where, vault: [...vaults] }, nodeIds: undefined };
  const series = await selectSeries(platform.metrics, question);
  const groups = groupSeries(
    series.filter(({ node }) => !node.isSimulated),
    [...groupBy],
  );
  const plan = {
    resolution: "raw",
    stepMs: WINDOW_MS,
    endMs: nowMs,
    readToMs: nowMs,
    pointCount: 1,
  } as const;
  const merged = await mergeGroups(platform, { metric, across }, groups, {
    ...plan,
    startMs: nowMs - WINDOW_MS,
  });
  return groups.flatMap(({ labels, series: members }, at): Level[] => {
    const points = present(merged[at]);
    const value = points.columns.kind === "gauge" ? points.columns.last.at(-1) : undefined;
    return value === undefined
      ? []
      : [{ labels: { ...labels }, value, atMs: newestWindowMs(members, nowMs, points) }];
  });
}
