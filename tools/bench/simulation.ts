/**
 * Simulator scenarios: an hour of one vault at 1,000 uploads per second, with an outage of ten minutes, in machine
 * steps per second of one core. Uses CPU time, so other load does not count.
 */

import { recordSizes } from "@stashlight/contracts/space/record-size";
import { stashMarks } from "@stashlight/contracts/thresholds";
import { type ScenarioOptions, simulateScenario } from "@stashlight/timing-simulation";
import type { Measurement } from "./measurement.ts";

const msTarget = 60_000;
const eventsPerSecondTarget = 100_000;

const hour: ScenarioOptions = {
  seed: 1,
  durationSeconds: 3600,
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  stashServers: 7,
  drivesPerServer: 10,
  stashDrive: { type: "catalogue", driveId: "micron-7450-max-3.2tb" },
  stashBytesPerDrive: 3e12,
  fullShare: stashMarks.fullShare,
  shardsPerCommitMax: 10_000,
  stashSharedShare: 0,
  stashStalls: null,
  podDrive: { type: "catalogue", driveId: "seagate-exos-x16-16tb" },
  networkUsMin: 50,
  networkUsMax: 150,
  messageUs: null,
  stashMessageUs: null,
  alike: null,
  processor: { type: "constant", usPerUpload: 200 },
  nodeUsPerShard: 10,
  ...recordSizes,
  arrivals: { type: "steady", uploadsPerSecond: 1000 },
  sizes: [{ bytes: 256_000, share: 1 }],
  isStashEnabled: true,
  faults: [{ type: "pod outage", atSecond: 900, durationSeconds: 600, podCount: 1 }],
  exactUploadCountMax: 50_000,
};

export async function benchSimulation(say: (line: string) => void): Promise<Measurement[]> {
  say("Simulator: an hour of one vault at 1,000 uploads a second.");
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
