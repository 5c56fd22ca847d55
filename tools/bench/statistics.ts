/**
 * Error rates, coverage and power of the verdict rules, over worlds whose truth is known and through the product's own
 * functions. Results do not depend on the machine.
 */
import {
  calibratePair,
  calibrateRolling,
  calibrateTable,
  measureCoverage,
  measureMeanCoverage,
  measureMedianCoverage,
  peekingShares,
  quietWorld,
  simulatePeeking,
  type World,
  weightedLevels,
} from "@stashlight/stats/calibration/testing";
import { createRandom } from "@stashlight/stats/random";
import type { Measurement } from "./measurement.ts";

type PrintLine = (line: string) => void;

const SEED = 2026;
const PAIR_TRIALS = 2000;
const TABLE_TRIALS = 400;
const COVERAGE_TRIALS = 3000;
const PATH_COUNT = 200_000;
const CELL_COUNT = 12;
const LOOKED_SLOTS = 40;

const anyEffect = { kind: "share", share: 0 } as const;
const fivePercent = { kind: "share", share: 0.05 } as const;
const promised = { name: "the 5 % that are promised", value: 5 };
const covered = { name: "the 95 % that are printed", value: 95 };
const wanted = { name: "the 80 % that are wanted", value: 80 };

const world = (name: string, of: Partial<World>): World => ({ ...quietWorld, ...of, name });
const deviations = [0, 0.02, 0.05, 0.1, 0.2];
const correlations = [0, 0.4, 0.7];
const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Equal endpoints under disturbances that must not mislead a verdict. */
const equalWorlds: readonly World[] = [
  ...deviations.flatMap((runDeviation) =>
    correlations.map((correlation) =>
      world(`run deviation ${percent(runDeviation)}, samples correlated ${correlation}`, {
        runDeviation,
        correlation,
      }),
    ),
  ),
  world("clock of 10 ms at 100 ms", { shape: "coarse clock" }),
  world("the same, run deviation 10 %", { shape: "coarse clock", runDeviation: 0.1 }),
  world("skewed samples, run deviation 10 %", { shape: "skewed", runDeviation: 0.1 }),
  world("Pareto samples of index 2.5", { shape: "pareto" }),
  world("the same, correlated 0.7, run deviation 10 %", {
    shape: "pareto",
    runDeviation: 0.1,
    correlation: 0.7,
  }),
  world("2 % fail at random, run deviation 5 %", { failedShares: [0.02, 0.02], runDeviation: 0.05 }),
  world("5 % fail in bursts, run deviation 5 %", {
    failedShares: [0.05, 0.05],
    failing: "bursts",
    runDeviation: 0.05,
  }),
  world("10 % of runs fail as a whole, run deviation 5 %", {
    failedShares: [0.1, 0.1],
    failing: "whole runs",
    runDeviation: 0.05,
  }),
  world("both become twice as slow, run deviation 5 %", { drift: 1, runDeviation: 0.05 }),
];
/** Worlds that violate an assumption: dependent slots, and an order that matters. */
const brokenWorlds: readonly World[] = [
  world("neighbouring slots correlated 0.3", { slotCorrelation: 0.3, runDeviation: 0.05 }),
  world("neighbouring slots correlated 0.5", { slotCorrelation: 0.5, runDeviation: 0.05 }),
  world("the first of a slot is 8 % slower", { orderEffect: 0.08, runDeviation: 0.02 }),
];
const coverageWorlds: readonly World[] = [
  ...deviations.map((runDeviation) =>
    world(`run deviation ${percent(runDeviation)}`, { runDeviation, effect: 0.1 }),
  ),
  world("run deviation 10 %, samples correlated 0.7", { runDeviation: 0.1, correlation: 0.7, effect: 0.1 }),
  world("skewed samples, run deviation 10 %", { shape: "skewed", runDeviation: 0.1, effect: 0.1 }),
  world("Pareto samples of index 2.5", { shape: "pareto", effect: 0.1 }),
  world("both become twice as slow, run deviation 5 %", { drift: 1, runDeviation: 0.05, effect: 0.1 }),
];

export async function benchStatistics(say: PrintLine): Promise<Measurement[]> {
  return [
    ...falseWinners(say),
    ...falseFastest(say),
    ...rolling(say),
    ...power(say),
    ...otherRules(say),
    ...coverage(say),
    ...peeking(say),
  ];
}

function row(name: string, share: number, against: Measurement["against"], say: PrintLine): Measurement {
  say(`${name}: ${(100 * share).toFixed(1)} %`);
  return { name, value: 100 * share, unit: "%", against };
}

const falseWinners = (say: PrintLine): Measurement[] =>
  [...equalWorlds, ...brokenWorlds].map((of) => {
    const input = { world: of, trialCount: PAIR_TRIALS, seed: SEED, slotCount: LOOKED_SLOTS };
    const { falseWinner } = calibratePair({ ...input, minimumEffect: anyEffect });
    return row(`false winner of a pair: ${of.name}`, falseWinner, promised, say);
  });

const falseFastest = (say: PrintLine): Measurement[] =>
  [0, 0.02, 0.05, 0.1, 0.2].map((runDeviation) => {
    const of = world("", { runDeviation, correlation: 0.5 });
    const input = {
      world: of,
      trialCount: TABLE_TRIALS,
      seed: SEED,
      slotCount: 24,
      minimumEffect: anyEffect,
    };
    const { falseFastest: share } = calibrateTable(input, CELL_COUNT);
    return row(
      `false fastest of ${CELL_COUNT} cells: run deviation ${percent(runDeviation)}`,
      share,
      promised,
      say,
    );
  });

function rolling(say: PrintLine): Measurement[] {
  const of = world("", { runDeviation: 0.1 });
  const input = {
    world: of,
    trialCount: TABLE_TRIALS,
    seed: SEED,
    slotCount: 4 * 56,
    minimumEffect: anyEffect,
  };
  return calibrateRolling(input, 56).map((share, period) =>
    row(`false winner of 14 rolling days: fortnight ${period + 1}`, share, promised, say),
  );
}

function power(say: PrintLine): Measurement[] {
  const find = (runDeviation: number, effect: number, slotCount: number) =>
    calibratePair({
      world: world("", { runDeviation, effect }),
      trialCount: PAIR_TRIALS,
      seed: SEED,
      slotCount,
      minimumEffect: fivePercent,
    });
  const ofPair = [
    { words: "10 % more time", effect: 0.1 },
    { words: "10 % less time", effect: 1 / 0.9 - 1 },
    { words: "25 % less time", effect: 1 / 0.75 - 1 },
  ].flatMap(({ words, effect }) =>
    [6, 10, 20].map((slotCount) => {
      const { found } = find(0.05, effect, slotCount);
      return row(`found: ${words}, ${slotCount} slots, run deviation 5 %`, found, wanted, say);
    }),
  );
  const input = {
    world: world("", { runDeviation: 0.05, effect: 0.1 }),
    trialCount: TABLE_TRIALS,
    seed: SEED,
  };
  const table = [10, 16].map((slotCount) => {
    const { found } = calibrateTable({ ...input, slotCount, minimumEffect: fivePercent }, CELL_COUNT);
    return row(
      `found in each of ${CELL_COUNT} cells: 10 % more time, ${slotCount} slots`,
      found,
      wanted,
      say,
    );
  });
  return [...ofPair, ...table];
}

function otherRules(say: PrintLine): Measurement[] {
  const input = { trialCount: PAIR_TRIALS, seed: SEED, minimumEffect: fivePercent };
  const at = (of: Partial<World>, slotCount: number) =>
    calibratePair({ ...input, world: world("", of), slotCount });
  const fails = { failing: "slowest", failedShares: [0.1, 0], runDeviation: 0.05, effect: 0.03 } as const;
  const boundary = at({ effect: 1 / 0.95 - 1, runDeviation: 0.02 }, LOOKED_SLOTS);
  const equal = at({ runDeviation: 0.02 }, 10);
  const misfit = at({ ...fails, failing: "slowest" }, 12);
  return [
    ...successRates(say),
    row(
      "too little to matter, reported for a difference as large as the minimum",
      boundary.tooLittle,
      promised,
      say,
    ),
    row(
      "too little to matter, found of equal endpoints, 10 slots, run deviation 2 %",
      equal.tooLittleAtLast,
      wanted,
      say,
    ),
    row("faster, reported for an endpoint that fails its slow tenth", misfit.foundByThen, promised, say),
    row("speed withheld where one fails its slow tenth, 12 slots", misfit.withheldAtLast, wanted, say),
  ];
}

/**
 * Endpoints with equal failure rates: frequency of a false difference at any look, and of a speed withheld at the last
 * look.
 */
const successRates = (say: PrintLine): Measurement[] =>
  [
    { name: "2 % at random", of: { failedShares: [0.02, 0.02], failing: "at random" } as const },
    { name: "5 % in bursts", of: { failedShares: [0.05, 0.05], failing: "bursts" } as const },
    { name: "10 % of runs", of: { failedShares: [0.1, 0.1], failing: "whole runs" } as const },
    { name: "30 % at random", of: { failedShares: [0.3, 0.3], failing: "at random" } as const },
  ].flatMap(({ name, of }) => {
    const input = { world: world("", { ...of, runDeviation: 0.05 }), trialCount: PAIR_TRIALS, seed: SEED };
    const found = calibratePair({ ...input, slotCount: LOOKED_SLOTS, minimumEffect: fivePercent });
    return [
      row(
        `success rates called different though both fail ${name}, every look`,
        found.falseSuccess,
        promised,
        say,
      ),
      row(
        `speed withheld at slot ${LOOKED_SLOTS} though both fail ${name}`,
        found.withheldAtLast,
        promised,
        say,
      ),
    ];
  });

function coverage(say: PrintLine): Measurement[] {
  const ofMeans = coverageWorlds.flatMap((of) =>
    [6, 12, 30].flatMap((slotCount) => {
      const found = measureCoverage({ world: of, trialCount: COVERAGE_TRIALS, seed: SEED, slotCount });
      // A drifting level has no single mean to cover.
      return Object.entries(found)
        .filter(([name]) => of.drift === 0 || name === "ratio")
        .map(([name, share]) =>
          row(`interval of ${name}, ${slotCount} slots: ${of.name}`, share, covered, say),
        );
    }),
  );
  const ofMedians = correlations.flatMap((correlation) =>
    [40, 100, 600].map((samplesARun) => {
      const of = world("", { correlation, samplesARun });
      const name = `interval of a run's median, ${samplesARun} samples correlated ${correlation}`;
      return row(name, measureMedianCoverage(of, COVERAGE_TRIALS, SEED), covered, say);
    }),
  );
  const ofRuns = [0.05, 0.2].flatMap((runDeviation) =>
    [2, 3, 6].map((runCount) => {
      const name = `interval of the mean of ${runCount} runs: run deviation ${percent(runDeviation)}`;
      const share = measureMeanCoverage(world("", { runDeviation }), runCount, COVERAGE_TRIALS, SEED);
      return row(name, share, covered, say);
    }),
  );
  return [...ofMeans, ...ofMedians, ...ofRuns];
}

/** Simulates the product's table again, and compares its levels with the outcome. */
function peeking(say: PrintLine): Measurement[] {
  const shares = simulatePeeking({ random: createRandom(SEED), pathCount: PATH_COUNT });
  return [4, 8, 12].map((place) => {
    const level = weightedLevels[place] as number;
    const against = { name: "the table of the product", value: 100 * (peekingShares[place] as number) };
    return row(`smallest weighted p-value up to ${level}`, shares[place] as number, against, say);
  });
}
