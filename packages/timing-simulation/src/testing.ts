import { recordSizes } from "@stashlight/contracts/space";
import { stashMarks } from "@stashlight/contracts/thresholds";
import type { ScenarioOptions } from "./options.ts";

/** Twenty pods, seven stash servers of three drives; all of it run in full. */
export const smallScenario = {
  seed: 7,
  durationSeconds: 60,
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  stashServers: 7,
  drivesPerServer: 3,
  stashDrive: { type: "catalogue", driveId: "micron-7450-max-3.2tb" },
  stashBytesPerDrive: 1e12,
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
  arrivals: { type: "steady", uploadsPerSecond: 20 },
  sizes: [{ bytes: 256_000, share: 1 }],
  isStashEnabled: true,
  faults: [],
  exactUploadCountMax: 50_000,
} satisfies ScenarioOptions;

export function scenario(changes: Partial<ScenarioOptions> = {}): ScenarioOptions {
  return { ...smallScenario, ...changes };
}
