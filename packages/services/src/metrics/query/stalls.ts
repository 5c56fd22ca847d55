import { type MetricName, tiersAlike } from "@stashlight/contracts/metrics";
import type { Stall, Stalls, StallsQuery } from "@stashlight/contracts/metrics/query";
import { findSlowWindows } from "@stashlight/db/metrics";
import { samplesNeeded } from "@stashlight/stats";
import type { Base } from "../../base.ts";
import { requireRole, type Verb } from "../../context.ts";
import { present } from "../../present.ts";
import { planRange } from "./plan.ts";
import { distinctNodes, readOrigin, selectSeries } from "./select.ts";

const metric: MetricName = "stashlight_fsync_seconds";
/**
 * Number of points of a chart, which determines the resolution; stalls are as precise as the resolution of their range.
 */
const POINT_COUNT = 400;
const MEDIAN_PER_MILLION = 500_000;

/** Finds the windows of a range in which a drive's slowest sync took longer than a threshold. */
export async function findStalls({ ctx, input }: Verb<StallsQuery>): Promise<Stalls> {
  requireRole(ctx, "viewer");
  return answerStalls(ctx.platform, input);
}

/** Answers without a check of permissions. */
export async function answerStalls({ metrics, now }: Base, input: StallsQuery): Promise<Stalls> {
  const { tier, vaults, overSeconds, order, countMax, ...range } = input;
  const where = { tier: [...tiersAlike[tier]], ...(vaults === undefined ? {} : { vault: vaults }) };
  const question = { ...range, metric, where };
  const series = await selectSeries(metrics, question);
  const plan = planRange({
    ...range,
    nowMs: now().getTime(),
    pointCountMax: POINT_COUNT,
    windowMs: Math.max(0, ...distinctNodes(series).map(({ windowMs }) => windowMs)),
    rowsPerWindow: series.length,
  });
  const [origin, { windows, totalCount }] = await Promise.all([
    readOrigin(metrics, question, series, plan),
    findSlowWindows(
      metrics,
      { resolution: plan.resolution, fromMs: plan.startMs, toMs: plan.endMs },
      series.map(({ nodeId, seriesId, node: { watermarks } }) => ({ nodeId, seriesId, watermarks })),
      { above: overSeconds, order, countMax },
    ),
  ]);
  const stalls = windows.map(({ source, endMs, spanMs, n, max, p50 }): Stall => {
    const { labels, node } = present(series[source]);
    return {
      node: node.name,
      vault: node.vault,
      device: labels.device ?? "",
      modelled: labels.modelled ?? null,
      isSimulated: node.isSimulated,
      startMs: endMs - spanMs,
      endMs,
      maxSeconds: max,
      n,
      p50Seconds: n >= samplesNeeded(MEDIAN_PER_MILLION) ? p50 : null,
    };
  });
  return { ...origin, stalls, totalCount };
}
