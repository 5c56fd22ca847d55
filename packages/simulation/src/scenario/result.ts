/** Result of a scenario. Every figure notes whether it was run in full or joined, and the number of its samples. */
import type { FallbackReason } from "@stashlight/contracts/planner/fallback-reasons";

/** `exact`: every message of it was run. `joined`: carried over from the nearest exact part under the same faults. */
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
  /** Mean of the step, and its highest level if it was run in full. */
  readonly occupancyBytes: number;
  readonly occupancyBytesMax: number;
  readonly stash: LatencyFigures | null;
  readonly direct: LatencyFigures | null;
  readonly purgeLag: LagFigures | null;
  readonly fallbacksPerSecond: number;
  readonly fallbackReason: FallbackReason | null;
  /** Uploads that were answered with an error. */
  readonly failuresPerSecond: number;
}

export interface ScenarioStretch {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly faults: string;
  readonly uploadCount: number;
  readonly eventCount: number;
  /** The scale of the scenario's rate. */
  readonly rateScale: number;
}

export interface FormulaComparison {
  /** lambda x bytes of an upload x residence: Little's law, with the residence that was simulated. */
  readonly occupancyBytesByLittle: number;
  readonly occupancyBytesSimulated: number;
  readonly differencePercent: number;
  /** Half a flush interval, one flush and the purge's wait. */
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
  /** Part of it that the stash accepts before it sends uploads elsewhere. */
  readonly usableBytes: number;
  readonly timeToFull: { readonly second: number; readonly basis: Basis } | null;
  readonly uploadCount: { readonly expected: number; readonly run: number };
  readonly eventCount: number;
  /** All uploads that were run, by their path. */
  readonly stash: LatencyFigures | null;
  readonly direct: LatencyFigures | null;
  /** The same load with the stash switched off, for a short stretch without faults. */
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
