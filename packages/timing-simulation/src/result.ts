/** Result of a scenario. Every figure has its basis (run in full or joined) and the number of its samples. */
import type { FallbackReason } from "@stashlight/contracts/planner/fallback-reasons";

/**
 * `exact`: the simulation ran every message of the period. `joined`: the figure was carried over from the nearest exact
 * stretch under the same faults.
 */
export type Basis = "exact" | "joined";

export interface LatencyFigures {
  readonly sampleCount: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
}

export interface LagFigures {
  readonly sampleCount: number;
  readonly meanSeconds: number;
  readonly p50Seconds: number;
  readonly p99Seconds: number;
}

export interface ScenarioPoint {
  readonly second: number;
  readonly basis: Basis;
  readonly uploadsPerSecond: number;
  /** Mean occupancy of the step, and its maximum if the step was run in full. */
  readonly occupancyBytes: number;
  readonly occupancyBytesMax: number;
  readonly stash: LatencyFigures | null;
  readonly direct: LatencyFigures | null;
  readonly purgeLag: LagFigures | null;
  readonly fallbacksPerSecond: number;
  readonly fallbackReason: FallbackReason | null;
  /** Rate of uploads that were answered with an error. */
  readonly failuresPerSecond: number;
}

export interface ScenarioStretch {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly faults: string;
  readonly uploadCount: number;
  readonly eventCount: number;
  /** Factor applied to the scenario's rate. */
  readonly rateScale: number;
}

export interface FormulaComparison {
  /** lambda x bytes per upload x residence: Little's law, with the simulated residence. */
  readonly occupancyBytesByLittle: number;
  readonly occupancyBytesSimulated: number;
  readonly differencePercent: number;
  /** Half a flush interval, one flush and the wait before the purge. */
  readonly residenceSecondsByFormula: number;
  readonly residenceSecondsSimulated: number | null;
  /** Space needed: the highest rate's bytes for the longer of the residence's p99 and the outage. */
  readonly requiredBytesByFormula: number;
  /** Space needed for the absent pods alone. */
  readonly requiredBytesOfAwayPods: number;
  readonly highestBytesSimulated: number;
}

export interface ScenarioResult {
  readonly seed: number;
  readonly basis: Basis;
  readonly stepSeconds: number;
  readonly durationSeconds: number;
  readonly points: readonly ScenarioPoint[];
  readonly stretches: readonly ScenarioStretch[];
  readonly capacityBytes: number;
  /** Part of the stash's capacity that is used before uploads take the direct path. */
  readonly usableBytes: number;
  readonly timeToFull: { readonly second: number; readonly basis: Basis } | null;
  readonly uploadCount: { readonly expected: number; readonly run: number };
  readonly eventCount: number;
  /** Latency of all uploads that were run, by path. */
  readonly stash: LatencyFigures | null;
  readonly direct: LatencyFigures | null;
  /** Latency of the same load without the stash, for a short stretch without faults. */
  readonly withoutStash: LatencyFigures | null;
  readonly purgeLag: LagFigures | null;
  readonly fallbackCounts: Readonly<Record<FallbackReason, number>>;
  readonly failureCount: number;
  readonly stashDrive: {
    readonly utilisation: number;
    readonly shardsPerCommit: number;
    readonly waitUsMean: number;
    readonly sampleCount: number;
  };
  readonly formula: FormulaComparison;
}
