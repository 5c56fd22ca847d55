/** Rebuilds of the last four weeks: how fast they were, and how many replaced a whole drive. */
import { MINUTE_MS, YEAR_MS } from "@stashlight/contracts/time";
import type { MetricClient } from "@stashlight/db/metrics";
import type { RebuildRates } from "@stashlight/planner";
import { type History, type HistoryQuestion, readHistories } from "../forecast/history.ts";
import type { BaseWithMerger } from "../metrics/query/merger.ts";

export interface RebuildHistory {
  /** By vault; a vault without a rebuild has no entry. */
  readonly rates: ReadonlyMap<string, Omit<RebuildRates, "ageSeconds"> & { readonly newestMs: number }>;
  /** By vault: the history of each pod. */
  readonly pods: ReadonlyMap<string, readonly PodHistory[]>;
}

interface PodHistory {
  readonly watchedMs: number;
  /** Largest number of missing bytes in each rebuild. */
  readonly rebuilds: readonly number[];
}

/** A minute barely changes four weeks of data, while rules query it four times per minute. */
const KEPT_MS = MINUTE_MS;

const keptByClient = new WeakMap<MetricClient, { madeMs: number; history: Promise<RebuildHistory> }>();

export function readRebuildHistory(platform: BaseWithMerger, nowMs: number): Promise<RebuildHistory> {
  const kept = keptByClient.get(platform.metrics);
  if (kept !== undefined && Math.abs(nowMs - kept.madeMs) < KEPT_MS) return kept.history;
  const history = readHistory(platform, nowMs);
  keptByClient.set(platform.metrics, { madeMs: nowMs, history });
  history.catch(() => keptByClient.delete(platform.metrics));
  return history;
}

async function readHistory(platform: BaseWithMerger, nowMs: number): Promise<RebuildHistory> {
  const ask = (metric: HistoryQuestion["metric"]) =>
    readHistories(
      platform,
      { metric, where: {}, groupBy: ["vault", "device"], across: "max", leavesOutSimulated: true },
      nowMs,
    );
  const missing = await ask("stashlight_pod_missing_bytes");
  const remaining = await ask("stashlight_pod_rebuild_remaining_seconds");
  const total = await ask("stashlight_pod_rebuild_total_bytes");
  const secondsOf = new Map(remaining.map((each) => [podKey(each), each]));
  const rates = Map.groupBy(
    missing.flatMap((each) => ratesOfPod(each, secondsOf.get(podKey(each)))),
    ({ vault }) => vault,
  );
  return {
    rates: new Map([...rates].map(([vault, found]) => [vault, summariseRates(found)])),
    pods: new Map(
      [...Map.groupBy(total, ({ labels }) => labels.vault ?? "")].map(([vault, pods]) => [
        vault,
        pods.map(({ points }) => ({
          watchedMs: (points.at(-1)?.atMs ?? 0) - (points[0]?.atMs ?? 0),
          rebuilds: listRebuilds(points.map(({ value, peak = value }) => peak)),
        })),
      ]),
    ),
  };
}

const podKey = ({ labels }: Pick<History, "labels">): string => `${labels.vault} ${labels.device}`;

interface PodRate {
  readonly vault: string;
  readonly atMs: number;
  readonly bytesPerSecond: number;
}

/**
 * Agents estimate the time left a window after they report the missing bytes, so for a shorter rebuild the two describe
 * different moments, and its rate would be overstated.
 */
const RATED_SECONDS_MIN = 60;

/** Computes a pod's rebuild rate at each point: the most missing bytes divided by the longest estimate of the time left. */
function ratesOfPod(missing: History, remaining: History | undefined): PodRate[] {
  const seconds = new Map(remaining?.points.map(({ atMs, value, peak = value }) => [atMs, peak]));
  return missing.points.flatMap(({ atMs, value, peak = value }) => {
    const left = seconds.get(atMs) ?? 0;
    if (peak <= 0 || left < RATED_SECONDS_MIN) return [];
    return [{ vault: missing.labels.vault ?? "", atMs, bytesPerSecond: peak / left }];
  });
}

function summariseRates(rates: readonly PodRate[]) {
  const sorted = rates.map(({ bytesPerSecond }) => bytesPerSecond).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  const newestMs = Math.max(...rates.map(({ atMs }) => atMs));
  return { median: at(0.5), low: at(0.1), high: at(0.9), count: sorted.length, newestMs };
}

/** Returns the peak of each stretch in which bytes were missing. */
export function listRebuilds(totals: readonly number[]): number[] {
  const peaks: number[] = [];
  let isUnderWay = false;
  for (const total of totals) {
    if (total > 0 && isUnderWay) peaks.push(Math.max(peaks.pop() ?? 0, total));
    else if (total > 0) peaks.push(total);
    isUnderWay = total > 0;
  }
  return peaks;
}

/** A rebuild of this share of a full pod replaced a drive; a drive that left and came back misses less. */
const REPLACED_SHARE = 0.9;

/** Counts drives that lost everything, and the time for which drives were watched. */
export function countFailures(
  pods: readonly PodHistory[],
  podBytes: number,
): { failures: number; driveYears: number } {
  const isWhole = (bytes: number): boolean => podBytes > 0 && bytes >= REPLACED_SHARE * podBytes;
  return {
    failures: pods.reduce((sum, { rebuilds }) => sum + rebuilds.filter(isWhole).length, 0),
    driveYears: pods.reduce((sum, { watchedMs }) => sum + watchedMs, 0) / YEAR_MS,
  };
}
