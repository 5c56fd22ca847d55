/** How long a restore would take, by the downloads that were measured. */
import { formatRestore } from "@stashlight/contracts/benchmark/sweep-words";
import { createRandom, type RestoreEstimate, restoreEstimate } from "@stashlight/stats";
import type { Restore } from "../restore.ts";
import type { MeasuredRun } from "./measure.ts";

export interface RestoreTime {
  readonly endpoint: string;
  readonly failureCount: number;
  /** Null where no download of this size succeeded. */
  readonly estimate: RestoreEstimate | null;
  readonly sentence: string;
}

/** From the downloads of the size that is asked for, over the one connection that they were measured with. */
export function restoreTimesOf(
  runs: readonly MeasuredRun[],
  endpoints: readonly string[],
  restore: Restore,
  seed: number,
): RestoreTime[] {
  const { objectCount, objectBytes, connectionCount } = restore;
  return endpoints.map((endpoint) => {
    const downloads = runs
      .filter((run) => run.endpoint === endpoint)
      .flatMap(({ samples }) => samples)
      .filter(({ operation, sizeBytes }) => operation === "GET" && sizeBytes === objectBytes);
    const durationsMs = downloads.filter(({ outcome }) => outcome === "ok").map(({ wireMs }) => wireMs);
    const failureCount = downloads.length - durationsMs.length;
    const random = createRandom(seed);
    const estimate =
      durationsMs.length === 0
        ? null
        : restoreEstimate({
            ...{ durationsMs, measuredConnectionCount: 1, random },
            ...{ objectBytes, objectCount, connectionCount },
          });
    return {
      endpoint,
      failureCount,
      estimate,
      sentence: sentenceOf(endpoint, restore, failureCount, estimate),
    };
  });
}

function sentenceOf(
  endpointName: string,
  restore: Restore,
  failureCount: number,
  estimate: RestoreEstimate | null,
): string {
  return formatRestore(restore, {
    endpointName,
    failureCount,
    sampleCount: estimate?.sampleCount ?? 0,
    measuredConnectionCount: 1,
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
