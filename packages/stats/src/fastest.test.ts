import { expect, test } from "vitest";
import { type ContestInput, type ContestPair, judgeContests } from "./fastest.ts";
import { holmAdjusted } from "./holm.ts";
import { createRandom, randomNormal } from "./random.ts";

const share = (amount: number): ContestInput["minimumEffect"] => ({ kind: "share", share: amount });
const judged = (cells: ContestInput["cells"], minimumEffect = share(0.05)) =>
  judgeContests({ cells, minimumEffect });

/** Means of runs around `centre`, with a standard deviation of `spread` times the centre. */
function runsAround(centre: number, seed: number, count: number, spread = 0.02) {
  const { uint32 } = createRandom(seed);
  const means = Float64Array.from({ length: count }, () => centre * (1 + spread * randomNormal(uint32)));
  const slotsMs = Float64Array.from({ length: count }, (_, slot) => slot * 1000);
  return { slotsMs, means, medians: means, failedShares: new Float64Array(count) };
}

/** Returns every pair of endpoints with these levels. */
function cell(levels: readonly number[], seed: number, count = 20, spread?: number): ContestPair[] {
  const entrants = levels.map((level, i) => runsAround(level, seed * 100 + i, count, spread));
  return entrants.flatMap((left, a) =>
    entrants.flatMap((right, b) =>
      b <= a ? [] : [{ a, b, runs: { a: left, b: right }, isTested: count >= 6 }],
    ),
  );
}

test("Holm's method multiplies the smallest p by the number of tests, the next by one less, and keeps their order", () => {
  // Example in R's manual of p.adjust, worked by hand: 4 x 0.01, 3 x 0.02, 2 x 0.03, and 0.05, none below the previous
  // one.
  const adjusted = [...holmAdjusted([0.03, 0.01, 0.05, 0.02])];
  for (const [i, expected] of [0.06, 0.04, 0.06, 0.06].entries())
    expect(adjusted[i]).toBeCloseTo(expected, 12);
  expect([...holmAdjusted([0.9, 0.8])]).toEqual([1, 1]);
  expect(() => holmAdjusted([1.2])).toThrow("A p-value is 1.2; it must be from 0 to 1.");
});

test("the endpoint that is clearly faster than every other is the fastest, in its own cell only", () => {
  const { cells, comparisonCount } = judged([cell([10, 15, 20], 1), cell([10, 10, 20], 2)]);
  expect(comparisonCount).toBe(6);
  expect(cells[0]).toMatchObject({ fastest: 0, because: null });
  expect(cells[1]).toMatchObject({ fastest: null });
  expect(cells[1]?.because).not.toBe("slots");
});

test("a difference below the minimum effect makes no endpoint the fastest", () => {
  const cells = [cell([10, 10.2], 1, 400, 0.005)];
  expect(judged(cells).cells[0]).toMatchObject({ fastest: null, because: "minimum" });
  expect(judged(cells, share(0)).cells[0]).toMatchObject({ fastest: 0, because: null });
});

test("a pair with too few slots leaves its cell without a fastest endpoint and without a p-value", () => {
  const [first, ...others] = cell([10, 15, 20], 1);
  if (first === undefined) throw new Error("three endpoints are three pairs");
  const { cells, comparisonCount } = judged([[{ ...first, runs: null }, ...others], []]);
  expect(comparisonCount).toBe(2);
  expect(cells).toEqual([
    { fastest: null, leader: null, pValue: null, because: "slots" },
    { fastest: null, leader: null, pValue: null, because: "alone" },
  ]);
});

test("the first endpoint by its means leads before there are enough slots for a test, and none is the fastest", () => {
  const { cells, comparisonCount } = judged([cell([10, 15, 20], 1, 3)]);
  expect(comparisonCount).toBe(0);
  expect(cells[0]).toEqual({ fastest: null, leader: 0, pValue: null, because: "slots" });
});

test("an endpoint that fails its slow operations is not the fastest of its cell", () => {
  const [pair] = cell([10, 15], 1);
  const runs = pair?.runs;
  if (!runs) throw new Error("two endpoints are one pair");
  const failing = { ...runs.a, failedShares: new Float64Array(20).fill(0.1) };
  const { cells } = judged([[{ a: 0, b: 1, runs: { a: failing, b: runs.b }, isTested: true }]]);
  expect(cells[0]).toMatchObject({ fastest: null, because: "success" });
});

test("more comparisons need more slots, because their p-values are corrected together", () => {
  const of = (count: number) => Array.from({ length: 9 }, (_, at) => cell([10, 15, 20], at + 1, count));
  const few = judged(of(7));
  expect(few.comparisonCount).toBe(27);
  expect(few.cells.map(({ because }) => because)).toEqual(Array.from({ length: 9 }, () => "correction"));
  expect(judged(of(40)).cells.every(({ fastest }) => fastest === 0)).toBe(true);
});

test("at most 3 of 60 views of equal endpoints name a fastest one in any cell", () => {
  let wrong = 0;
  for (let view = 0; view < 60; view += 1) {
    const cells = Array.from({ length: 3 }, (_, at) => cell([10, 10, 10], view * 10 + at + 1, 30, 0.1));
    if (judged(cells, share(0)).cells.some(({ fastest }) => fastest !== null)) wrong += 1;
  }
  expect(wrong).toBeLessThanOrEqual(3);
});
