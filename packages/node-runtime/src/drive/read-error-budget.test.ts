import { describe, expect, test } from "vitest";
import { BAD_PLACES_MAX, FAILED_PLACES_MAX, ReadErrorBudget } from "./read-error-budget.ts";

const MIB = 1_048_576;

function budgetAfter(
  failures: readonly { readonly offset: number; readonly atMs: number; readonly file?: string }[],
) {
  const budget = new ReadErrorBudget();
  for (const { offset, atMs, file = "segment-0" } of failures) budget.note(file, offset, "EIO", atMs);
  return budget;
}

const places = (count: number, atMs: (index: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ offset: index * MIB, atMs: atMs(index) }));

test("sixteen places within ten seconds exceed the budget, and the reason names the error", () => {
  const budget = budgetAfter(places(FAILED_PLACES_MAX, (index) => index * 600));
  expect(budget.excess(9000)).toBe("reads fail with EIO: 16 places in 10 s");
});

test.each([
  ["one place fewer", places(FAILED_PLACES_MAX - 1, () => 0), 0],
  [
    "the same place a thousand times",
    Array.from({ length: 1000 }, (_, at) => ({ offset: 40_960, atMs: at })),
    999,
  ],
  ["neighbouring sectors", Array.from({ length: 16 }, (_, at) => ({ offset: at * 4096, atMs: at })), 16],
  ["bad sectors, each found a second after the last", places(100, (index) => index * 1000), 99_000],
])("the budget tolerates %s", (_, failures, nowMs) => {
  expect(budgetAfter(failures).excess(nowMs)).toBeNull();
});

test("the same offset in two files counts as two places", () => {
  const twoFiles = places(8, () => 0).flatMap((each) => [each, { ...each, file: "segment-1" }]);
  expect(budgetAfter(twoFiles).excess(0)).not.toBeNull();
});

test("failures older than the window are forgotten", () => {
  const budget = budgetAfter(places(FAILED_PLACES_MAX, () => 0));
  expect(budget.excess(9999)).not.toBeNull();
  expect(budget.excess(10_000)).toBeNull();
});

test("a place that keeps failing stays in the window", () => {
  const budget = budgetAfter(places(FAILED_PLACES_MAX - 1, () => 0));
  for (let index = 0; index < FAILED_PLACES_MAX - 1; index++)
    budget.note("segment-0", index * MIB, "EIO", 8000);
  budget.note("segment-0", 99 * MIB, "EIO", 12_000);
  expect(budget.excess(12_000)).not.toBeNull();
});

describe("a reopened drive", () => {
  const noteAll = (budget: ReadErrorBudget, first: number, count: number, atMs: number) => {
    for (let index = first; index < first + count; index++)
      budget.note("segment-0", index * MIB, "EIO", atMs);
  };

  test("stays open when only places fail that had failed before", () => {
    const budget = budgetAfter(places(FAILED_PLACES_MAX, () => 0));
    budget.opened(1000);
    noteAll(budget, 0, FAILED_PLACES_MAX, 2000);
    expect(budget.excess(2000)).toBeNull();
  });

  test("is closed when reads fail in other places, or in the same places ten minutes later", () => {
    const budget = budgetAfter(places(FAILED_PLACES_MAX, () => 0));
    budget.opened(1000);
    noteAll(budget, 100, FAILED_PLACES_MAX, 2000);
    expect(budget.excess(2000)).not.toBeNull();
    noteAll(budget, 0, FAILED_PLACES_MAX, 601_000);
    expect(budget.excess(601_000)).not.toBeNull();
  });

  test("remembers only a bounded number of bad places, the latest ones", () => {
    const budget = new ReadErrorBudget();
    const rounds = BAD_PLACES_MAX / FAILED_PLACES_MAX + 1;
    for (let round = 0; round < rounds; round++) {
      noteAll(budget, round * FAILED_PLACES_MAX, FAILED_PLACES_MAX, round);
      budget.opened(round);
    }
    noteAll(budget, BAD_PLACES_MAX, FAILED_PLACES_MAX, 1000);
    expect(budget.excess(1000)).toBeNull();
    noteAll(budget, 0, FAILED_PLACES_MAX, 1000);
    expect(budget.excess(1000)).not.toBeNull();
  });
});
