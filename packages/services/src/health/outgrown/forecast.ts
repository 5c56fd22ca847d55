/**
 * Forecasts when one Postgres is outgrown. Assumes that nodes are added at the rate of the last year, after the
 * installation's first week, and fill the tables as today's nodes do, for the retention of each resolution; the first
 * limit reached decides.
 */

import type { StoreProfile } from "@stashlight/contracts/health";
import { filesystemMarks, onePostgresMarks } from "@stashlight/contracts/thresholds";
import { DAY_MS, YEAR_MS } from "@stashlight/contracts/time";

const MONTH_MS = YEAR_MS / 12;
/** Standard deviations on either side that cover 95 % of a normal distribution. */
const NORMAL_95 = 1.96;

export type StoredResolution = "raw" | "1m" | "10m" | "1h";
export type Limit = "nodes" | "rows" | "size" | "disk";

export interface Lifetime {
  readonly firstMs: number;
  /** Null while the node is active. */
  readonly endMs: number | null;
}

export interface ForecastInput {
  readonly nowMs: number;
  readonly profile: StoreProfile;
  /** Nodes that measure, revoked ones included, simulated ones not. */
  readonly lifetimes: readonly Lifetime[];
  /** Null if no node reports. */
  readonly rowsPerSecondOfNode: number | null;
  /** Null if the sizes are unknown, or include simulated nodes. */
  readonly bytes: Readonly<Record<StoredResolution | "rest", number>> | null;
  readonly retentionMs: Readonly<Record<StoredResolution, number>>;
  /** The disk of the database; null if unknown. */
  readonly disk: { readonly freeBytes: number; readonly capacityBytes: number } | null;
}

export interface Growth {
  readonly days: number;
  /** Numbers of nodes added and of nodes removed. */
  readonly changeCount: number;
  /** Nodes added minus nodes removed. */
  readonly netCount: number;
  readonly nodesPerMonth: number;
  /** Half of its 95 % interval. */
  readonly errorPerMonth: number;
}

interface Met {
  readonly limit: Limit;
  readonly atMs: number;
  readonly nodeCount: number;
}

export type Forecast =
  /** The store is already distributed, and there is no further profile. */
  | { readonly kind: "spread" }
  | { readonly kind: "outgrown"; readonly limit: Limit }
  | { readonly kind: "too-little-history"; readonly haveDays: number; readonly neededDays: number }
  | { readonly kind: "too-few-nodes"; readonly growth: Growth }
  | (Met & {
      readonly kind: "foreseen";
      readonly growth: Growth;
      /** Date at the upper end of the growth's 95 % interval. */
      readonly earliestMs: number;
      /** Date at the lower end; null beyond the horizon. */
      readonly latestMs: number | null;
    })
  | { readonly kind: "beyond-horizon"; readonly growth: Growth };

/** A forecast's input, with the figures that are computed from it once for all future moments. */
interface Reckoned extends ForecastInput {
  readonly nodeCount: number;
  readonly ageDays: number;
  /** Bytes that a node writes per millisecond of its life; null while unknown. */
  readonly bytesPerNodeMs: Readonly<Record<StoredResolution, number>> | null;
}

export function reckon(input: ForecastInput): Reckoned {
  const { bytes, lifetimes, nowMs, retentionMs } = input;
  const nodeCount = countAt(lifetimes, nowMs);
  const ageDays = Math.max(0, nowMs - Math.min(earliestFirstMs(lifetimes), nowMs)) / DAY_MS;
  if (bytes === null || nodeCount === 0 || ageDays < onePostgresMarks.sizeDaysMin)
    return { ...input, nodeCount, ageDays, bytesPerNodeMs: null };
  const perMs = (kept: StoredResolution) =>
    bytes[kept] / nodeMsBetween(lifetimes, nowMs - retentionMs[kept], nowMs);
  const bytesPerNodeMs = { raw: perMs("raw"), "1m": perMs("1m"), "10m": perMs("10m"), "1h": perMs("1h") };
  return { ...input, nodeCount, ageDays, bytesPerNodeMs };
}

export function forecast(input: ForecastInput): Forecast {
  const { profile, nowMs } = input;
  if (profile === "citus") return { kind: "spread" };
  const fleet = reckon(input);
  const limitToday = limitAt(fleet, nowMs, 0);
  if (limitToday !== null) return { kind: "outgrown", limit: limitToday };
  const growth = measureGrowth(input);
  if (growth === null) {
    const neededDays = onePostgresMarks.beginningDays + onePostgresMarks.growthDaysMin;
    return { kind: "too-little-history", haveDays: Math.floor(fleet.ageDays), neededDays };
  }
  const isFew = growth.netCount < onePostgresMarks.growthNodesMin;
  // Even the maximum growth may reach no limit within the horizon, which is a valid answer.
  const nodesPerMonth = isFew ? monthly(onePostgresMarks.growthNodesMin, growth.days) : growth.nodesPerMonth;
  const met = firstMet(fleet, nodesPerMonth);
  if (met === null) return { kind: "beyond-horizon", growth };
  if (isFew) return { kind: "too-few-nodes", growth };
  const { errorPerMonth } = growth;
  const earliestMs = firstMet(fleet, nodesPerMonth + errorPerMonth)?.atMs ?? met.atMs;
  const latestMs = firstMet(fleet, nodesPerMonth - errorPerMonth)?.atMs ?? null;
  return { kind: "foreseen", ...met, growth, earliestMs, latestMs };
}

function firstMet(fleet: Reckoned, nodesPerMonth: number): Met | null {
  const endMs = fleet.nowMs + onePostgresMarks.horizonYears * YEAR_MS;
  for (let atMs = fleet.nowMs + MONTH_MS; atMs <= endMs; atMs += MONTH_MS) {
    const limit = limitAt(fleet, atMs, nodesPerMonth);
    if (limit !== null) return { limit, atMs, nodeCount: Math.round(nodesAt(fleet, atMs, nodesPerMonth)) };
  }
  return null;
}

/** Null with too little history. */
export function measureGrowth({
  lifetimes,
  nowMs,
}: Pick<ForecastInput, "lifetimes" | "nowMs">): Growth | null {
  const { beginningDays, growthDaysMin, growthDaysMax } = onePostgresMarks;
  const sinceMs = Math.max(
    earliestFirstMs(lifetimes) + beginningDays * DAY_MS,
    nowMs - growthDaysMax * DAY_MS,
  );
  const days = (nowMs - sinceMs) / DAY_MS;
  if (!(days >= growthDaysMin)) return null;
  let changeCount = 0;
  const netOfDay = new Map<number, number>();
  const change = (atMs: number, by: 1 | -1) => {
    if (atMs <= sinceMs || atMs > nowMs) return;
    changeCount++;
    const day = Math.floor(atMs / DAY_MS);
    netOfDay.set(day, (netOfDay.get(day) ?? 0) + by);
  };
  for (const { firstMs, endMs } of lifetimes) {
    change(firstMs, 1);
    if (endMs !== null) change(endMs, -1);
  }
  const nets = [...netOfDay.values()];
  const netCount = nets.reduce((sum, net) => sum + net, 0);
  // Nodes are added in batches, so days are the independent units, and this is the deviation of a compound Poisson sum.
  const deviation = Math.sqrt(nets.reduce((sum, net) => sum + net * net, 0));
  return {
    days,
    changeCount,
    netCount,
    nodesPerMonth: monthly(netCount, days),
    errorPerMonth: monthly(NORMAL_95 * deviation, days),
  };
}

/** Bytes in the tables at a future moment; null while unknown. */
export function sizeAt(fleet: Reckoned, atMs: number, nodesPerMonth: number): number | null {
  const { bytes, bytesPerNodeMs, lifetimes, nodeCount, nowMs, retentionMs } = fleet;
  if (bytes === null || bytesPerNodeMs === null) return null;
  let total = (bytes.rest / nodeCount) * nodesAt(fleet, atMs, nodesPerMonth);
  for (const kept of ["raw", "1m", "10m", "1h"] as const) {
    const beginMs = atMs - retentionMs[kept];
    const pastMs = beginMs < nowMs ? nodeMsBetween(lifetimes, beginMs, nowMs) : 0;
    const middleMs = (Math.max(beginMs, nowMs) + atMs) / 2;
    const futureMs = (atMs - Math.max(beginMs, nowMs)) * nodesAt(fleet, middleMs, nodesPerMonth);
    total += bytesPerNodeMs[kept] * (pastMs + futureMs);
  }
  return total;
}

function limitAt(fleet: Reckoned, atMs: number, nodesPerMonth: number): Limit | null {
  const nodeCount = nodesAt(fleet, atMs, nodesPerMonth);
  if (nodeCount >= onePostgresMarks.nodesMax) return "nodes";
  if ((fleet.rowsPerSecondOfNode ?? 0) * nodeCount >= onePostgresMarks.rowsPerSecondMax) return "rows";
  const size = sizeAt(fleet, atMs, nodesPerMonth);
  if (size !== null && size >= onePostgresMarks.sizeBytesMax) return "size";
  if (fleet.disk === null) return null;
  const { freeBytes, capacityBytes } = fleet.disk;
  const roomBytes = freeBytes - (1 - filesystemMarks.warningShare) * capacityBytes;
  const grownBytes = size === null ? 0 : size - (sizeAt(fleet, fleet.nowMs, 0) ?? 0);
  return grownBytes >= roomBytes ? "disk" : null;
}

const monthly = (count: number, days: number): number => (count / (days * DAY_MS)) * MONTH_MS;

const earliestFirstMs = (lifetimes: readonly Lifetime[]): number =>
  lifetimes.reduce((least, { firstMs }) => Math.min(least, firstMs), Number.POSITIVE_INFINITY);

const nodesAt = ({ nodeCount, nowMs }: Reckoned, atMs: number, nodesPerMonth: number): number =>
  nodeCount + ((atMs - nowMs) / MONTH_MS) * nodesPerMonth;

export const countAt = (lifetimes: readonly Lifetime[], atMs: number): number =>
  lifetimes.filter(({ firstMs, endMs }) => firstMs <= atMs && (endMs === null || endMs > atMs)).length;

const nodeMsBetween = (lifetimes: readonly Lifetime[], fromMs: number, toMs: number): number =>
  lifetimes.reduce((sum, { firstMs, endMs }) => {
    const lengthMs = Math.min(endMs ?? toMs, toMs) - Math.max(firstMs, fromMs);
    return sum + Math.max(0, lengthMs);
  }, 0);
