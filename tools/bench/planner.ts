/**
 * Cost of a plan while the user types: a sizing with all its reasons on the main thread, and 10,000 draws of uncertain
 * inputs off it. CPU time of one thread, so that a busy machine gives the same result; the first of each is the wait of
 * a freshly opened page, before the code is optimised.
 */
import {
  checkRanges,
  checkStashPlanInput,
  DRAWS_DEFAULT,
  defaultPlanInput,
  describeLiveDurability,
  describeRemedy,
  explainPlan,
  judgeLiveDurability,
  type LiveVault,
  listLiveFigures,
  planVariables,
  rangeAround,
  runMonteCarlo,
  type StashPlanInput,
} from "@stashlight/planner";
import type { Measurement } from "./measurement.ts";
import { median } from "./rounds.ts";

const ROUNDS = 101;
const DRAW_ROUNDS = 7;
const SIZES = 8;
/** 1,000 drives. */
const LIVE_VAULTS = 50;
const LIVE_PODS = 20;
/** Each input may be 30 % off: more uncertain inputs than a user fills in. */
const UNSURE = 0.3;

export async function benchPlanner(say: (line: string) => void): Promise<Measurement[]> {
  const input: StashPlanInput = {
    ...defaultPlanInput,
    objects: Array.from({ length: SIZES }, (_, at) => ({ bytes: 4000 * 2 ** at, share: SIZES - at })),
    uploadsPerSecond: 16_000,
    growthPerYear: 0.4,
    installed: { servers: 7, drivesPerServer: 10, driveCapacityBytes: null, driveFsyncPerSecond: null },
    podFlushBytesPerSecond: 400e6,
  };
  const ranges = planVariables.map((variable) => rangeAround(input, variable, UNSURE));
  if (checkRanges(ranges).ranges === null) throw new Error("The bench's ranges are refused by the planner.");
  say(`planner: ${ROUNDS} sizings, ${DRAW_ROUNDS} x ${DRAWS_DEFAULT} draws of ${ranges.length} inputs`);
  const sizings = times(ROUNDS, () => {
    const checked = checkStashPlanInput(input);
    if (checked.input !== null) explainPlan(checked.input);
  });
  const draws = times(DRAW_ROUNDS, (round) => runMonteCarlo({ input, ranges, seed: round }));
  const lives = times(ROUNDS, judgeLiveVaults);
  const row = (name: string, value: number, against: Measurement["against"]): Measurement => ({
    name,
    value,
    against,
    unit: "ms",
  });
  const sizing = { name: "the 5 ms of a keystroke", value: 5 };
  const judging = { name: "its budget of 50 ms", value: 50 };
  const drawing = { name: "its budget of 500 ms", value: 500 };
  return [
    row("sizing with reasons, first", sizings[0] ?? 0, sizing),
    row("sizing with reasons, median", median(sizings), sizing),
    row(`Monte Carlo of ${DRAWS_DEFAULT}, first`, draws[0] ?? 0, drawing),
    row(`Monte Carlo of ${DRAWS_DEFAULT}, median`, median(draws), drawing),
    row(`live durability of ${LIVE_VAULTS * LIVE_PODS} drives, first`, lives[0] ?? 0, judging),
    row(`live durability of ${LIVE_VAULTS * LIVE_PODS} drives, median`, median(lives), judging),
  ];
}

/** The sentences and figures of vaults of 16+4, in each of which two pods are missing: the most expensive case. */
function judgeLiveVaults(): void {
  for (let vault = 0; vault < LIVE_VAULTS; vault += 1) {
    const live = liveVault(vault);
    const judged = judgeLiveDurability(live);
    if (judged.kind === "unknown") throw new Error(judged.reason);
    describeLiveDurability(judged);
    describeRemedy(judged);
    listLiveFigures(live, judged);
  }
}

function liveVault(vault: number): LiveVault {
  const seen = { count: LIVE_PODS, ageSeconds: 5 };
  const pods = Array.from({ length: LIVE_PODS }, (_, pod) => ({
    pod,
    missingBytes: 1e11,
    secondsLeft: null,
    model: null,
    isSuspect: false,
    state: pod === 0 ? ("away" as const) : pod === 1 ? ("rebuilding" as const) : ("whole" as const),
  }));
  return {
    scheme: { dataShards: 16, parityShards: 4 },
    pods,
    podBytes: { ...seen, bytes: 16e12 - vault },
    rebuild: { ...seen, median: 32e6, low: 20e6, high: 40e6 },
    rebuildLimit: 32e6,
    models: [],
    seen: { failures: 3, driveYears: 200 },
    scrub: { ...seen, oldestSeconds: 2e6 },
    stash: { ...seen, bytes: 1e9, oldestSeconds: 30 },
    objectBytes: 256_000,
  };
}

/** Milliseconds of processor time of each round. */
function times(count: number, run: (round: number) => unknown): number[] {
  return Array.from({ length: count }, (_, round) => {
    const before = process.cpuUsage();
    run(round);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
}
