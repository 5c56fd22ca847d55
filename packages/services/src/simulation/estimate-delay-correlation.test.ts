import type { LiveDistribution } from "@stashlight/contracts/planner";
import { type DelayCorrelation, drawRank, type ShardSet, valueAt } from "@stashlight/timing-simulation";
import { expect, test } from "vitest";
import { present } from "../present.ts";
import { estimateDelayCorrelation } from "./estimate-delay-correlation.ts";

const UPLOADS = 4000;
const SHARDS = 20;
/** A different seed from that of the estimate. */
const SEED = 99;

function makeDistribution(values: number[]): LiveDistribution {
  const sorted = values.toSorted((a, b) => a - b);
  const quantiles = Array.from({ length: 101 }, (_, i) => {
    const share = i / 100;
    return [share, present(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))])] as const;
  });
  return { sampleCount: values.length, quantiles };
}

/** Delays with a long tail. */
const quantiles = Array.from({ length: 200 }, (_, i) => {
  const share = i / 199;
  return [share, 2000 * (1 - Math.min(share, 0.999)) ** -0.5] as const;
});

/** Waits that a vault with this correlation would measure. */
function measuredUnder(alike: DelayCorrelation) {
  const delays = (set: ShardSet) =>
    Array.from({ length: UPLOADS }, (_, upload) =>
      Array.from({ length: SHARDS }, (_, shard) =>
        valueAt(quantiles, drawRank({ alike, seed: SEED }, { upload, set, shard })),
      ),
    );
  const [pods, stash] = [delays("pods"), delays("stash")];
  const quorumOf = (of: number[]) => present(of.toSorted((a, b) => a - b)[SHARDS - 2]);
  const [podWaits, stashWaits] = [pods.map(quorumOf), stash.map(quorumOf)];
  return {
    podAck: makeDistribution(pods.flat()),
    stashAck: makeDistribution(stash.flat()),
    podQuorum: makeDistribution(podWaits),
    stashQuorum: makeDistribution(stashWaits),
    quorum: makeDistribution(podWaits.map((us, i) => Math.max(us, present(stashWaits[i])))),
  };
}

test.each<DelayCorrelation>([
  { pods: 0.2, stash: 0.5, sets: 0.9 },
  { pods: 0.6, stash: 0.9, sets: 0.7 },
  { pods: 0.9, stash: 0.95, sets: 0.3 },
])("the correlation of shards is estimated from how long uploads wait for them: %j", (alike) => {
  const found = estimateDelayCorrelation(measuredUnder(alike));
  expect(Math.abs(found.pods - alike.pods)).toBeLessThanOrEqual(0.1);
  expect(Math.abs(found.stash - alike.stash)).toBeLessThanOrEqual(0.1);
  expect(Math.abs(found.sets - alike.sets)).toBeLessThanOrEqual(0.25);
});
