/**
 * Fills in the history of a fleet for the days before it existed: windows of the last hours, and the buckets that the
 * roll-up would have made of older ones, each drawn independently from the same distributions. Rows are written by COPY
 * in order of time, like live ones, so that they have the same order on disk.
 */
import { DAY_MS } from "@stashlight/contracts/time";
import {
  copyHistogramBuckets,
  copyHistograms,
  copySampleBuckets,
  copySamples,
  dayNumber,
  ensurePartitions,
  forgetNodes,
  insertGaps,
  inTransaction,
  type MetricClient,
  RESOLUTIONS,
  type Resolution,
  raiseWatermarks,
  rolledUpNodes,
  updateNodeStates,
} from "@stashlight/db/metrics";
import { historyDepths, resolutionSpanMs, WINDOW_MS } from "./depths.ts";
import { splitLots } from "./history-lots.ts";
import { type Member, type MemberOfFleet, nameSeries } from "./history-members.ts";
import { silenceBefore } from "./node-life.ts";
import type { FleetNode } from "./plan.ts";

/** The next lot is created while the database writes one. */
const LOTS_IN_FLIGHT = 2;
const COARSE_FIRST = RESOLUTIONS.toReversed();

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
  /** End of the history; later windows are sent live. */
  readonly endMs: number;
}

/** Fills in the history of nodes that have none yet; first removes the remains of an interrupted call. */
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
  const members = await nameSeries(client, missing, dayNumber(endMs));
  const depths = historyDepths(
    members.reduce((sum, { histogramIds }) => sum + histogramIds.length, 0),
    dayCount,
  );
  let histogramRowCount = 0;
  for (const resolution of COARSE_FIRST) {
    const rowCount = await fillResolution(client, members, resolution, endMs, depths[resolution], signal);
    histogramRowCount += rowCount;
    const hours = Math.round(depths[resolution] / 3_600_000);
    say(`Filled ${rowCount} histogram rows of ${resolution} for ${hours} h.`);
  }
  await insertGaps(
    client,
    members.flatMap(({ node, nodeId }) => makeGaps(node, nodeId, endMs, dayCount)),
  );
  await updateNodeStates(
    client,
    nodeIds.map((nodeId) => ({ nodeId, newestMs: endMs, windowMs: WINDOW_MS, isSimulated: true })),
  );
  // Written last, because it marks the history as complete.
  for (const resolution of ["1m", "10m", "1h"] as const) {
    const tsMs = Math.floor(endMs / resolutionSpanMs(resolution)) * resolutionSpanMs(resolution);
    await raiseWatermarks(
      client,
      resolution,
      nodeIds.map((nodeId) => ({ nodeId, tsMs })),
    );
  }
  return { histogramRowCount, nodeCount: members.length, endMs };
}

/**
 * Creates partitions for the past: the store creates only present and future ones, and each call covers one day and the
 * time after it.
 */
async function makePartitions(client: MetricClient, dayCount: number, endMs: number): Promise<void> {
  for (let daysAgo = dayCount; daysAgo >= 0; daysAgo -= 7) {
    await ensurePartitions(client, new Date(endMs - daysAgo * DAY_MS));
  }
  await ensurePartitions(client, new Date(endMs));
}

async function fillResolution(
  client: MetricClient,
  members: readonly Member[],
  resolution: Resolution,
  endMs: number,
  depthMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const spanMs = resolutionSpanMs(resolution);
  const lastMs = Math.floor(endMs / spanMs) * spanMs;
  let rowCount = 0;
  const lots = splitLots(members, resolution, Math.ceil((endMs - depthMs) / spanMs) * spanMs, lastMs);
  const work = async (): Promise<void> => {
    for (const lot of lots) {
      signal?.throwIfAborted();
      rowCount += lot.histograms.nodeIds.length;
      await inTransaction(client, async (connection) => {
        // Rows that a crash loses are filled in again.
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

function makeGaps(node: FleetNode, nodeId: string, endMs: number, dayCount: number) {
  const gaps = new Map<number, { nodeId: string; startMs: number; endMs: number; reason: string }>();
  for (let daysAgo = 0; daysAgo <= dayCount; daysAgo += 1) {
    const silence = silenceBefore(node, endMs - daysAgo * DAY_MS);
    if (silence === null || silence.endMs > endMs || silence.endMs < endMs - dayCount * DAY_MS) continue;
    gaps.set(silence.startMs, { nodeId, ...silence, reason: "spool_full" });
  }
  return [...gaps.values()];
}
