/** What the live vault measured, as a scenario wants it: rates, sizes and distributions of one range. */
import type {
  LiveDistribution,
  LiveVault,
  MetricName,
  readLiveVaultInput,
  SeriesLabel,
} from "@stashlight/contracts";
import { upperBound } from "@stashlight/telemetry";
import type { z } from "zod";
import { type Context, requireRole, type Verb } from "../context.ts";
import { readBuckets } from "../metrics/heatmap.ts";
import { queryMetric } from "../metrics/query.ts";

type Range = z.output<typeof readLiveVaultInput>;
/** Absent: every node. */
type Nodes = { nodeIds?: string[] };
type Where = Partial<Record<SeriesLabel, string[]>>;

const P99_SAMPLES_MIN = 1000;
/** A message and its answer pass the network once each. */
const WAYS = 2;

export async function readLiveVault({ ctx, input }: Verb<Range>): Promise<LiveVault> {
  requireRole(ctx, "viewer");
  const nodes = await measuringNodes(ctx);
  const of = (metric: MetricName, where: Where = {}) => distributionOf(ctx, input, metric, { where, nodes });
  const [uploads, quorum, stashSync, podSync, ack, podWrite, purgeLag, bytes, stash] = await Promise.all([
    of("stashlight_upload_seconds", { path: ["stash"] }),
    of("stashlight_quorum_wait_seconds", { set: ["stash"] }),
    of("stashlight_fsync_seconds", { tier: ["stash"] }),
    of("stashlight_fsync_seconds", { tier: ["pod"] }),
    of("stashlight_shard_ack_seconds"),
    of("stashlight_shard_write_seconds", { tier: ["pod"] }),
    of("stashlight_purge_lag_seconds"),
    uploadBytes(ctx, input, nodes),
    stashDevices(ctx, input, nodes),
  ]);
  const seconds = (input.toMs - input.fromMs) / 1000;
  const messages = ack === null || podWrite === null ? null : oneWay(ack, podWrite);
  return {
    fromMs: input.fromMs,
    toMs: input.toMs,
    uploadsPerSecond: uploads === null ? null : uploads.sampleCount / seconds,
    uploadBytesMean: uploads === null || bytes === null ? null : Math.round(bytes / uploads.sampleCount),
    uploads: uploads === null ? null : measuredUploads(input, uploads),
    stashSync,
    podSync,
    stashSharedShare:
      stashSync === null || quorum === null || messages === null
        ? null
        : sharedShareOf(stashSync, at(quorum, 0.5) - WAYS * at(messages, 0.5)),
    processor: uploads === null || quorum === null ? null : beside(uploads, quorum),
    messages,
    purgeLagSeconds:
      purgeLag === null ? null : { p50: at(purgeLag, 0.5) / 1e6, sampleCount: purgeLag.sampleCount },
    ...stash,
  };
}

/** What the fleet simulator measures is not the live vault's. */
async function measuringNodes({ platform }: Context): Promise<Nodes> {
  const simulatedCount = await platform.db.node.count({ where: { isSimulated: true } });
  if (simulatedCount === 0) return {};
  const nodes = await platform.db.node.findMany({ where: { isSimulated: false }, select: { id: true } });
  return nodes.length === 0 ? {} : { nodeIds: nodes.map(({ id }) => id) };
}

/** All windows of the range as one; null when nothing was measured. */
async function distributionOf(
  ctx: Context,
  { fromMs, toMs }: Range,
  metric: MetricName,
  { where, nodes }: { where: Where; nodes: Nodes },
): Promise<LiveDistribution | null> {
  const { heatmap } = await readBuckets(ctx.platform, {
    metric,
    fromMs,
    toMs,
    where,
    columnCountMax: 20,
    ...nodes,
  });
  const counts = new Map<number, number>();
  for (const column of heatmap.buckets) {
    for (const [index, count] of column) {
      const bucket = index ?? ZERO_BUCKET;
      counts.set(bucket, (counts.get(bucket) ?? 0) + count);
    }
  }
  return fromBuckets(counts);
}

/** Below what any histogram tells apart. */
const ZERO_BUCKET = -400;
/** As many as a scenario takes, with room for those that are told twice. */
const QUANTILE_COUNT_MAX = 150;

/** By the buckets' upper bounds; of more buckets than a scenario takes, neighbours go together. */
function fromBuckets(counts: ReadonlyMap<number, number>): LiveDistribution | null {
  const buckets = [...counts].sort(([a], [b]) => a - b);
  const [lowest] = buckets;
  if (lowest === undefined) return null;
  const sampleCount = buckets.reduce((sum, [, count]) => sum + count, 0);
  const together = Math.ceil(buckets.length / QUANTILE_COUNT_MAX);
  const quantiles: (readonly [number, number])[] = [[0, upperBound(lowest[0] - 1) * 1e6]];
  let passed = 0;
  buckets.forEach(([index, count], i) => {
    passed += count;
    const isShown = (i + 1) % together === 0 || i === buckets.length - 1;
    if (isShown) quantiles.push([passed / sampleCount, upperBound(index) * 1e6]);
  });
  return { sampleCount, quantiles };
}

function at({ quantiles }: LiveDistribution, share: number): number {
  const above = quantiles.findIndex(([of]) => of >= share);
  const [highShare, highUs] = quantiles[above === -1 ? quantiles.length - 1 : above] as readonly [
    number,
    number,
  ];
  const [lowShare, lowUs] = quantiles[Math.max(0, above - 1)] as readonly [number, number];
  return highShare === lowShare
    ? highUs
    : lowUs + ((highUs - lowUs) * (share - lowShare)) / (highShare - lowShare);
}

function measuredUploads({ fromMs, toMs }: Range, uploads: LiveDistribution) {
  const { sampleCount } = uploads;
  const p99Ms = sampleCount < P99_SAMPLES_MIN ? null : at(uploads, 0.99) / 1000;
  return { fromMs, toMs, sampleCount, p50Ms: at(uploads, 0.5) / 1000, p99Ms };
}

const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1];

/** What is left of each quantile: a slow upload is taken to have waited long. */
function beside(whole: LiveDistribution, part: LiveDistribution): LiveDistribution {
  let highest = 0;
  const quantiles = SHARES.map((share) => {
    highest = Math.max(highest, at(whole, share) - at(part, share));
    return [share, highest] as const;
  });
  return { sampleCount: whole.sampleCount, quantiles };
}

/** Shards of an upload in the default scheme; the quorum spares one. */
const SHARD_COUNT = 20;
const SHARE_STEPS = 50;

/**
 * Drives that are slow independently of each other make the 19th of 20 syncs a slow one; on a shared disk all are slow
 * together, and it is one like any. The part that is shared is the one whose median fits the wait that was measured.
 */
function sharedShareOf(sync: LiveDistribution, waitUs: number): number {
  let best = { share: 0, gapUs: Number.POSITIVE_INFINITY };
  for (let step = 0; step <= SHARE_STEPS; step += 1) {
    const share = step / SHARE_STEPS;
    const gapUs = Math.abs(quorumMedianUs(sync, share) - waitUs);
    if (gapUs < best.gapUs) best = { share, gapUs };
  }
  return best.share;
}

/** No more than one of all is slower than x, given how likely each is. */
const atMostOneSlower = (p: number): number =>
  (1 - p) ** SHARD_COUNT + SHARD_COUNT * p * (1 - p) ** (SHARD_COUNT - 1);

function quorumMedianUs({ quantiles }: LiveDistribution, shared: number): number {
  const median = quantiles.find(([share]) => {
    const ownSlower = (1 - shared) * (1 - share);
    return share * atMostOneSlower(ownSlower) + (1 - share) * atMostOneSlower(shared + ownSlower) >= 0.5;
  });
  return (median ?? (quantiles.at(-1) as readonly [number, number]))[1];
}

/** Of a shard's way to its pod and back, what the pod's drive did not take: half of it each way. */
function oneWay(ack: LiveDistribution, write: LiveDistribution): LiveDistribution {
  const { sampleCount, quantiles } = beside(ack, write);
  return { sampleCount, quantiles: quantiles.map(([share, us]) => [share, us / WAYS] as const) };
}

async function uploadBytes(ctx: Context, { fromMs, toMs }: Range, nodes: Nodes): Promise<number | null> {
  const { series } = await queryMetric({
    ctx,
    input: {
      metric: "stashlight_upload_bytes_total",
      fromMs,
      toMs,
      where: { path: ["stash"] },
      groupBy: [],
      across: "sum",
      pointCountMax: 100,
      ...nodes,
    },
  });
  const columns = series[0]?.columns;
  return columns?.kind === "counter" ? columns.increase.reduce((sum, each) => sum + each, 0) : null;
}

async function stashDevices(ctx: Context, { fromMs, toMs }: Range, nodes: Nodes) {
  const input = {
    metric: "stashlight_stash_capacity_bytes",
    fromMs,
    toMs,
    where: {},
    groupBy: ["stash", "device"],
    across: "avg",
    pointCountMax: 20,
    ...nodes,
  } as const;
  const { series } = await queryMetric({ ctx, input: { ...input, groupBy: [...input.groupBy] } });
  const capacities = series.flatMap(({ columns }) =>
    columns.kind === "gauge" ? [columns.last.at(-1) ?? 0] : [],
  );
  if (capacities.length === 0) return { stashServers: null, stashDevices: null, stashBytesPerDrive: null };
  return {
    stashServers: new Set(series.map(({ labels }) => labels.stash)).size,
    stashDevices: capacities.length,
    stashBytesPerDrive: capacities.reduce((least, each) => Math.min(least, each)),
  };
}
