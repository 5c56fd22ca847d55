/**
 * Simulated upload times with one slow drive, and with that drive quarantined. A vault without the drive has one stash
 * device fewer, or one pod is away; the slow drive takes 8 times as long.
 */

import type { ScenarioResult } from "@stashlight/contracts/planner";
import { type ScenarioOptions, simulateScenario } from "@stashlight/timing-simulation";
import { scenario } from "@stashlight/timing-simulation/testing";
import type { Measurement } from "./measurement.ts";

const DURATION_SECONDS = 240;
const FACTOR = 8;

const base = scenario({
  durationSeconds: DURATION_SECONDS,
  stashServers: 21,
  drivesPerServer: 1,
  /** Each server pauses now and then; the spare shard replaces the slowest of 20. */
  stashStalls: { perMinute: 6, ms: 40 },
});

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
    const figures = figuresOf(simulateScenario({ ...base, ...changes }));
    if (figures === null) return [];
    const { p50Ms, p99Ms, sampleCount } = figures;
    say(`${name}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, ${sampleCount} uploads`);
    first ??= p99Ms;
    return [{ name: `p99, ${name}`, value: p99Ms, unit: "ms", against: { name: "none slow", value: first } }];
  });
}
