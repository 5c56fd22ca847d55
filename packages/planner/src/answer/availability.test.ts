import { YEAR_SECONDS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { defaultPlanInput } from "../sizing/defaults.ts";
import {
  answerAvailability,
  type MachineOutages,
  spreadPods,
  uploadStop,
  type VaultMachines,
} from "./availability.ts";

const HOUR = 3600;

/** Shares of time by all subsets of machines that may be away. */
function enumeratedFailureSeconds(
  { podsByMachine, coordinators }: VaultMachines,
  { failuresPerYear, repairSeconds }: MachineOutages,
): number {
  const load = (failuresPerYear * repairSeconds) / YEAR_SECONDS;
  const away = load / (1 + load);
  const machines = [...podsByMachine, ...new Array<number>(coordinators).fill(0)];
  let share = 0;
  let subsetCount = 0;
  for (let subset = 0; subset < 2 ** machines.length; subset += 1) {
    subsetCount += 1;
    const isAway = (at: number): boolean => (subset & (1 << at)) !== 0;
    const podsAway = podsByMachine.reduce((sum, pods, at) => sum + (isAway(at) ? pods : 0), 0);
    const coordinatorsAway = machines.filter((pods, at) => pods === 0 && isAway(at)).length;
    if (podsAway <= 1 && coordinatorsAway < coordinators) continue;
    share += machines.reduce((product, _, at) => product * (isAway(at) ? away : 1 - away), 1);
  }
  expect(subsetCount).toBe(2 ** machines.length);
  return share * YEAR_SECONDS;
}

/** A small generator of pseudorandom numbers between 0 and 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seconds a year without uploads, by the life of each machine from event to event. */
function simulatedStopSeconds(
  { podsByMachine, coordinators }: VaultMachines,
  { failuresPerYear, repairSeconds, restartsPerYear, restartSeconds }: MachineOutages,
  years: number,
): number {
  const random = randomFrom(7);
  const machines = [...podsByMachine, ...new Array<number>(coordinators).fill(0)];
  const lifetime = (): number => (-Math.log(1 - random()) / failuresPerYear) * YEAR_SECONDS;
  /** When each machine changes next, and whether it has failed. */
  const lives = machines.map(() => ({ hasFailed: false, atSeconds: lifetime() }));
  let planned: { machine: number; untilSeconds: number } | null = null;
  let [nextPlanned, plannedMachine] = [0, 0];
  const betweenPlanned =
    restartsPerYear === 0 ? Infinity : YEAR_SECONDS / (restartsPerYear * machines.length);
  if (restartsPerYear === 0) nextPlanned = Infinity;
  const isAway = (at: number): boolean => lives[at]?.hasFailed === true || planned?.machine === at;
  const isStopped = (): boolean => {
    const podsAway = podsByMachine.reduce((sum, pods, at) => sum + (isAway(at) ? pods : 0), 0);
    return podsAway > 1 || machines.every((pods, at) => pods > 0 || isAway(at));
  };
  let [nowSeconds, stoppedSeconds] = [0, 0];
  while (nowSeconds < years * YEAR_SECONDS) {
    if (planned === null && nowSeconds >= nextPlanned && !machines.some((_, at) => isAway(at))) {
      planned = { machine: plannedMachine, untilSeconds: nowSeconds + restartSeconds };
      plannedMachine = (plannedMachine + 1) % machines.length;
      nextPlanned += betweenPlanned;
    }
    const dueSeconds = planned?.untilSeconds ?? (nextPlanned > nowSeconds ? nextPlanned : Infinity);
    const next = lives.reduce(
      (best, life, at) => (life.atSeconds < (lives[best]?.atSeconds ?? 0) ? at : best),
      0,
    );
    const life = lives[next] as (typeof lives)[number];
    const untilSeconds = Math.min(dueSeconds, life.atSeconds);
    if (isStopped()) stoppedSeconds += untilSeconds - nowSeconds;
    nowSeconds = untilSeconds;
    if (planned !== null && planned.untilSeconds <= nowSeconds) planned = null;
    if (life.atSeconds > nowSeconds) continue;
    life.hasFailed = !life.hasFailed;
    life.atSeconds = nowSeconds + (life.hasFailed ? repairSeconds : lifetime());
  }
  return stoppedSeconds / years;
}

const harsh = {
  failuresPerYear: 12,
  repairSeconds: 10 * HOUR,
  restartsPerYear: 24,
  restartSeconds: 2 * HOUR,
};

const rows: [string, VaultMachines][] = [
  ["one pod a machine", { podsByMachine: spreadPods(6, 1), coordinators: 2 }],
  ["two pods a machine", { podsByMachine: spreadPods(6, 2), coordinators: 2 }],
  ["pods that do not divide evenly", { podsByMachine: spreadPods(5, 2), coordinators: 3 }],
  ["all pods on one machine", { podsByMachine: [6], coordinators: 2 }],
  ["one coordinator", { podsByMachine: spreadPods(6, 1), coordinators: 1 }],
];

test.each(rows)(
  "the time lost to failures matches an enumeration of all subsets of machines: %s",
  (_, machines) => {
    const { failureSeconds } = uploadStop(machines, harsh);
    expect(failureSeconds / enumeratedFailureSeconds(machines, harsh)).toBeCloseTo(1, 9);
  },
);

test.each(rows)(
  "the time without uploads is within 5 %% of a simulation of 3,000 years: %s",
  (_, machines) => {
    const { stoppedSeconds } = uploadStop(machines, harsh);
    const ratio = stoppedSeconds / simulatedStopSeconds(machines, harsh, 3000);
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.05);
  },
);

test("without failures, restarts stop no uploads with one pod per machine, and all uploads with two", () => {
  const calm = { ...harsh, failuresPerYear: 0 };
  const single = uploadStop({ podsByMachine: spreadPods(20, 1), coordinators: 2 }, calm);
  expect(single).toEqual({ plannedSeconds: 0, failureSeconds: 0, stoppedSeconds: 0 });
  const twice = uploadStop({ podsByMachine: spreadPods(20, 2), coordinators: 2 }, calm);
  expect(twice.plannedSeconds).toBe(10 * 24 * 2 * HOUR);
});

test("a plan compares its layout with others, and its sentence names the reason", () => {
  const plan = answerAvailability({ ...defaultPlanInput, podsPerMachine: 2 }, 3);
  expect(
    plan.layouts.map(({ podsOnEach, machines, isPlanned }) => [podsOnEach, machines, isPlanned]),
  ).toEqual([
    [1, 20, false],
    [2, 10, true],
    [4, 5, false],
  ]);
  expect(plan.sentence).toMatch(
    /^With 2 pods per machine \(10 machines\) and 3 coordinators, uploads stop for /,
  );
  expect(plan.sentence).toContain("An upload needs all pods but one");
  const single = answerAvailability({ ...defaultPlanInput, podsPerMachine: 1 }, 1);
  expect(single.sentence).toMatch(/^With one pod per machine/);
  expect(single.sentence).toContain("only coordinator");
});
