/** Result of a scenario. Every figure has its basis (run in full or joined) and the number of its samples. */
import { z } from "zod";
import { storedNumber } from "../json/stored.ts";
import { FALLBACK_REASONS } from "./fallback-reasons.ts";

/**
 * `exact`: the simulation ran every message of the period. `joined`: the figure was carried over from the nearest exact
 * stretch under the same faults.
 */
const basis = z.enum(["exact", "joined"]);
export type Basis = z.infer<typeof basis>;

const latency = z.object({
  sampleCount: storedNumber,
  p50Ms: storedNumber,
  p90Ms: storedNumber,
  p99Ms: storedNumber,
});
export type LatencyFigures = z.infer<typeof latency>;

const lag = z.object({
  sampleCount: storedNumber,
  meanSeconds: storedNumber,
  p50Seconds: storedNumber,
  p99Seconds: storedNumber,
});
export type LagFigures = z.infer<typeof lag>;

const fallbackReason = z.enum(FALLBACK_REASONS);

const point = z.object({
  second: storedNumber,
  basis,
  uploadsPerSecond: storedNumber,
  /** Mean occupancy of the step, and its maximum if the step was run in full. */
  occupancyBytes: storedNumber,
  occupancyBytesMax: storedNumber,
  stash: latency.nullable(),
  direct: latency.nullable(),
  purgeLag: lag.nullable(),
  fallbacksPerSecond: storedNumber,
  fallbackReason: fallbackReason.nullable(),
  /** Rate of uploads that were answered with an error. */
  failuresPerSecond: storedNumber,
});
export type ScenarioPoint = z.infer<typeof point>;

const stretch = z.object({
  fromSecond: storedNumber,
  toSecond: storedNumber,
  faults: z.string(),
  uploadCount: storedNumber,
  eventCount: storedNumber,
  /** Factor applied to the scenario's rate. */
  rateScale: storedNumber,
});

const formulaComparison = z.object({
  /** lambda x bytes per upload x residence: Little's law, with the simulated residence. */
  occupancyBytesByLittle: storedNumber,
  occupancyBytesSimulated: storedNumber,
  differencePercent: storedNumber,
  /** Half a flush interval, one flush and the wait before the purge. */
  residenceSecondsByFormula: storedNumber,
  residenceSecondsSimulated: z.number().nullable(),
  /** Space needed: bytes at the highest rate during the residence's p99 or the outage, whichever is longer. */
  requiredBytesByFormula: storedNumber,
  /** Space needed for the absent pods alone. */
  requiredBytesOfAwayPods: storedNumber,
  highestBytesSimulated: storedNumber,
});
export type FormulaComparison = z.infer<typeof formulaComparison>;

export const scenarioResultSchema = z.object({
  seed: storedNumber,
  basis,
  stepSeconds: storedNumber,
  durationSeconds: storedNumber,
  points: z.array(point),
  stretches: z.array(stretch),
  capacityBytes: storedNumber,
  /** Part of the stash's capacity that is used before uploads take the direct path. */
  usableBytes: storedNumber,
  timeToFull: z.object({ second: storedNumber, basis }).nullable(),
  uploadCount: z.object({ expected: storedNumber, run: storedNumber }),
  eventCount: storedNumber,
  /** Latency of all uploads that were run, by path. */
  stash: latency.nullable(),
  direct: latency.nullable(),
  /** Latency of the same load without the stash, for a short stretch without faults. */
  withoutStash: latency.nullable(),
  purgeLag: lag.nullable(),
  fallbackCounts: z.record(fallbackReason, storedNumber),
  failureCount: storedNumber,
  stashDrive: z.object({
    utilisation: storedNumber,
    shardsPerCommit: storedNumber,
    waitUsMean: storedNumber,
    sampleCount: storedNumber,
  }),
  formula: formulaComparison,
});
export type ScenarioResult = z.infer<typeof scenarioResultSchema>;
