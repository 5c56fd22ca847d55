import { FALLBACK_REASONS } from "@stashlight/contracts/planner/fallback-reasons";
import {
  measuredUploadsSchema,
  type SimulationProgress,
  scenarioSchema,
  simulationStates,
} from "@stashlight/contracts/planner/simulation";
import { z } from "zod";
import { jsonColumn } from "./json-column.ts";
import { storedNumber } from "./stored.ts";
import { wordColumn } from "./word-column.ts";

const progress: z.ZodType<SimulationProgress> = z.object({
  share: storedNumber,
  secondsLeft: z.number().nullable(),
  eventCount: storedNumber,
});

const basis = z.enum(["exact", "joined"]);
const latency = z
  .object({ sampleCount: storedNumber, p50Ms: storedNumber, p90Ms: storedNumber, p99Ms: storedNumber })
  .nullable();
const lag = z
  .object({
    sampleCount: storedNumber,
    meanSeconds: storedNumber,
    p50Seconds: storedNumber,
    p99Seconds: storedNumber,
  })
  .nullable();
const fallbackReason = z.enum(FALLBACK_REASONS);

/** The shape of simulation's ScenarioResult; the compiler checks the match where a run is stored and read. */
const result = z.object({
  seed: storedNumber,
  basis,
  stepSeconds: storedNumber,
  durationSeconds: storedNumber,
  points: z.array(
    z.object({
      second: storedNumber,
      basis,
      uploadsPerSecond: storedNumber,
      occupancyBytes: storedNumber,
      occupancyBytesMax: storedNumber,
      stash: latency,
      direct: latency,
      purgeLag: lag,
      fallbacksPerSecond: storedNumber,
      fallbackReason: fallbackReason.nullable(),
      failuresPerSecond: storedNumber,
    }),
  ),
  stretches: z.array(
    z.object({
      fromSecond: storedNumber,
      toSecond: storedNumber,
      faults: z.string(),
      uploadCount: storedNumber,
      eventCount: storedNumber,
      rateScale: storedNumber,
    }),
  ),
  capacityBytes: storedNumber,
  usableBytes: storedNumber,
  timeToFull: z.object({ second: storedNumber, basis }).nullable(),
  uploadCount: z.object({ expected: storedNumber, run: storedNumber }),
  eventCount: storedNumber,
  stash: latency,
  direct: latency,
  withoutStash: latency,
  purgeLag: lag,
  fallbackCounts: z.record(fallbackReason, storedNumber),
  failureCount: storedNumber,
  stashDrive: z.object({
    utilisation: storedNumber,
    shardsPerCommit: storedNumber,
    waitUsMean: storedNumber,
    sampleCount: storedNumber,
  }),
  formula: z.object({
    occupancyBytesByLittle: storedNumber,
    occupancyBytesSimulated: storedNumber,
    differencePercent: storedNumber,
    residenceSecondsByFormula: storedNumber,
    residenceSecondsSimulated: z.number().nullable(),
    requiredBytesByFormula: storedNumber,
    requiredBytesOfAwayPods: storedNumber,
    highestBytesSimulated: storedNumber,
  }),
});

export const simulationRunColumns = {
  state: wordColumn("simulation_run.state", simulationStates),
  scenario: jsonColumn("simulation_run.scenario", scenarioSchema),
  /** A list shows only the seed, so the rest of the scenario, which may hold a long trace, is not parsed. */
  seed: jsonColumn("simulation_run.scenario", z.object({ seed: z.number() })),
  measured: jsonColumn("simulation_run.measured", measuredUploadsSchema),
  progress: jsonColumn("simulation_run.progress", progress),
  result: jsonColumn("simulation_run.result", result),
};
