/**
 * Upload times beside one slow drive, by the simulation: what a quarantine of it would change. A vault in which the drive
 * takes no part has one stash device fewer, or a pod that is away; the slow drive is 8 times as slow.
 */

import { recordSizes } from "@stashlight/contracts/space/record-size";
import { type ScenarioOptions, type ScenarioResult, simulateScenario } from "@stashlight/timing-simulation";
import type { Measurement } from "./measurement.ts";

const DURATION_SECONDS = 240;
const FACTOR = 8;

const scenario = {
  seed: 7,
  durationSeconds: DURATION_SECONDS,
  scheme: { dataShardCount: 16, parityShardCount: 4 },
  stashServers: 21,
  drivesPerServer: 1,
  stashDrive: { type: "catalogue", driveId: "micron-7450-max-3.2tb" },
  stashBytesPerDrive: 1e12,
  fullShare: 0.75,
  shardsPerCommitMax: 10_000,
  stashSharedShare: 0,
  /** Each server pauses now and then: the slowest of 20 is what the spare shard is for. */
  stashStalls: { perMinute: 6, ms: 40 },
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
} as const satisfies ScenarioOptions;

const always = { atSecond: 0, durationSeconds: DURATION_SECONDS } as const;
const slow = (of: "pod" | "stash") => [{ type: "slow drive", ...always, of, factor: FACTOR }] as const;
const away = [{ type: "pod outage", ...always, podCount: 1 }] as const;

interface Case {
  readonly name: string;
  readonly changes: Partial<ScenarioOptions>;
}

const stashCases: readonly Case[] = [
  { name: "21 stash devices, none slow", changes: {} },
  { name: "one of 21 slow", changes: { faults: slow("stash") } },
  { name: "the slow one in quarantine", changes: { stashServers: 20 } },
];
const podCases: readonly Case[] = [
  { name: "direct path, 20 pods, none slow", changes: {} },
  { name: "direct path, one of 20 slow", changes: { faults: slow("pod") } },
  { name: "direct path, the slow one left out", changes: { faults: away } },
];

export async function benchQuarantine(say: (line: string) => void): Promise<Measurement[]> {
  return [
    ...run(stashCases, ({ stash }) => stash, say),
    ...run(
      podCases.map(({ name, changes }) => ({ name, changes: { ...changes, isStashEnabled: false } })),
      ({ direct }) => direct,
      say,
    ),
  ];
}

function run(
  cases: readonly Case[],
  figuresOf: (result: ScenarioResult) => ScenarioResult["stash"],
  say: (line: string) => void,
): Measurement[] {
  let first: number | null = null;
  return cases.flatMap(({ name, changes }): Measurement[] => {
    const figures = figuresOf(simulateScenario({ ...scenario, ...changes }));
    if (figures === null) return [];
    const { p50Ms, p99Ms, sampleCount } = figures;
    say(`${name}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${sampleCount} uploads`);
    first ??= p99Ms;
    return [{ name: `p99, ${name}`, value: p99Ms, unit: "ms", against: { name: "none slow", value: first } }];
  });
}
