/** Finds the fastest of several endpoints in each cell of a table of operations and sizes. */
import { compareLegs, type PairedComparison } from "./compare.ts";
import { holmAdjusted } from "./holm.ts";
import type { RunMoments } from "./run-series.ts";
import { ERROR_MAX, type MinimumEffect } from "./verdict.ts";

export interface ContestPair {
  /** Indices of the two entrants of a cell. */
  readonly a: number;
  readonly b: number;
  /** Runs of both in the slots that they share; null if they share no usable slot. */
  readonly runs: { readonly a: RunMoments; readonly b: RunMoments } | null;
  /** True if there are enough slots for a test; otherwise only the means decide who leads. */
  readonly isTested: boolean;
}

export interface ContestInput {
  /** Every pair of entrants, by cell; a cell of one entrant has none. */
  readonly cells: readonly (readonly ContestPair[])[];
  readonly minimumEffect: MinimumEffect;
}

export interface Contest {
  /** Entrant that is faster than every other, both by `compareLegs` and by the corrected test. */
  readonly fastest: number | null;
  /** Entrant that is ahead of every other by its means, while there are too few slots for a test. */
  readonly leader: number | null;
  /** Greatest adjusted p-value of that entrant, or else of any pair; null if a pair was not compared. */
  readonly pValue: number | null;
  /**
   * Reason why there is no fastest entrant: an entrant is alone, a pair has too few slots, success rates differ beyond
   * chance, the correction for all comparisons casts doubt on the entrant that `compareLegs` names, all differences are
   * below the minimum effect, or no difference is shown.
   */
  readonly because: "alone" | "slots" | "success" | "correction" | "minimum" | "test" | null;
}

export interface ContestResult {
  readonly cells: readonly Contest[];
  /** Number of tests that the correction covers: the compared pairs of all cells. */
  readonly comparisonCount: number;
}

interface Compared {
  readonly a: number;
  readonly b: number;
  readonly isTested: boolean;
  readonly comparison: PairedComparison;
}

/**
 * Compares every pair by `compareLegs`, as a comparison of the two alone does, and corrects the p-values of all of them
 * together by Holm's method. Throws as `compareLegs` does.
 */
export function judgeContests({ cells, minimumEffect }: ContestInput): ContestResult {
  const compared = cells.map((pairs) => pairs.flatMap((pair) => comparePair(pair, minimumEffect)));
  const tests = compared.flat().filter(({ isTested }) => isTested);
  const adjusted = tests.length === 0 ? [] : holmAdjusted(tests.map(({ comparison }) => comparison.pValue));
  const pValues = new Map(tests.map((test, place) => [test, adjusted[place] as number]));
  return {
    cells: cells.map((pairs, cell) => decideContest(pairs.length, compared[cell] as Compared[], pValues)),
    comparisonCount: tests.length,
  };
}

function comparePair({ a, b, runs, isTested }: ContestPair, minimumEffect: MinimumEffect): Compared[] {
  if (runs === null) return [];
  const [comparison] = compareLegs({ legs: [runs.a, runs.b], pairs: [[0, 1]], minimumEffect }).pairs;
  return comparison === undefined ? [] : [{ a, b, isTested, comparison }];
}

type PValues = ReadonlyMap<Compared, number>;

function decideContest(pairCount: number, pairs: readonly Compared[], pValues: PValues): Contest {
  const none = { fastest: null, leader: null, pValue: null };
  if (pairCount === 0) return { ...none, because: "alone" };
  if (pairs.length < pairCount || pairs.some(({ isTested }) => !isTested)) {
    // Runs that failed as a whole have no time to test, but count in the success rates.
    if (pairs.some(({ comparison }) => comparison.verdict.kind === "unequal success")) {
      return { ...none, because: "success" };
    }
    return {
      ...none,
      leader: pairs.length < pairCount ? null : findFirst(pairs, meanLeader),
      because: "slots",
    };
  }
  const greatestP = (of: readonly Compared[]): number =>
    Math.max(...of.map((pair) => pValues.get(pair) as number));
  const winner = findFirst(pairs, verdictWinner);
  if (winner === null) return { ...none, pValue: greatestP(pairs), because: explainNone(pairs) };
  const pValue = greatestP(pairsWith(pairs, winner));
  return pValue < ERROR_MAX
    ? { ...none, fastest: winner, pValue, because: null }
    : { ...none, pValue, because: "correction" };
}

function explainNone(pairs: readonly Compared[]): Contest["because"] {
  const verdicts = pairs.map(({ comparison: { verdict } }) => verdict);
  if (verdicts.some(({ kind }) => kind === "unequal success")) return "success";
  const isSmall = verdicts.map((each) => each.kind === "not distinguishable" && each.because === "minimum");
  const isUndecided = verdicts.some(({ kind }, i) => kind !== "faster" && !isSmall[i]);
  return isSmall.includes(true) && !isUndecided ? "minimum" : "test";
}

/** Finds the entrant that comes first in each of its pairs. */
function findFirst(pairs: readonly Compared[], firstOf: (pair: Compared) => number | null): number | null {
  const entrants = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const first = entrants.find((entrant) =>
    pairsWith(pairs, entrant).every((pair) => firstOf(pair) === entrant),
  );
  return first ?? null;
}

const pairsWith = (pairs: readonly Compared[], entrant: number): Compared[] =>
  pairs.filter(({ a, b }) => a === entrant || b === entrant);

function verdictWinner({ a, b, comparison: { verdict } }: Compared): number | null {
  if (verdict.kind !== "faster") return null;
  return verdict.which === "a" ? a : b;
}

function meanLeader({ a, b, comparison: { ratio } }: Compared): number | null {
  if (ratio.value === 1) return null;
  return ratio.value < 1 ? a : b;
}
