/** Finds the fastest of several endpoints in each cell of a table of operations and sizes. */
import type { MinimumEffect } from "./compare.ts";
import { StatsError } from "./error.ts";
import { holmAdjusted } from "./holm.ts";
import { rankSumTest } from "./mann-whitney.ts";
import { median } from "./sorted.ts";
import { signedRankTest } from "./wilcoxon.ts";

/** What stands for a failure in a rank test, so that it ranks behind every duration. */
const BEHIND_ALL = Number.MAX_VALUE;

export interface ContestCell {
  /**
   * The durations of each entrant, in one unit. `Infinity` is an operation that failed, and ranks behind every duration.
   * An entrant without a value takes no part.
   */
  readonly entrants: readonly ArrayLike<number>[];
  /** Whether values at the same place belong together, such as the medians of runs in one slot. */
  readonly isPaired: boolean;
}

export interface ContestInput {
  readonly cells: readonly ContestCell[];
  readonly minimumEffect: MinimumEffect;
  /** A difference is one below this p-value, after the correction. */
  readonly significantBelow: number;
}

export interface Contest {
  /** The entrant with the least median, where it is faster than every other one by the test and the minimum effect. */
  readonly fastest: number | null;
  /** The entrant with the least median; null where fewer than two have values. */
  readonly leader: number | null;
  /** The greatest adjusted p-value of the leader against another entrant. */
  readonly pValue: number | null;
  /** Why there is no fastest one. */
  readonly because: "test" | "minimum" | "alone" | null;
}

export interface ContestResult {
  readonly cells: readonly Contest[];
  /** Tests that the correction is for: every pair of entrants in every cell. */
  readonly comparisonCount: number;
}

interface Pair {
  readonly cell: number;
  readonly a: number;
  readonly b: number;
  readonly pValue: number;
}

/**
 * Tests every pair of entrants in every cell: by Wilcoxon's signed ranks where values are paired, by Mann-Whitney's rank
 * sums where they are not; corrects all p-values together by Holm's method; and names an entrant the fastest of a cell
 * only if it differs from each other one by the corrected test and by at least the minimum effect of their medians.
 * Throws a `StatsError` when paired lists of a cell differ in length, or a value is NaN.
 */
export function judgeContests(input: ContestInput): ContestResult {
  const { cells } = input;
  const pairs = cells.flatMap(pairsOf);
  const adjusted = pairs.length === 0 ? new Float64Array() : holmAdjusted(pairs.map(({ pValue }) => pValue));
  const byCell = Map.groupBy(
    pairs.map((pair, i) => ({ ...pair, pValue: adjusted[i] as number })),
    ({ cell }) => cell,
  );
  return {
    cells: cells.map(({ entrants }, cell) => contestOf(entrants, byCell.get(cell) ?? [], input)),
    comparisonCount: pairs.length,
  };
}

function pairsOf({ entrants, isPaired }: ContestCell, cell: number): Pair[] {
  return entrants.flatMap((left, a) =>
    entrants.flatMap((right, b) => {
      if (b <= a || left.length === 0 || right.length === 0) return [];
      return [
        {
          cell,
          a,
          b,
          pValue: isPaired ? pairedP(left, right) : rankSumTest(ranked(left), ranked(right)).pValue,
        },
      ];
    }),
  );
}

const ranked = (values: ArrayLike<number>): Float64Array =>
  Float64Array.from(values, (value) => (value === Infinity ? BEHIND_ALL : value));

/** A slot in which both failed says nothing of their order; one in which one failed counts against it. */
function pairedP(left: ArrayLike<number>, right: ArrayLike<number>): number {
  if (left.length !== right.length) {
    throw new StatsError(
      "bad-argument",
      `Paired entrants have ${left.length} and ${right.length} values; they must have as many.`,
    );
  }
  const [a, b] = [ranked(left), ranked(right)];
  return signedRankTest(a.map((value, i) => value - (b[i] as number))).pValue;
}

function contestOf(
  entrants: readonly ArrayLike<number>[],
  pairs: readonly Pair[],
  { minimumEffect, significantBelow }: ContestInput,
): Contest {
  if (pairs.length === 0) return { fastest: null, leader: null, pValue: null, because: "alone" };
  const present = entrants.flatMap((values, i) => {
    const middle = medianBehind(values);
    return middle === null ? [] : [{ middle, i }];
  });
  const leader = present.reduce((best, each) => (each.middle < best.middle ? each : best));
  const ofLeader = pairs.filter(({ a, b }) => a === leader.i || b === leader.i);
  const pValue = Math.max(...ofLeader.map((pair) => pair.pValue));
  const isFarEnough = present.every(
    ({ middle, i }) => i === leader.i || isEnough(leader.middle, middle, minimumEffect),
  );
  if (pValue >= significantBelow) return { fastest: null, leader: leader.i, pValue, because: "test" };
  if (!isFarEnough) return { fastest: null, leader: leader.i, pValue, because: "minimum" };
  return { fastest: leader.i, leader: leader.i, pValue, because: null };
}

/** The median with failures behind all durations; null without a value. */
function medianBehind(values: ArrayLike<number>): number | null {
  if (values.length === 0) return null;
  const middle = median(ranked(values));
  return middle >= BEHIND_ALL / 2 ? Infinity : middle;
}

function isEnough(leader: number, other: number, minimum: MinimumEffect): boolean {
  if (other === Infinity) return leader !== Infinity;
  return minimum.kind === "share" ? 1 - leader / other >= minimum.share : other - leader >= minimum.duration;
}
