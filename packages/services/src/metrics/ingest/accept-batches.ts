/**
 * Stores batches of agents in the metric store: all of them in one transaction, or none. A batch may arrive any number
 * of times, over several processes at once. All of them write the tables in the same order and the rows of each in the
 * order of its key, so that no two deadlock.
 */
import { SAMPLE_AHEAD_MS_MAX } from "@stashlight/contracts/metrics";
import {
  arrangeSamples,
  BUCKET_MS,
  copyHistograms,
  copySamples,
  countRefused,
  emptyHistogramColumns,
  insertGaps,
  insertHistograms,
  insertSamples,
  inTransaction,
  type MetricClient,
  markDue,
  noteBatches,
  RETENTION_MS,
  type RefusedItems,
  type SampleRow,
  type SeenBatch,
  updateNodeStates,
} from "@stashlight/db/metrics";
import { type DecodedBatch, type ItemRefusal, packedQuantiles } from "@stashlight/telemetry";
import { asUnavailable } from "../../database-unavailable.ts";
import { countRefusedItems } from "../../node/reporting/note-refused.ts";
import { present } from "../../present.ts";
import { thrownCode } from "../../thrown.ts";
import type { Remark } from "./fit.ts";
import { knownIds } from "./known-ids.ts";
import { SPAN_MS_MAX, windowMoment } from "./moment.ts";
import { type KnownWindow, knownWindows } from "./windows.ts";

export interface ReceivedBatch {
  /** Id of the node's row. */
  readonly nodeId: string;
  readonly isSimulated: boolean;
  readonly batch: DecodedBatch;
  /** Values that `decodeBatch` left out of it; counted with it. */
  readonly refusals?: readonly ItemRefusal[];
}

export interface AcceptBatchesOptions {
  readonly client: MetricClient;
  readonly batches: readonly ReceivedBatch[];
  readonly nowMs: number;
}

/** A unique violation, and the code with which Citus reports any error of a worker during a COPY. */
const COPY_REFUSALS: readonly (string | undefined)[] = ["23505", "XX000"];

/** Longer windows mean that the agent was stopped, not how often it measures. */
const USUAL_WINDOW_MS_MAX = 30_000;
const PERCENTILES = [500_000, 990_000, 999_000];

interface Resolved extends ReceivedBatch, SeenBatch, KnownWindow {
  readonly received: ReceivedBatch;
}

/**
 * Rejects with `unavailable` when nothing could be stored and the sender should retry the same batches. Windows with an
 * impossible time are dropped and counted; the gaps that their batches report are kept. Resolves to what was not stored
 * as sent, for each batch, in addition to its own refusals.
 */
export async function acceptBatches({
  client,
  batches,
  nowMs,
}: AcceptBatchesOptions): Promise<(readonly Remark[])[]> {
  const kept: ReceivedBatch[] = [];
  const refused: RefusedItems[] = [];
  const remarksOf = new Map<ReceivedBatch, readonly Remark[]>();
  for (const received of batches) {
    const reason = refusalOfTime(received.batch.window.endMs, nowMs);
    if (reason === null) kept.push(received);
    else {
      remarksOf.set(received, [{ metric: "", reason, count: countValues(received) }]);
      refused.push({ nodeId: received.nodeId, metric: "", reason, count: 1 }, ...refusedItems(received));
    }
  }
  try {
    const resolved = await resolve(client, kept, nowMs);
    for (const { received, remarks } of resolved) remarksOf.set(received, remarks);
    const store = (isCopied: boolean) =>
      inTransaction(client, async (connection) => {
        const fresh = await noteBatches(connection, resolved);
        const histograms = histogramRows(fresh);
        const samples = fresh.flatMap(toSampleRows);
        if (isCopied) {
          await copyHistograms(connection, histograms.rows, histograms.spans);
          await copySamples(connection, samples);
        } else {
          await insertHistograms(connection, histograms.rows, histograms.spans);
          await insertSamples(connection, samples);
        }
        await insertGaps(
          connection,
          batches.flatMap(({ nodeId, batch }) => batch.gaps.map((gap) => ({ nodeId, ...gap }))),
        );
        // Marks repeated batches again: on Citus a crash may keep their rows but lose the mark, which is on another
        // machine, and an agent without an answer always sends them again.
        await markDue(connection, 1, resolved.map(rollUpMark));
        await countRefused(connection, [...refused, ...fresh.flatMap(refusedItems)], nowMs);
        if (fresh.length > 0) await updateNodeStates(connection, fresh.map(nodeState));
      });
    // A restarted node may report a moment that it reported before; the first report is kept.
    await store(true).catch((error: unknown) => {
      if (!COPY_REFUSALS.includes(thrownCode(error))) throw error;
      return store(false);
    });
    knownIds(client).ofNodes.forgetSome();
    return batches.map((received) => remarksOf.get(received) ?? []);
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Returns the reason why a window or point that ends at this time is not stored; null if it is. */
export function refusalOfTime(endMs: number, nowMs: number): "from_the_future" | "too_old" | null {
  if (endMs > nowMs + SAMPLE_AHEAD_MS_MAX) return "from_the_future";
  return endMs <= nowMs - RETENTION_MS.raw ? "too_old" : null;
}

const countValues = ({ batch: { window } }: ReceivedBatch): number =>
  window.histograms.length + window.gauges.length + window.counters.length;

const refusedItems = ({
  nodeId,
  refusals = [],
  remarks = [],
}: ReceivedBatch & { readonly remarks?: readonly Remark[] }): RefusedItems[] => [
  ...countRefusedItems(nodeId, refusals),
  ...remarks.map((remark) => ({ nodeId, ...remark })),
];

async function resolve(
  client: MetricClient,
  batches: readonly ReceivedBatch[],
  nowMs: number,
): Promise<Resolved[]> {
  const windows = await knownWindows(
    client,
    batches.map(({ nodeId, batch: { window } }) => ({ nodeId, window })),
    nowMs,
  );
  return batches
    .map((received, i) => ({
      received,
      ...received,
      ...present(windows[i]),
      tsMs: received.batch.window.endMs,
      bootId: received.batch.bootId,
      sequence: received.batch.sequence,
    }))
    .sort(byKey);
}

/** The order of batch_seen's key. */
const byKey = (a: SeenBatch, b: SeenBatch): number =>
  a.nodeId < b.nodeId
    ? -1
    : a.nodeId > b.nodeId
      ? 1
      : a.tsMs - b.tsMs || a.bootId - b.bootId || a.sequence - b.sequence;

const windowSpanMs = ({ batch: { window } }: ReceivedBatch): number =>
  Math.min(SPAN_MS_MAX, window.endMs - window.startMs);

function histogramRows(batches: readonly Resolved[]) {
  const rows = emptyHistogramColumns();
  const spans: number[] = [];
  for (const received of batches) {
    const { histograms } = received.window;
    for (let i = 0; i < histograms.length; i += 1) {
      const { histogram } = present(histograms[i]);
      const [p50, p99, p999] = packedQuantiles(histogram, PERCENTILES);
      rows.nodeIds.push(received.nodeId);
      rows.seriesIds.push(present(received.histogramIds[i]));
      rows.tsMs.push(received.tsMs);
      rows.n.push(histogram.count);
      rows.sum.push(histogram.sum);
      rows.min.push(histogram.min);
      rows.max.push(histogram.max);
      rows.p50.push(present(p50));
      rows.p99.push(present(p99));
      rows.p999.push(present(p999));
      rows.buckets.push(histogram.buckets);
      spans.push(windowSpanMs(received));
    }
  }
  return { rows, spans };
}

/** A window without a gauge or counter has no row. */
function toSampleRows(received: Resolved): SampleRow[] {
  const { nodeId, sampleRows, tsMs, window } = received;
  const samples: number[] = [];
  for (const { value } of window.gauges) samples.push(value);
  for (const { increase } of window.counters) samples.push(increase);
  if (samples.length === 0) return [];
  const spanMs = windowSpanMs(received);
  return sampleRows.map(({ layoutId, order }) => ({
    nodeId,
    layoutId,
    tsMs,
    spanMs,
    ...arrangeSamples(order, samples),
  }));
}

const rollUpMark = (received: Resolved) => ({
  nodeId: received.nodeId,
  tsMs: Math.ceil(windowMoment(received.tsMs, windowSpanMs(received)) / BUCKET_MS["1m"]) * BUCKET_MS["1m"],
});

function nodeState({ nodeId, isSimulated, tsMs, batch: { window } }: Resolved) {
  const windowMs = Math.round((window.endMs - window.startMs) / 1000) * 1000;
  return {
    nodeId,
    isSimulated,
    newestMs: tsMs,
    windowMs: windowMs <= USUAL_WINDOW_MS_MAX ? windowMs : 0,
  };
}
