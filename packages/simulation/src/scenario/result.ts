/** What a scenario gives. Every figure says whether it was run as it is or joined, and how many samples stand behind it. */
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
  /** Mean of the step, and its highest level where it was run as it is. */
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
  /** What must fit: the highest rate's bytes for the longer of the residence's p99 and the outage. */
  readonly requiredBytesByFormula: number;
  /** The same for the pods that are away alone. */
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
  /** What of it the stash takes before it sends uploads elsewhere. */
  readonly usableBytes: number;
  readonly timeToFull: { readonly second: number; readonly basis: Basis } | null;
  readonly uploadCount: { readonly expected: number; readonly run: number };
  readonly eventCount: number;
  /** All that were run, by the path they took. */
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
