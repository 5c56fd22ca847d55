/** Estimates a restore's duration from the measured downloads. */

import { formatRestore } from "@stashlight/contracts/benchmark";
import { latencyMs } from "@stashlight/contracts/sample";
import { createRandom, type RestoreEstimate, restoreEstimate } from "@stashlight/stats";
import type { Restore } from "../restore.ts";
import { findLoad, type Legs, listConnections } from "./leg-loads.ts";
import type { MeasuredRun } from "./measure.ts";

export interface RestoreTime {
  readonly endpoint: string;
  readonly failureCount: number;
  readonly measuredConnectionCount: number;
  /** Null if no download of this size succeeded. */
  readonly estimate: RestoreEstimate | null;
  readonly sentence: string;
}

/** Estimates from downloads of the requested size, over the number of connections nearest to the requested one. */
export function estimateRestores(
  runs: readonly MeasuredRun[],
  endpoints: readonly string[],
  legs: Legs,
  restore: Restore,
  seed: number,
): RestoreTime[] {
  const { objectCount, objectBytes, connectionCount } = restore;
  return endpoints.map((endpoint) => {
    const { downloads, measuredConnectionCount } = findDownloads(runs, endpoint, legs, restore);
    const durationsMs = downloads.filter(({ outcome }) => outcome === "ok").map(latencyMs);
    const failureCount = downloads.length - durationsMs.length;
    const random = createRandom(seed);
    const estimate =
      durationsMs.length === 0
        ? null
        : restoreEstimate({
            durationsMs,
            measuredConnectionCount,
            random,
            objectBytes,
            objectCount,
            connectionCount,
          });
    const answer = { endpoint, failureCount, measuredConnectionCount, estimate };
    return { ...answer, sentence: describeRestore(restore, answer) };
  });
}

function findDownloads(
  runs: readonly MeasuredRun[],
  endpoint: string,
  legs: Legs,
  { objectBytes, connectionCount }: Restore,
) {
  const ofSize = runs
    .filter((run) => run.endpoint === endpoint)
    .flatMap(({ samples }) => samples)
    .filter(({ operation, sizeBytes }) => operation === "GET" && sizeBytes === objectBytes);
  const counts = listConnections(legs);
  const byConnections = Map.groupBy(ofSize, (sample) => findLoad(sample, counts).connectionCount);
  const distance = (count: number): number => Math.abs(count - connectionCount);
  const [nearest = 1] = [...byConnections.keys()].sort((a, b) => distance(a) - distance(b) || b - a);
  return { downloads: byConnections.get(nearest) ?? [], measuredConnectionCount: nearest };
}

function describeRestore(restore: Restore, answer: Omit<RestoreTime, "sentence">): string {
  const { endpoint, failureCount, measuredConnectionCount, estimate } = answer;
  return formatRestore(restore, {
    endpointName: endpoint,
    failureCount,
    sampleCount: estimate?.sampleCount ?? 0,
    measuredConnectionCount,
    seconds: estimate && withInterval(estimate.seconds, estimate.secondsInterval),
    mbPerSecond: estimate && withInterval(estimate.mbPerSecond, estimate.mbPerSecondInterval),
    isExtrapolated: estimate?.isExtrapolated ?? false,
  });
}

const withInterval = (value: number, interval: RestoreEstimate["secondsInterval"]) => ({
  value,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
});
