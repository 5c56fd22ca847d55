/**
 * Simulator scenarios: an hour of one vault at 1,000 uploads per second, with an outage of ten minutes, in machine
 * steps per second of one core. Uses CPU time, so other load does not count.
 */

import { simulateScenario } from "@stashlight/timing-simulation";
import { scenario } from "@stashlight/timing-simulation/testing";
import type { Measurement } from "./measurement.ts";

const msTarget = 60_000;
const eventsPerSecondTarget = 100_000;

const hour = scenario({
  seed: 1,
  durationSeconds: 3600,
  drivesPerServer: 10,
  stashBytesPerDrive: 3e12,
  arrivals: { type: "steady", uploadsPerSecond: 1000 },
  faults: [{ type: "pod outage", atSecond: 900, durationSeconds: 600, podCount: 1 }],
});

export async function benchSimulation(say: (line: string) => void): Promise<Measurement[]> {
  say("Simulator: an hour of one vault at 1,000 uploads per second.");
  const start = process.cpuUsage();
  const { eventCount, uploadCount } = simulateScenario(hour);
  const spent = process.cpuUsage(start);
  const seconds = (spent.user + spent.system) / 1e6;
  say(
    `${uploadCount.run} of ${uploadCount.expected} uploads were run message by message (${eventCount} machine steps), the others joined.`,
  );
  return [
    {
      name: "a simulated hour at 1,000 uploads/s",
      value: seconds * 1000,
      unit: "ms",
      against: { name: "target", value: msTarget },
    },
    {
      name: "machine steps of a scenario",
      value: eventCount / seconds,
      unit: "1/s",
      against: { name: "target", value: eventsPerSecondTarget },
    },
  ];
}
