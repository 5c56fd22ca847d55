/**
 * Measures how often verdicts are wrong, right or undecided in a simulated world, using the product's own functions.
 */
import { compareLegs, type PairedComparison } from "../../compare.ts";
import { judgeContests } from "../../fastest.ts";
import { meanInterval } from "../../mean-interval.ts";
import { RUNS_MIN } from "../../paired-means.ts";
import { createRandom } from "../../random.ts";
import type { Interval } from "../../sorted.ts";
import { summariseRun } from "../../summary.ts";
import type { MinimumEffect } from "../../verdict.ts";
import {
  firstSlots,
  LEVEL_MS,
  meanOfWorld,
  medianOfWorld,
  type SimulatedPair,
  simulatePair,
  simulateSamples,
  someSlots,
  type World,
} from "./world.ts";

export interface CalibrateInput {
  readonly world: World;
  readonly trialCount: number;
  readonly seed: number;
  /** Number of slots; evaluates after every slot from the sixth. */
  readonly slotCount: number;
  readonly minimumEffect: MinimumEffect;
}

/** Each figure is a share of the trials. */
export interface PairCalibration {
  /** Trials that call an endpoint faster that is not, at any look. */
  readonly falseWinner: number;
  /** Trials that call the faster endpoint faster, at the last look and at any. */
  readonly found: number;
  readonly foundByThen: number;
  /** Trials that call the difference too little to matter, at any look and at the last one. */
  readonly tooLittle: number;
  readonly tooLittleAtLast: number;
  /** Trials that call one of two equally failing endpoints the more successful, at any look. */
  readonly falseSuccess: number;
  readonly withheld: number;
  readonly withheldAtLast: number;
}

/** Compares two endpoints after every slot. */
export function calibratePair({
  world,
  trialCount,
  seed,
  slotCount,
  minimumEffect,
}: CalibrateInput): PairCalibration {
  const random = createRandom(seed);
  const count = {
    falseWinner: 0,
    found: 0,
    foundByThen: 0,
    tooLittle: 0,
    tooLittleAtLast: 0,
    falseSuccess: 0,
    withheld: 0,
    withheldAtLast: 0,
  };
  for (let trial = 0; trial < trialCount; trial += 1) {
    const looks = lookAtEvery(simulatePair(world, slotCount, random), slotCount, minimumEffect);
    const isFaster = looks.map(
      ({ verdict }) => verdict.kind === "faster" && world.effect > 0 && verdict.which === "a",
    );
    const isWrong = looks.some(({ verdict }, i) => verdict.kind === "faster" && !isFaster[i]);
    const isSmall = looks.map(
      ({ verdict }) => verdict.kind === "not distinguishable" && verdict.because === "minimum",
    );
    const isWithheld = looks.map(({ verdict }) => verdict.kind === "unequal success");
    count.falseWinner += Number(isWrong);
    count.found += Number(isFaster.at(-1));
    count.foundByThen += Number(isFaster.includes(true));
    count.tooLittle += Number(isSmall.includes(true));
    count.tooLittleAtLast += Number(isSmall.at(-1));
    const [failedA, failedB] = world.failedShares;
    count.falseSuccess += Number(
      failedA === failedB &&
        looks.some(({ verdict }) => verdict.kind === "unequal success" && verdict.better !== null),
    );
    count.withheld += Number(isWithheld.includes(true));
    count.withheldAtLast += Number(isWithheld.at(-1));
  }
  return countShares(count, trialCount);
}

function lookAtEvery(
  { a, b }: SimulatedPair,
  slotCount: number,
  minimumEffect: MinimumEffect,
): PairedComparison[] {
  return Array.from({ length: slotCount - RUNS_MIN + 1 }, (_, look) =>
    compareAt({ a, b }, RUNS_MIN + look, minimumEffect),
  );
}

function compareAt(
  { a, b }: SimulatedPair,
  slotCount: number,
  minimumEffect: MinimumEffect,
): PairedComparison {
  const legs = [firstSlots(a, slotCount), firstSlots(b, slotCount)];
  return compareLegs({ legs, pairs: [[0, 1]], minimumEffect }).pairs[0] as PairedComparison;
}

/**
 * Compares equal endpoints over periods of `windowSlots` slots, each look covering that many of the newest slots, as a
 * schedule's verdict does. Returns for each period the share of trials in which any of its looks names a winner. The
 * looks of the first period are nested, those of later ones are not: no guarantee holds forever.
 */
export function calibrateRolling(
  { world, trialCount, seed, slotCount, minimumEffect }: CalibrateInput,
  windowSlots: number,
): number[] {
  const random = createRandom(seed);
  const periods = new Array<number>(Math.floor(slotCount / windowSlots)).fill(0);
  for (let trial = 0; trial < trialCount; trial += 1) {
    const { a, b } = simulatePair(world, slotCount, random);
    for (const period of periods.keys()) {
      const isNamed = Array.from({ length: windowSlots }, (_, i) => period * windowSlots + i + 1)
        .filter((end) => end >= RUNS_MIN)
        .some((end) => {
          const from = Math.max(0, end - windowSlots);
          const legs = [someSlots(a, from, end), someSlots(b, from, end)];
          return compareLegs({ legs, pairs: [[0, 1]], minimumEffect }).pairs[0]?.verdict.kind === "faster";
        });
      if (isNamed) periods[period] = (periods[period] as number) + 1 / trialCount;
    }
  }
  return periods;
}

export interface TableCalibration {
  /** Share of tables in which a cell of equal endpoints has a fastest one at any look. */
  readonly falseFastest: number;
  /** Share of cells whose faster endpoint is the fastest at the last look. */
  readonly found: number;
}

/** Evaluates a table of cells of two endpoints after every slot, with the correction that a page uses. */
export function calibrateTable(
  { world, trialCount, seed, slotCount, minimumEffect }: CalibrateInput,
  cellCount: number,
): TableCalibration {
  const random = createRandom(seed);
  const count = { falseFastest: 0, found: 0 };
  for (let trial = 0; trial < trialCount; trial += 1) {
    const pairs = Array.from({ length: cellCount }, () => simulatePair(world, slotCount, random));
    let isWrong = false;
    let found = 0;
    for (let slots = RUNS_MIN; slots <= slotCount; slots += 1) {
      const cells = pairs.map(({ a, b }) => [
        { a: 0, b: 1, runs: { a: firstSlots(a, slots), b: firstSlots(b, slots) }, isTested: true },
      ]);
      const contests = judgeContests({ cells, minimumEffect }).cells;
      isWrong ||= contests.some(({ fastest }) => fastest !== null && (world.effect === 0 || fastest === 1));
      found = contests.filter(({ fastest }) => fastest === 0 && world.effect > 0).length;
    }
    count.falseFastest += Number(isWrong);
    count.found += found / cellCount;
  }
  return countShares(count, trialCount);
}

export interface Coverage {
  readonly ratio: number;
  readonly difference: number;
  readonly shift: number;
  readonly mean: number;
}

/** Coverage of the displayed intervals at one look. */
export function measureCoverage({
  world,
  trialCount,
  seed,
  slotCount,
}: Omit<CalibrateInput, "minimumEffect">): Coverage {
  const random = createRandom(seed);
  const [meanMs, medianMs] = [meanOfWorld(world), medianOfWorld(world)];
  const count = { ratio: 0, difference: 0, shift: 0, mean: 0 };
  for (let trial = 0; trial < trialCount; trial += 1) {
    const found = compareAt(simulatePair(world, slotCount, random), slotCount, { kind: "share", share: 0 });
    count.ratio += Number(holds(found.ratio.interval, 1 / (1 + world.effect)));
    count.difference += Number(holds(found.difference.interval, -world.effect * meanMs));
    count.shift += Number(holds(found.shift.interval, -world.effect * medianMs));
    count.mean += Number(holds(found.meanA.interval, meanMs));
  }
  return countShares(count, trialCount);
}

/** Coverage of the interval displayed beside the median of one run. */
export function measureMedianCoverage(world: World, trialCount: number, seed: number): number {
  const { uint32 } = createRandom(seed);
  let held = 0;
  for (let trial = 0; trial < trialCount; trial += 1) {
    const ok = simulateSamples(world, LEVEL_MS, uint32);
    held += Number(holds(summariseRun({ ok, censored: [] }).medianInterval, medianOfWorld(world)));
  }
  return held / trialCount;
}

/** Coverage of the interval of the mean of a few runs, as the command line prints it, for the mean of all runs. */
export function measureMeanCoverage(
  world: World,
  runCount: number,
  trialCount: number,
  seed: number,
): number {
  const random = createRandom(seed);
  const meanMs = meanOfWorld(world);
  let held = 0;
  for (let trial = 0; trial < trialCount; trial += 1) {
    const { mean } = simulatePair(world, runCount, random).a;
    held += Number(holds(meanInterval(mean).interval, meanMs));
  }
  return held / trialCount;
}

const holds = (interval: Interval | null, truth: number): boolean =>
  interval !== null && interval.low <= truth && truth <= interval.high;

function countShares<Counts extends { readonly [name: string]: number }>(
  counts: Counts,
  trialCount: number,
): Counts {
  return Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count / trialCount]),
  ) as Counts;
}
