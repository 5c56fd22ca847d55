/**
 * Batches of agents into the metric store: all of them in one transaction, or none. A batch may come any number of
 * times, over several processes at once. All of them write the tables in the same order and the rows of each in the
 * order of its key, so that no two wait for each other.
 */
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
import { type DecodedBatch, type ItemRefusal, quantilesOf } from "@stashlight/telemetry";
import { refusedItemsOf } from "../node/note-refused.ts";
import { asComeAgain } from "./come-again.ts";
import { knownIds } from "./ids.ts";
import { momentOf, SPAN_MS_MAX } from "./moment.ts";
import { type KnownWindow, knownWindows } from "./windows.ts";

export interface ReceivedBatch {
  /** Id of the node's row. */
  readonly nodeId: string;
  readonly isSimulated: boolean;
  readonly batch: DecodedBatch;
  /** What `decodeBatch` left out of it; counted with it. */
  readonly refusals?: readonly ItemRefusal[];
}

export interface AcceptBatchesOptions {
  readonly client: MetricClient;
  readonly batches: readonly ReceivedBatch[];
  readonly nowMs: number;
}

const UNIQUE_VIOLATION = "23505";

/** Clocks that are ahead by more than this are wrong. */
export const FUTURE_MS_MAX = 300_000;
/** Longer windows say that the agent was stopped, not how often it measures. */
const USUAL_WINDOW_MS_MAX = 30_000;
const PERCENTILES = [500_000, 990_000, 999_000];

type Resolved = ReceivedBatch & SeenBatch & KnownWindow;

/**
 * Rejects with `unavailable` when nothing could be stored and the same batches should come again. Windows of a time
 * that cannot be stored are left out and counted; the gaps that their batches tell of are kept.
 */
export async function acceptBatches({ client, batches, nowMs }: AcceptBatchesOptions): Promise<void> {
  const refused = batches.flatMap((received) => {
    const refusal = refusalOf(received, nowMs);
    return refusal === null ? [] : [refusal, ...refusedItems(received)];
  });
  const kept = batches.filter((received) => refusalOf(received, nowMs) === null);
  try {
    const resolved = await resolve(client, kept);
    const store = (isCopied: boolean) =>
      inTransaction(client, async (connection) => {
        const fresh = await noteBatches(connection, resolved);
        const histograms = histogramRows(fresh);
        const samples = fresh.flatMap(sampleRows);
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
        await markDue(connection, 1, fresh.map(markOf));
        await countRefused(connection, [...refused, ...fresh.flatMap(refusedItems)], nowMs);
        if (fresh.length > 0) await updateNodeStates(connection, fresh.map(stateOf));
      });
    // A node that started again may tell of a moment of which it told before: then the first to come is kept.
    await store(true).catch((error: unknown) => {
      if ((error as { code?: unknown } | null)?.code !== UNIQUE_VIOLATION) throw error;
      return store(false);
    });
    knownIds(client).forgetSome();
  } catch (error) {
    throw asComeAgain(error);
  }
}

function refusalOf({ nodeId, batch: { window } }: ReceivedBatch, nowMs: number): RefusedItems | null {
  const reason =
    window.endMs > nowMs + FUTURE_MS_MAX
      ? "from_the_future"
      : window.endMs <= nowMs - RETENTION_MS.raw
        ? "too_old"
        : null;
  return reason === null ? null : { nodeId, metric: "", reason, count: 1 };
}

const refusedItems = ({ nodeId, refusals = [] }: ReceivedBatch): RefusedItems[] =>
  refusedItemsOf(nodeId, refusals);

async function resolve(client: MetricClient, batches: readonly ReceivedBatch[]): Promise<Resolved[]> {
  const windows = await knownWindows(
    client,
    batches.map(({ nodeId, batch: { window } }) => ({ nodeId, window })),
  );
  return batches
    .map((received, i) => ({
      ...received,
      ...(windows[i] as KnownWindow),
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

const spanOf = ({ batch: { window } }: ReceivedBatch): number =>
  Math.min(SPAN_MS_MAX, window.endMs - window.startMs);

function histogramRows(batches: readonly Resolved[]) {
  const rows = emptyHistogramColumns();
  const spans: number[] = [];
  for (const received of batches) {
    const { histograms } = received.batch.window;
    for (let i = 0; i < histograms.length; i += 1) {
      const { histogram } = histograms[i] as (typeof histograms)[number];
      const [p50, p99, p999] = quantilesOf(histogram, PERCENTILES) as [number, number, number];
      rows.nodeIds.push(received.nodeId);
      rows.seriesIds.push(received.histogramIds[i] as number);
      rows.tsMs.push(received.tsMs);
      rows.n.push(histogram.count);
      rows.sum.push(histogram.sum);
      rows.min.push(histogram.min);
      rows.max.push(histogram.max);
      rows.p50.push(p50);
      rows.p99.push(p99);
      rows.p999.push(p999);
      rows.buckets.push(histogram.buckets);
      spans.push(spanOf(received));
    }
  }
  return { rows, spans };
}

/** A window without a gauge or counter has no row. */
function sampleRows(received: Resolved): SampleRow[] {
  const { nodeId, layoutId, order, tsMs, batch } = received;
  const { gauges, counters } = batch.window;
  const samples: number[] = [];
  for (const { value } of gauges) samples.push(value);
  for (const { increase } of counters) samples.push(increase);
  if (samples.length === 0) return [];
  return [{ nodeId, layoutId, tsMs, spanMs: spanOf(received), ...arrangeSamples(order, samples) }];
}

const markOf = (received: Resolved) => ({
  nodeId: received.nodeId,
  tsMs: Math.ceil(momentOf(received.tsMs, spanOf(received)) / BUCKET_MS["1m"]) * BUCKET_MS["1m"],
});

function stateOf({ nodeId, isSimulated, tsMs, batch: { window } }: Resolved) {
  const windowMs = Math.round((window.endMs - window.startMs) / 1000) * 1000;
  return {
    nodeId,
    isSimulated,
    newestMs: tsMs,
    windowMs: windowMs <= USUAL_WINDOW_MS_MAX ? windowMs : 0,
  };
}
