/** How long a restore would take, by the downloads that were measured. */
import { sizeText } from "@stashlight/benchmark";
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
  endpoint: string,
  { objectCount, objectBytes, connectionCount }: Restore,
  failureCount: number,
  estimate: RestoreEstimate | null,
): string {
  const what = `${sizeText(objectCount * objectBytes)} as ${objectCount} objects of ${sizeText(objectBytes)}`;
  if (estimate === null) return `${endpoint}: ${what}: unknown, because no download of this size succeeded.`;
  const { seconds, secondsInterval, mbPerSecond, sampleCount, isExtrapolated } = estimate;
  const range =
    secondsInterval === null
      ? "too few downloads for an interval"
      : `${timeText(secondsInterval.low)} to ${timeText(secondsInterval.high)}`;
  const way = connectionCount === 1 ? "one after the other" : `over ${connectionCount} connections`;
  const source = `from ${sampleCount} downloads over one connection`;
  const failures = failureCount === 0 ? "" : `, beside ${failureCount} that failed`;
  const warning = isExtrapolated ? "; extrapolated" : "";
  return `${endpoint}: ${what}: ${timeText(seconds)} (${range}), ${way}, ${mbPerSecond.toFixed(1)} MB/s; ${source}${failures}${warning}.`;
}

function timeText(seconds: number): string {
  if (seconds < 120) return `${Number(seconds.toPrecision(3))} s`;
  const minutes = seconds / 60;
  return minutes < 120
    ? `${Number(minutes.toPrecision(3))} min`
    : `${Number((minutes / 60).toPrecision(3))} h`;
}
