/**
 * Estimates how the delays of an upload's shards are correlated, from a vault's measurements. The distribution of one
 * shard's delay and that of the wait for 19 of 20 do not determine each other: with independent shards nearly every
 * upload waits for a slow one; with shards that are slow together an upload waits like any of its shards. The estimate
 * is the correlation under which the waits modelled by packages/timing-simulation are closest to the measured ones, over all
 * percentiles. The duration of whole uploads is not used.
 */
import type { DelayCorrelation, LiveDistribution } from "@stashlight/contracts/planner";
import {
  combineSlowness,
  drawFactors,
  type Factors,
  normalShareBelow,
  type ShardSet,
  valueAt,
} from "@stashlight/timing-simulation";
import { present } from "../present.ts";

/** Shards of an upload in the default scheme; the quorum spares one. */
const SHARD_COUNT = 20;
const UPLOAD_COUNT = 1000;
/** Coarse steps, followed by fine ones around the best. */
const COARSE_STEPS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const FINE_STEPS = [-0.15, -0.1, -0.05, 0.05, 0.1, 0.15];
const SHARES = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95];
const SEED = 1;

export interface MeasuredWaits {
  /** From sending a shard to its answer. */
  readonly podAck: LiveDistribution;
  readonly stashAck: LiveDistribution;
  /** From the first shard's sending to the quorum of one set, and of both. */
  readonly podQuorum: LiveDistribution;
  readonly stashQuorum: LiveDistribution;
  readonly quorum: LiveDistribution;
}

export function estimateDelayCorrelation(measured: MeasuredWaits): DelayCorrelation {
  const { podAck, stashAck, podQuorum, stashQuorum, quorum } = measured;
  const pods = likeliest(
    (share) => simulateWaits(podAck, "pods", { pods: share, stash: 0, sets: 0 }),
    podQuorum,
  );
  const stash = likeliest(
    (share) => simulateWaits(stashAck, "stash", { pods: 0, stash: share, sets: 0 }),
    stashQuorum,
  );
  const sets = likeliest((share) => {
    const alike = { pods, stash, sets: share };
    const ofStash = simulateWaits(stashAck, "stash", alike);
    return simulateWaits(podAck, "pods", alike).map((us, upload) => Math.max(us, present(ofStash[upload])));
  }, quorum);
  return { pods, stash, sets };
}

/** Returns the delay for which each upload's quorum waits: the second largest. */
function simulateWaits({ quantiles }: LiveDistribution, set: ShardSet, alike: DelayCorrelation): number[] {
  return cachedDraws(set).map((shards) => {
    let [slowest, quorum] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const factors of shards) {
      const slowness = combineSlowness(alike, set, factors);
      if (slowness > slowest) [slowest, quorum] = [slowness, slowest];
      else if (slowness > quorum) quorum = slowness;
    }
    return valueAt(quantiles, normalShareBelow(quorum));
  });
}

const draws: Partial<Record<ShardSet, readonly (readonly Factors[])[]>> = {};

/** Factors of each upload's shards, the same for every correlation that is tried; computed on first use. */
function cachedDraws(set: ShardSet): readonly (readonly Factors[])[] {
  draws[set] ??= Array.from({ length: UPLOAD_COUNT }, (_, upload) =>
    Array.from({ length: SHARD_COUNT }, (_, shard) => drawFactors(SEED, { upload, set, shard })),
  );
  return draws[set];
}

function likeliest(waitsUnder: (share: number) => number[], measured: LiveDistribution): number {
  let best = { share: 0, gap: Number.POSITIVE_INFINITY };
  const look = (share: number) => {
    const gap = gapBetween(waitsUnder(share), measured);
    if (gap < best.gap) best = { share, gap };
  };
  for (const share of COARSE_STEPS) look(share);
  const { share: coarse } = best;
  for (const step of FINE_STEPS) {
    const share = Math.round((coarse + step) * 100) / 100;
    if (share >= 0 && share <= 1) look(share);
  }
  return best.share;
}

/** Mean ratio of percentiles, as a logarithm. */
function gapBetween(waits: number[], { quantiles }: LiveDistribution): number {
  const sorted = waits.toSorted((a, b) => a - b);
  const gaps = SHARES.map((share) => {
    const modelled = present(sorted[Math.floor(share * sorted.length)]);
    return Math.abs(Math.log(Math.max(1, modelled) / Math.max(1, valueAt(quantiles, share))));
  });
  return gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
}
