import type { Scenario, ScenarioResult } from "@stashlight/contracts/planner";
import { smallScenario } from "@stashlight/timing-simulation/testing";

/** The scenario of the simulation's own tests, with half of their load. */
export function testScenario(changes: Partial<Scenario> = {}): Scenario {
  return {
    ...smallScenario,
    seed: 1,
    arrivals: { type: "steady", uploadsPerSecond: 10 },
    ...changes,
  };
}

/** A result with one point, as a worker stores it. */
export function testScenarioResult(seed: number): ScenarioResult {
  const latency = { sampleCount: 100, p50Ms: 4, p90Ms: 6, p99Ms: 9 };
  return {
    seed,
    basis: "exact",
    stepSeconds: 10,
    durationSeconds: 10,
    points: [
      {
        second: 0,
        basis: "exact",
        uploadsPerSecond: 10,
        occupancyBytes: 1e6,
        occupancyBytesMax: 2e6,
        stash: latency,
        direct: null,
        purgeLag: null,
        fallbacksPerSecond: 0.5,
        fallbackReason: "stash full",
        failuresPerSecond: 0,
      },
    ],
    stretches: [
      { fromSecond: 0, toSecond: 10, faults: "none", uploadCount: 100, eventCount: 5000, rateScale: 1 },
    ],
    capacityBytes: 1e9,
    usableBytes: 7.5e8,
    timeToFull: { second: 9, basis: "joined" },
    uploadCount: { expected: 100, run: 100 },
    eventCount: 5000,
    stash: latency,
    direct: null,
    withoutStash: null,
    purgeLag: { sampleCount: 10, meanSeconds: 1, p50Seconds: 1, p99Seconds: 2 },
    fallbackCounts: { "stash full": 5, "too few stash drives": 0, "stash too slow": 0 },
    failureCount: 0,
    stashDrive: { utilisation: 0.1, shardsPerCommit: 3, waitUsMean: 200, sampleCount: 30 },
    formula: {
      occupancyBytesByLittle: 1e6,
      occupancyBytesSimulated: 1.1e6,
      differencePercent: 10,
      residenceSecondsByFormula: 1,
      residenceSecondsSimulated: null,
      requiredBytesByFormula: 3e6,
      requiredBytesOfAwayPods: 0,
      highestBytesSimulated: 2e6,
    },
  };
}
