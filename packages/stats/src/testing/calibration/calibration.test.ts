/** `pnpm bench statistics` covers many more worlds, trials and looks. */
import { expect, test } from "vitest";
import { compareLegs } from "../../compare.ts";
import { createRandom } from "../../random.ts";
import { calibratePair, calibrateTable, measureCoverage } from "./calibrate.ts";
import { firstSlots, quietWorld, simulatePair, type World } from "./world.ts";

const anyEffect = { kind: "share", share: 0 } as const;
const fivePercent = { kind: "share", share: 0.05 } as const;
const world = (of: Partial<World>): World => ({ ...quietWorld, ...of });

/** Five percent and three standard errors of 300 trials. */
const FALSE_MAX = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / 300);

test.each([
  world({ name: "equal runs" }),
  world({ name: "runs that differ by 20 %", runDeviation: 0.2 }),
  world({ name: "correlated samples", runDeviation: 0.05, correlation: 0.7 }),
  world({ name: "a coarse clock", shape: "coarse clock" }),
  world({ name: "heavy tails", shape: "pareto", runDeviation: 0.05 }),
  world({ name: "a drift that both share", drift: 1, runDeviation: 0.05 }),
  world({ name: "failures in bursts", failedShares: [0.05, 0.05], failing: "bursts", runDeviation: 0.05 }),
])(
  "equal endpoints with $name have a winner on 5 % of pages read after every slot, within sampling error",
  (of) => {
    const input = { world: of, trialCount: 300, seed: 5, slotCount: 20, minimumEffect: anyEffect };
    expect(calibratePair(input).falseWinner).toBeLessThanOrEqual(FALSE_MAX);
  },
);

test("a table of twelve cells of equal endpoints rarely names a fastest one: 5 % within sampling error", () => {
  const of = {
    world: world({ runDeviation: 0.1 }),
    trialCount: 100,
    seed: 6,
    slotCount: 16,
    minimumEffect: anyEffect,
  };
  expect(calibrateTable(of, 12).falseFastest).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 100));
});

test("with up to five slots, equal endpoints have a leader and a p-value of 1", () => {
  const random = createRandom(7);
  for (let trial = 0; trial < 50; trial += 1) {
    const { a, b } = simulatePair(world({ runDeviation: 0.2 }), 5, random);
    for (const slotCount of [1, 2, 3, 4, 5]) {
      const legs = [firstSlots(a, slotCount), firstSlots(b, slotCount)];
      const [pair] = compareLegs({ legs, pairs: [[0, 1]], minimumEffect: anyEffect }).pairs;
      expect(pair).toMatchObject({ verdict: { kind: "leads", count: slotCount }, pValue: 1 });
    }
  }
});

test("endpoints with equal failure rates are rarely called more or less successful", () => {
  const of = world({ failedShares: [0.02, 0.02], failing: "at random", runDeviation: 0.05 });
  const input = { world: of, trialCount: 100, seed: 11, slotCount: 20, minimumEffect: anyEffect };
  expect(calibratePair(input).falseSuccess).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / 100));
});

test("an increase of a tenth is found in 80 % of cases at ten slots if runs differ by 5 %, within sampling error", () => {
  const of = world({ runDeviation: 0.05, effect: 0.1 });
  const input = { world: of, trialCount: 1000, seed: 8, slotCount: 10, minimumEffect: fivePercent };
  const { found, foundByThen, falseWinner } = calibratePair(input);
  // 80 % minus three standard errors; the bench measures the figure itself.
  expect(found).toBeGreaterThan(0.8 - 3 * Math.sqrt((0.8 * 0.2) / 1000));
  expect(foundByThen).toBeGreaterThanOrEqual(found);
  expect(falseWinner).toBe(0);
});

test.each([6, 10, 20])("the intervals of %d slots contain the truth as often as stated", (slotCount) => {
  const of = world({ runDeviation: 0.2, effect: 0.1 });
  const coverage = measureCoverage({ world: of, trialCount: 1000, seed: 9, slotCount });
  for (const [name, share] of Object.entries(coverage)) {
    expect(share, name).toBeGreaterThan(0.925);
    expect(share, name).toBeLessThan(0.98);
  }
});

test("an endpoint that is 3 % faster but fails its slow tenth is never called faster", () => {
  const of = world({ effect: 0.03, failedShares: [0.1, 0], failing: "slowest", runDeviation: 0.05 });
  const input = { world: of, trialCount: 200, seed: 10, slotCount: 12, minimumEffect: fivePercent };
  expect(calibratePair(input)).toMatchObject({ falseWinner: 0, foundByThen: 0, withheldAtLast: 1 });
});

test("a difference equal to the minimum is rarely called negligible: 5 % within sampling error", () => {
  const of = world({ effect: 1 / 0.95 - 1, runDeviation: 0.02 });
  const input = { world: of, trialCount: 300, seed: 11, slotCount: 24, minimumEffect: fivePercent };
  expect(calibratePair(input).tooLittle).toBeLessThanOrEqual(FALSE_MAX);
  const equal = { ...input, world: world({ runDeviation: 0.02 }) };
  expect(calibratePair(equal).tooLittleAtLast).toBeGreaterThan(0.9);
});
