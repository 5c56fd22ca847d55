/**
 * Fills in what a fleet would have sent in the days before it was there: windows of the last hours, and the buckets that
 * the roll-up would have made of older ones, each drawn by itself from the same distributions. Rows go in by COPY and
 * by rising time, as live ones do, so that they lie on the disk as live ones would.
 */
import {
  arrangeSamples,
  copyHistogramBuckets,
  copyHistograms,
  copySampleBuckets,
  copySamples,
  emptyHistogramColumns,
  ensurePartitions,
  forgetNodes,
  insertGaps,
  inTransaction,
  layoutIds,
  type MetricClient,
  orderSamples,
  RESOLUTIONS,
  type Resolution,
  raiseWatermarks,
  rolledUpNodes,
  type SampleBucket,
  type SampleOrder,
  type SampleRow,
  seriesIds,
  updateNodeStates,
} from "@stashlight/db/metrics";
import { type MetricDefinition, type MetricName, metricCatalogue } from "@stashlight/telemetry";
import { depthsOf, spanMsOf, WINDOW_MS } from "./depths.ts";
import type { Measures } from "./measure.ts";
import { measuresOf } from "./measures.ts";
import { isSilent, silenceBefore } from "./node-life.ts";
import type { FleetNode } from "./plan.ts";
import { type FleetWindow, windowOf } from "./window.ts";

const DAY_MS = 86_400_000;
/** Of one transaction. */
const ROWS_AT_ONCE = 20_000;
/** While the database takes one lot, the next is made. */
const LOTS_IN_FLIGHT = 2;
const COARSE_FIRST = RESOLUTIONS.toReversed();

export interface MemberOfFleet {
  readonly node: FleetNode;
  /** Of its row. */
  readonly nodeId: string;
}

export interface HistoryOptions {
  readonly client: MetricClient;
  readonly members: readonly MemberOfFleet[];
  readonly dayCount: number;
  readonly nowMs: number;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

export interface FilledHistory {
  readonly histogramRowCount: number;
  readonly nodeCount: number;
  /** Up to here; what comes later is sent. */
  readonly endMs: number;
}

interface Member extends MemberOfFleet {
  readonly measures: Measures;
  readonly histogramIds: readonly number[];
  readonly layoutId: number;
  readonly order: SampleOrder;
}

/** Of nodes that have none yet; what an interrupted call left is taken away first. */
export async function fillHistory(options: HistoryOptions): Promise<FilledHistory> {
  const { client, dayCount, nowMs, say, signal } = options;
  const endMs = Math.floor(nowMs / WINDOW_MS) * WINDOW_MS;
  const known = await rolledUpNodes(
    client,
    options.members.map(({ nodeId }) => nodeId),
  );
  const missing = options.members.filter(({ nodeId }) => !known.has(nodeId));
  if (missing.length === 0) return { histogramRowCount: 0, nodeCount: 0, endMs };
  const nodeIds = missing.map(({ nodeId }) => nodeId);
  await forgetNodes(client, nodeIds);
  await makePartitions(client, dayCount, endMs);
  const members = await nameSeries(client, missing);
  const depths = depthsOf(
    members.reduce((sum, { histogramIds }) => sum + histogramIds.length, 0),
    dayCount,
  );
  let histogramRowCount = 0;
  for (const resolution of COARSE_FIRST) {
    const rowCount = await fillResolution(client, members, resolution, endMs, depths[resolution], signal);
    histogramRowCount += rowCount;
    const hours = Math.round(depths[resolution] / 3_600_000);
    say(`Filled ${rowCount} rows of histograms of ${resolution}, of ${hours} h.`);
  }
  await insertGaps(
    client,
    members.flatMap(({ node, nodeId }) => gapsOf(node, nodeId, endMs, dayCount)),
  );
  await updateNodeStates(
    client,
    nodeIds.map((nodeId) => ({ nodeId, newestMs: endMs, windowMs: WINDOW_MS, isSimulated: true })),
  );
  // Last, because it says that all is there.
  for (const resolution of ["1m", "10m", "1h"] as const) {
    const tsMs = Math.floor(endMs / spanMsOf(resolution)) * spanMsOf(resolution);
    await raiseWatermarks(
      client,
      resolution,
      nodeIds.map((nodeId) => ({ nodeId, tsMs })),
    );
  }
  return { histogramRowCount, nodeCount: members.length, endMs };
}

/** The store makes those of now and ahead; each call here those of a past day and the time after it. */
async function makePartitions(client: MetricClient, dayCount: number, endMs: number): Promise<void> {
  for (let daysAgo = dayCount; daysAgo >= 0; daysAgo -= 7) {
    await ensurePartitions(client, new Date(endMs - daysAgo * DAY_MS));
  }
  await ensurePartitions(client, new Date(endMs));
}

async function nameSeries(client: MetricClient, missing: readonly MemberOfFleet[]): Promise<Member[]> {
  const members: Member[] = [];
  // A lot of nodes at a time bounds the parameters of a statement.
  for (let i = 0; i < missing.length; i += 50) {
    members.push(...(await nameSeriesOfSome(client, missing.slice(i, i + 50))));
  }
  return members;
}

async function nameSeriesOfSome(client: MetricClient, some: readonly MemberOfFleet[]): Promise<Member[]> {
  const named = some.map((member) => {
    const measures = measuresOf(member.node);
    const { histograms, gauges, counters } = measures;
    const unitsOf = (some: readonly { readonly metric: MetricName }[]) =>
      some.map(({ metric }) => metricCatalogue[metric].unit);
    const order = orderSamples(unitsOf(gauges), unitsOf(counters));
    return { member, measures, order, series: [...histograms, ...gauges, ...counters] };
  });
  const ids = await seriesIds(
    client,
    named.flatMap(({ member: { nodeId }, series }) =>
      series.map(({ metric, labels }) => {
        const { kind, unit }: MetricDefinition = metricCatalogue[metric];
        return { nodeId, metric, kind, unit, labels };
      }),
    ),
  );
  let taken = 0;
  const own = named.map(({ series }) => {
    taken += series.length;
    return ids.slice(taken - series.length, taken);
  });
  const layouts = await layoutIds(
    client,
    named.map(({ member: { nodeId }, measures: { histograms, gauges }, order }, i) => ({
      nodeId,
      seriesIds: order.all.map((index) => own[i]?.[histograms.length + index] as number),
      gaugeCount: gauges.length,
      narrowAfter: order.narrowAfter,
    })),
  );
  return named.map(({ member, measures, order }, i) => ({
    ...member,
    measures,
    order,
    histogramIds: (own[i] as number[]).slice(0, measures.histograms.length),
    layoutId: layouts[i] as number,
  }));
}

async function fillResolution(
  client: MetricClient,
  members: readonly Member[],
  resolution: Resolution,
  endMs: number,
  depthMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const spanMs = spanMsOf(resolution);
  const lastMs = Math.floor(endMs / spanMs) * spanMs;
  let rowCount = 0;
  const lots = lotsOf(members, resolution, Math.ceil((endMs - depthMs) / spanMs) * spanMs, lastMs);
  const work = async (): Promise<void> => {
    for (const lot of lots) {
      signal?.throwIfAborted();
      rowCount += lot.histograms.nodeIds.length;
      await inTransaction(client, async (connection) => {
        // What a crash takes of this is filled again.
        await connection.query("SET LOCAL synchronous_commit = off");
        if (resolution === "raw") {
          await copyHistograms(connection, lot.histograms, lot.spans);
          await copySamples(connection, lot.samples);
        } else {
          await copyHistogramBuckets(connection, resolution, lot.histograms);
          await copySampleBuckets(connection, resolution, lot.buckets);
        }
      });
    }
  };
  await Promise.all(Array.from({ length: LOTS_IN_FLIGHT }, work));
  return rowCount;
}

interface Lot {
  readonly histograms: ReturnType<typeof emptyHistogramColumns>;
  readonly spans: number[];
  readonly samples: SampleRow[];
  readonly buckets: SampleBucket[];
}

const emptyLot = (): Lot => ({ histograms: emptyHistogramColumns(), spans: [], samples: [], buckets: [] });

function* lotsOf(
  members: readonly Member[],
  resolution: Resolution,
  firstMs: number,
  lastMs: number,
): Generator<Lot> {
  const spanMs = spanMsOf(resolution);
  let lot = emptyLot();
  for (let tsMs = firstMs; tsMs <= lastMs; tsMs += spanMs) {
    for (const member of members) {
      if (spanMs <= 60_000 && isSilent(member.node, tsMs)) continue;
      add(lot, member, windowOf(member.node, member.measures, tsMs, spanMs), tsMs, resolution);
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
  const spanMs = spanMsOf(resolution);
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
    gauges: gaugesOf(ordered.slice(0, gaugeCount), spanMs / WINDOW_MS),
    increases: ordered.slice(gaugeCount),
  });
}

/** A level of the middle of a bucket, as its windows would have been: all of them like it. */
const gaugesOf = (levels: readonly number[], count: number): SampleBucket["gauges"] => ({
  counts: levels.map(() => count),
  sums: levels.map((level) => level * count),
  mins: levels,
  maxs: levels,
  lasts: levels,
});

function gapsOf(node: FleetNode, nodeId: string, endMs: number, dayCount: number) {
  const gaps = new Map<number, { nodeId: string; startMs: number; endMs: number; reason: string }>();
  for (let daysAgo = 0; daysAgo <= dayCount; daysAgo += 1) {
    const silence = silenceBefore(node, endMs - daysAgo * DAY_MS);
    if (silence === null || silence.endMs > endMs || silence.endMs < endMs - dayCount * DAY_MS) continue;
    gaps.set(silence.startMs, { nodeId, ...silence, reason: "spool_full" });
  }
  return [...gaps.values()];
}
