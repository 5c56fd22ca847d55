/** Reads the live vault's measurements in the form of a scenario: rates, sizes and distributions of one range. */
import type { MetricName } from "@stashlight/contracts/metrics";
import type { SeriesLabel } from "@stashlight/contracts/metrics/query";
import type { LiveDistribution, LiveVault, readLiveVaultInput } from "@stashlight/contracts/planner";
import { samplesNeeded } from "@stashlight/stats";
import { upperBound } from "@stashlight/telemetry";
import { valueAt } from "@stashlight/timing-simulation";
import type { z } from "zod";
import { allNamed } from "../all-named.ts";
import { type Context, requireRole, type Verb } from "../context.ts";
import { readBuckets } from "../metrics/query/heatmap.ts";
import type { WithMerger } from "../metrics/query/merger.ts";
import { queryMetric } from "../metrics/query/query.ts";
import { present } from "../present.ts";
import { estimateDelayCorrelation } from "./estimate-delay-correlation.ts";
import { percentileInterval, percentileMs, type Stretch, stretchBuckets } from "./percentile-interval.ts";

type Range = z.output<typeof readLiveVaultInput>;
/** Absent means every node. */
type Nodes = { nodeIds?: string[] };
type Where = Partial<Record<SeriesLabel, string[]>>;

const P99_PER_MILLION = 990_000;

export async function readLiveVault({ ctx, input }: Verb<Range, WithMerger>): Promise<LiveVault> {
  requireRole(ctx, "viewer");
  const nodes = await measuringNodes(ctx);
  const modelled = new Set<string>();
  const of = async (metric: MetricName, where: Where = {}) => {
    const measured = await measuredBy(ctx, input, metric, { where, nodes });
    for (const model of measured?.modelled ?? []) modelled.add(model);
    return measured?.whole ?? null;
  };
  const ofStashPath = { path: ["stash"] };
  const { uploads, processor, purgeLag, stashSync, podSync, ...waits } = await allNamed({
    uploads: measuredBy(ctx, input, "stashlight_upload_seconds", { where: ofStashPath, nodes }),
    processor: of("stashlight_upload_edge_seconds", ofStashPath),
    quorum: of("stashlight_upload_quorum_seconds", ofStashPath),
    podQuorum: of("stashlight_pod_quorum_seconds"),
    stashQuorum: of("stashlight_quorum_wait_seconds", { set: ["stash"] }),
    podAck: of("stashlight_pod_ack_seconds"),
    stashAck: of("stashlight_stash_ack_seconds"),
    stashSync: of("stashlight_fsync_seconds", { tier: ["stash"] }),
    podSync: of("stashlight_fsync_seconds", { tier: ["pod"] }),
    purgeLag: of("stashlight_purge_lag_seconds"),
  });
  const { bytes, overlapping, stash } = await allNamed({
    bytes: readIncrease(ctx, input, nodes, "stashlight_upload_bytes_total", ofStashPath),
    overlapping: readIncrease(ctx, input, nodes, "stashlight_uploads_overlapping_total"),
    stash: stashDevices(ctx, input, nodes),
  });
  const { quorum, podQuorum, stashQuorum, podAck, stashAck } = waits;
  const seconds = (input.toMs - input.fromMs) / 1000;
  const sampleCount = uploads?.whole.sampleCount ?? 0;
  const hasWaits = podAck && stashAck && podQuorum && stashQuorum && quorum;
  return {
    fromMs: input.fromMs,
    toMs: input.toMs,
    uploadsPerSecond: uploads === null ? null : sampleCount / seconds,
    uploadBytesMean: uploads === null || bytes === null ? null : Math.round(bytes / sampleCount),
    uploads: uploads === null ? null : measuredUploads(input, uploads, [...modelled].sort()),
    stashSync,
    podSync,
    processor,
    messages: podAck === null ? null : oneWay(podAck),
    stashMessages:
      stashAck === null ? null : oneWay(stashSync === null ? stashAck : beside(stashAck, stashSync)),
    alike: hasWaits ? estimateDelayCorrelation({ podAck, stashAck, podQuorum, stashQuorum, quorum }) : null,
    overlappingShare: uploads === null ? null : Math.min(1, (overlapping ?? 0) / sampleCount),
    purgeLagSeconds:
      purgeLag === null
        ? null
        : { p50: valueAt(purgeLag.quantiles, 0.5) / 1e6, sampleCount: purgeLag.sampleCount },
    ...stash,
  };
}

/** Leaves out the fleet simulator's nodes, unless there are no others. */
async function measuringNodes({ platform }: Context<WithMerger>): Promise<Nodes> {
  const simulatedCount = await platform.db.node.count({ where: { isSimulated: true } });
  if (simulatedCount === 0) return {};
  const nodes = await platform.db.node.findMany({ where: { isSimulated: false }, select: { id: true } });
  return nodes.length === 0 ? {} : { nodeIds: nodes.map(({ id }) => id) };
}

interface Measured {
  /** All windows of the range combined. */
  readonly whole: LiveDistribution;
  readonly stretches: readonly Stretch[];
  /** Models of the drives on which it was measured. */
  readonly modelled: readonly string[];
}

/** Null without measurements. */
async function measuredBy(
  ctx: Context<WithMerger>,
  { fromMs, toMs }: Range,
  metric: MetricName,
  { where, nodes }: { where: Where; nodes: Nodes },
): Promise<Measured | null> {
  const { origin, heatmap } = await readBuckets(ctx.platform, {
    metric,
    fromMs,
    toMs,
    where,
    columnCountMax: STRETCH_COUNT_MAX,
    ...nodes,
  });
  const whole = fromBuckets(stretchBuckets(heatmap.buckets, ZERO_BUCKET));
  return whole === null ? null : { whole, stretches: heatmap.buckets, modelled: origin.modelled };
}

/** Limit on stretches: an hour, in stretches of a minute. */
const STRETCH_COUNT_MAX = 60;
/** Below the resolution of any histogram. */
const ZERO_BUCKET = -400;
/** Maximum number of steps; each uses two of the quantiles that a scenario accepts. */
const STEP_COUNT_MAX = 95;

/**
 * Uses the buckets' bounds, so that no part covers a range where there was no value; with more buckets than a scenario
 * accepts, neighbours are combined. Null without values.
 */
function fromBuckets(buckets: ReturnType<typeof stretchBuckets>): LiveDistribution | null {
  if (buckets.length === 0) return null;
  const sampleCount = buckets.reduce((sum, [, count]) => sum + count, 0);
  const together = Math.ceil(buckets.length / STEP_COUNT_MAX);
  const quantiles: (readonly [number, number])[] = [];
  let passed = 0;
  for (let i = 0; i < buckets.length; i += together) {
    const step = buckets.slice(i, i + together);
    const [first, last] = [present(step[0]), present(step.at(-1))];
    quantiles.push([passed / sampleCount, upperBound(first[0] - 1) * 1e6]);
    passed += step.reduce((sum, [, count]) => sum + count, 0);
    quantiles.push([passed / sampleCount, upperBound(last[0]) * 1e6]);
  }
  return { sampleCount, quantiles };
}

function measuredUploads({ fromMs, toMs }: Range, { whole, stretches }: Measured, modelled: string[]) {
  const { sampleCount } = whole;
  const hasP99 = sampleCount >= samplesNeeded(P99_PER_MILLION);
  return {
    fromMs,
    toMs,
    sampleCount,
    modelled,
    p50Ms: percentileMs(stretches, 0.5),
    p99Ms: hasP99 ? percentileMs(stretches, 0.99) : null,
    p50Interval: percentileInterval(stretches, 0.5),
    p99Interval: hasP99 ? percentileInterval(stretches, 0.99) : null,
  };
}

const SHARES = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 1];

/** Subtracts quantile by quantile, so that the simulation, which adds both at equal rank, yields the whole again. */
function beside(whole: LiveDistribution, part: LiveDistribution): LiveDistribution {
  let highest = 0;
  const quantiles = SHARES.map((share) => {
    highest = Math.max(highest, valueAt(whole.quantiles, share) - valueAt(part.quantiles, share));
    return [share, highest] as const;
  });
  return { sampleCount: whole.sampleCount, quantiles };
}

/** A message and its answer cross the network once each. */
const WAYS = 2;

function oneWay({ sampleCount, quantiles }: LiveDistribution): LiveDistribution {
  return { sampleCount, quantiles: quantiles.map(([share, us]) => [share, us / WAYS] as const) };
}

async function readIncrease(
  ctx: Context<WithMerger>,
  { fromMs, toMs }: Range,
  nodes: Nodes,
  metric: MetricName<"counter">,
  where: Where = {},
): Promise<number | null> {
  const { series } = await queryMetric({
    ctx,
    input: { metric, fromMs, toMs, where, groupBy: [], across: "sum", pointCountMax: 100, ...nodes },
  });
  const columns = series[0]?.columns;
  return columns?.kind === "counter" ? columns.increase.reduce((sum, each) => sum + each, 0) : null;
}

async function stashDevices(ctx: Context<WithMerger>, { fromMs, toMs }: Range, nodes: Nodes) {
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
