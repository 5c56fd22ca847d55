import type { Scenario } from "@stashlight/contracts";
import { smallScenario } from "@stashlight/simulation/scenario/testing";

/** As the simulation's own tests have it, with half of their load. */
export function testScenario(changes: Partial<Scenario> = {}): Scenario {
  return {
    ...smallScenario,
    seed: 1,
    arrivals: { type: "steady", uploadsPerSecond: 10 },
    ...changes,
  };
}
