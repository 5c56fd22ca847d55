/** Yields the rows of a fleet's history in lots, one per transaction. */
import {
  arrangeSamples,
  emptyHistogramColumns,
  type Resolution,
  type SampleBucket,
  type SampleRow,
} from "@stashlight/db/metrics";
import { resolutionSpanMs, WINDOW_MS } from "./depths.ts";
import type { Member } from "./history-members.ts";
import { isSilent } from "./node-life.ts";
import { type FleetWindow, fleetWindow } from "./window.ts";

const ROWS_AT_ONCE = 20_000;

interface Lot {
  readonly histograms: ReturnType<typeof emptyHistogramColumns>;
  readonly spans: number[];
  readonly samples: SampleRow[];
  readonly buckets: SampleBucket[];
}

const emptyLot = (): Lot => ({ histograms: emptyHistogramColumns(), spans: [], samples: [], buckets: [] });

/** Yields rows in order of time, and rows of the same time in the order of the members. */
export function* splitLots(
  members: readonly Member[],
  resolution: Resolution,
  firstMs: number,
  lastMs: number,
): Generator<Lot> {
  const spanMs = resolutionSpanMs(resolution);
  let lot = emptyLot();
  for (let tsMs = firstMs; tsMs <= lastMs; tsMs += spanMs) {
    for (const member of members) {
      if (spanMs <= 60_000 && isSilent(member.node, tsMs)) continue;
      add(lot, member, fleetWindow(member.node, member.measures, tsMs, spanMs), tsMs, resolution);
      if (lot.histograms.nodeIds.length < ROWS_AT_ONCE) continue;
      yield lot;
      lot = emptyLot();
    }
  }
  yield lot;
}

function add(lot: Lot, member: Member, window: FleetWindow, tsMs: number, resolution: Resolution): void {
  const { nodeId, layoutId, histogramIds, order } = member;
  const { histograms, spans } = lot;
  const spanMs = resolutionSpanMs(resolution);
  for (const [i, drawn] of window.histograms.entries()) {
    if (drawn === undefined) continue;
    const { packed, quantiles } = drawn;
    histograms.nodeIds.push(nodeId);
    histograms.seriesIds.push(histogramIds[i] as number);
    histograms.tsMs.push(tsMs);
    histograms.n.push(packed.count);
    histograms.sum.push(packed.sum);
    histograms.min.push(packed.min);
    histograms.max.push(packed.max);
    histograms.p50.push(quantiles[0]);
    histograms.p99.push(quantiles[1]);
    histograms.p999.push(quantiles[2]);
    histograms.buckets.push(packed.buckets);
    spans.push(spanMs);
  }
  const samples = [...window.gauges, ...window.increases];
  if (resolution === "raw") {
    lot.samples.push({ nodeId, layoutId, tsMs, spanMs, ...arrangeSamples(order, samples) });
    return;
  }
  const ordered = order.all.map((index) => samples[index] as number);
  const gaugeCount = window.gauges.length;
  lot.buckets.push({
    nodeId,
    layoutId,
    tsMs,
    gauges: toGaugeColumns(ordered.slice(0, gaugeCount), spanMs / WINDOW_MS),
    increases: ordered.slice(gaugeCount),
  });
}

/** Uses the level at the middle of a bucket for every window in it. */
const toGaugeColumns = (levels: readonly number[], count: number): SampleBucket["gauges"] => ({
  counts: levels.map(() => count),
  sums: levels.map((level) => level * count),
  mins: levels,
  maxs: levels,
  lasts: levels,
});
