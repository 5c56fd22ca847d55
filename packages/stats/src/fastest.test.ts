import { expect, test } from "vitest";
import { type ContestInput, judgeContests } from "./fastest.ts";
import { holmAdjusted, pairsNeeded } from "./holm.ts";
import { createRandom, randomNormal } from "./random.ts";

function judged({
  cells,
  isPaired = false,
  minimumEffect = { kind: "share", share: 0.05 },
}: {
  cells: readonly (readonly Float64Array[])[];
  isPaired?: boolean;
  minimumEffect?: ContestInput["minimumEffect"];
}) {
  return judgeContests({
    cells: cells.map((entrants) => ({ entrants, isPaired })),
    minimumEffect,
    significantBelow: 0.05,
  });
}

/** Durations around `centre` with a standard deviation of a tenth of it. */
function durations(centre: number, seed: number, count = 100): Float64Array {
  const { uint32 } = createRandom(seed);
  return Float64Array.from({ length: count }, () => centre * (1 + 0.1 * randomNormal(uint32)));
}

test("Holm multiplies the smallest p by all tests, the next by one less, and keeps their order", () => {
  // The example of R's manual of p.adjust, by hand: 4 x 0.01, 3 x 0.02, 2 x 0.03, and 0.05 not below the one before.
  const adjusted = [...holmAdjusted([0.03, 0.01, 0.05, 0.02])];
  for (const [i, expected] of [0.06, 0.04, 0.06, 0.06].entries())
    expect(adjusted[i]).toBeCloseTo(expected, 12);
  expect([...holmAdjusted([0.9, 0.8])]).toEqual([1, 1]);
  expect(() => holmAdjusted([1.2])).toThrow("A p-value is 1.2; it must be from 0 to 1.");
});

test("one comparison needs six pairs, and more comparisons need more", () => {
  expect(pairsNeeded(1, 0.05)).toBe(6);
  expect(pairsNeeded(54, 0.05)).toBe(12);
  expect(2 * 54 * 2 ** -12).toBeLessThan(0.05);
  expect(2 * 54 * 2 ** -11).toBeGreaterThan(0.05);
});

test("the endpoint that is clearly faster than every other one is the fastest, in its cell alone", () => {
  const { cells, comparisonCount } = judged({
    cells: [
      [durations(10, 1), durations(15, 2), durations(20, 3)],
      [durations(10, 4), durations(10, 5), durations(20, 6)],
    ],
  });
  expect(comparisonCount).toBe(6);
  expect(cells[0]).toMatchObject({ fastest: 0, leader: 0, because: null });
  expect(cells[1]).toMatchObject({ fastest: null, because: "test" });
});

test("a difference below the minimum effect makes nobody the fastest", () => {
  const cells = [[durations(10, 1, 4000), durations(10.2, 2, 4000)]];
  expect(judged({ cells }).cells[0]).toMatchObject({ fastest: null, leader: 0, because: "minimum" });
  const anything = { kind: "duration", duration: 0 } as const;
  expect(judged({ cells, minimumEffect: anything }).cells[0]).toMatchObject({ fastest: 0, because: null });
});

test("an endpoint that fails more often than not is not the fastest, however fast its successes are", () => {
  const failing = durations(1, 1).map((value, i) => (i < 60 ? Infinity : value));
  const { cells } = judged({ cells: [[failing, durations(10, 2)]] });
  expect(cells[0]).toMatchObject({ fastest: 1 });
  const allFailed = new Float64Array(20).fill(Infinity);
  expect(judged({ cells: [[allFailed, allFailed]] }).cells[0]).toMatchObject({ fastest: null });
});

test("pairs of slots need as many slots as the correction takes", () => {
  const slots = (count: number) =>
    Array.from({ length: 9 }, (_, cell) =>
      [10, 15, 20].map((centre, i) => durations(centre, 100 * cell + i, count)),
    );
  const nobody = judged({ cells: slots(pairsNeeded(27, 0.05) - 1), isPaired: true });
  expect(nobody.comparisonCount).toBe(27);
  expect(nobody.cells.every(({ fastest }) => fastest === null)).toBe(true);
  const all = judged({ cells: slots(40), isPaired: true });
  expect(all.cells.every(({ fastest }) => fastest === 0)).toBe(true);
  expect(() => judged({ cells: [[durations(1, 1, 5), durations(1, 2, 6)]], isPaired: true })).toThrow(
    "Paired entrants have 5 and 6 values; they must have as many.",
  );
});

test("entrants without a value take no part, and one alone is compared with nobody", () => {
  const { cells, comparisonCount } = judged({
    cells: [
      [durations(10, 1), new Float64Array()],
      [durations(20, 2), new Float64Array(), durations(10, 3)],
    ],
  });
  expect(comparisonCount).toBe(1);
  expect(cells[0]).toEqual({ fastest: null, leader: null, pValue: null, because: "alone" });
  expect(cells[1]).toMatchObject({ fastest: 2 });
});

test("among 200 views of equal endpoints at most 5 % name a fastest one somewhere", () => {
  let wrong = 0;
  for (let view = 0; view < 200; view += 1) {
    const cells = Array.from({ length: 6 }, (_, cell) =>
      [0, 1, 2].map((i) => durations(10, view * 1000 + cell * 10 + i, 30)),
    );
    const { cells: contests } = judged({ cells, minimumEffect: { kind: "share", share: 0 } });
    if (contests.some(({ fastest }) => fastest !== null)) wrong += 1;
  }
  expect(wrong).toBeLessThanOrEqual(10);
});
