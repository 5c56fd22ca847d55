/**
 * The simulation, on one core. An event is one step of one protocol state machine: a message, a timer, a disk's answer
 * or a client's request. Time is CPU time, including checks and models around the state machines.
 */
import assert from "node:assert/strict";
import { drawOptions, type RunOptions, run } from "@stashlight/simulation";
import type { Measurement } from "./measurement.ts";

const roundCount = 7;
const seeds = Array.from({ length: 24 }, (_, i) => i + 1);
const targetEventsPerSecond = 200_000;

interface Contestant {
  readonly name: string;
  readonly runs: readonly RunOptions[];
}

export async function benchSim(say: (line: string) => void): Promise<Measurement[]> {
  const drawn = seeds.map((seed) => drawOptions(seed));
  const onRecords: Contestant = {
    name: "simulated events, disks of records",
    runs: drawn.map((options) => ({ ...options, medium: "records" })),
  };
  const onLog: Contestant = {
    name: "simulated events, the shard log on disks",
    runs: drawn.map((options) => ({ ...options, medium: "log" })),
  };
  const asDrawn: Contestant = { name: "simulated events, as seeds draw them", runs: drawn };
  say(`Simulation: ${seeds.length} seeds on two kinds of disk, ${roundCount} rounds.`);
  const speeds = medianSpeeds([asDrawn, onRecords, onLog]);
  const row = ({ name }: Contestant, against: Measurement["against"]): Measurement => {
    return { name, value: speeds.get(name) as number, unit: "1/s", against };
  };
  const target = { name: "target", value: targetEventsPerSecond };
  const records = { name: onRecords.name, value: speeds.get(onRecords.name) as number };
  return [row(asDrawn, target), row(onRecords, target), row(onLog, records)];
}

/** Runs every contestant once per round. The first round warms up the code and does not count. */
function medianSpeeds(contestants: readonly Contestant[]): Map<string, number> {
  const speeds = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= roundCount; round += 1) {
    for (const { name, runs } of contestants) {
      const speed = eventsPerSecond(runs);
      if (round > 0) speeds.get(name)?.push(speed);
    }
  }
  return new Map(
    [...speeds].map(([name, values]) => [
      name,
      values.toSorted((a, b) => a - b)[values.length >> 1] as number,
    ]),
  );
}

function eventsPerSecond(runs: readonly RunOptions[]): number {
  const start = process.cpuUsage();
  let eventCount = 0;
  for (const options of runs) {
    const result = run(options);
    assert.deepEqual(
      result.violations,
      [],
      `Seed ${options.seed} must hold before its speed means anything.`,
    );
    eventCount += result.eventCount;
  }
  const spent = process.cpuUsage(start);
  return eventCount / ((spent.user + spent.system) / 1e6);
}
