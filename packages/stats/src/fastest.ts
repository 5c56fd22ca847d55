/** Finds the fastest of several endpoints in each cell of a table of operations and sizes. */
import { compareLegs, type MinimumEffect, type PairedComparison } from "./compare.ts";
import { holmAdjusted } from "./holm.ts";
import { createRandom } from "./random.ts";
import type { RunMoments } from "./run-series.ts";

export interface ContestPair {
  /** Two entrants of the cell. */
  readonly a: number;
  readonly b: number;
  /** The runs of both in the slots that they share; null where there are too few to compare them. */
  readonly runs: { readonly a: RunMoments; readonly b: RunMoments; readonly seed: number } | null;
}

export interface ContestInput {
  /** Every pair of entrants, by cell; a cell of one entrant has none. */
  readonly cells: readonly (readonly ContestPair[])[];
  readonly minimumEffect: MinimumEffect;
  /** A difference is one below this p-value, after the correction. */
  readonly significantBelow: number;
}

export interface Contest {
  /** The entrant that is faster than every other one, by `compareLegs` and by the corrected test. */
  readonly fastest: number | null;
  /** The greatest adjusted p-value of that entrant, or else of any pair; null where a pair was not compared. */
  readonly pValue: number | null;
  /**
   * Why there is no fastest one: an entrant is alone, a pair has too few slots, the correction for all comparisons leaves
   * the one that `compareLegs` names in doubt, all that is missing is the minimum effect, or the intervals show nothing.
   */
  readonly because: "alone" | "slots" | "correction" | "minimum" | "test" | null;
}

export interface ContestResult {
  readonly cells: readonly Contest[];
  /** Tests that the correction is for: the compared pairs of all cells. */
  readonly comparisonCount: number;
}

interface Judged {
  readonly a: number;
  readonly b: number;
  readonly comparison: PairedComparison;
  readonly pValue: number;
}

/**
 * Compares every pair by `compareLegs`, as a comparison of the two alone does, and corrects the p-values of all
 * signed-rank tests together by Holm's method. Throws as `compareLegs` does.
 */
export function judgeContests({ cells, minimumEffect, significantBelow }: ContestInput): ContestResult {
  const compared = cells.map((pairs) =>
    pairs.flatMap(({ a, b, runs }) =>
      runs === null
        ? []
        : [
            {
              ...{ a, b },
              comparison: compareLegs({
                legs: [runs.a, runs.b],
                pairs: [[0, 1]],
                random: createRandom(runs.seed),
                minimumEffect,
              }).pairs[0] as PairedComparison,
            },
          ],
    ),
  );
  const tests = compared.flat();
  const adjusted =
    tests.length === 0 ? [] : holmAdjusted(tests.map(({ comparison }) => comparison.test.pValue));
  let place = 0;
  const judged = compared.map((pairs) =>
    pairs.map((pair): Judged => ({ ...pair, pValue: adjusted[place++] as number })),
  );
  return {
    cells: cells.map((pairs, cell) => contestOf(pairs.length, judged[cell] as Judged[], significantBelow)),
    comparisonCount: tests.length,
  };
}

function contestOf(pairCount: number, pairs: readonly Judged[], significantBelow: number): Contest {
  if (pairCount === 0) return { fastest: null, pValue: null, because: "alone" };
  if (pairs.length < pairCount) return { fastest: null, pValue: null, because: "slots" };
  const entrants = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const winner = entrants.find((entrant) =>
    ofEntrant(pairs, entrant).every((pair) => winnerOf(pair) === entrant),
  );
  if (winner === undefined) {
    const isSmall = pairs.some(({ comparison: { verdict } }) => isBelowMinimum(verdict));
    const isUndecided = pairs.some(
      ({ comparison: { verdict } }) => verdict.kind !== "faster" && !isBelowMinimum(verdict),
    );
    return {
      fastest: null,
      pValue: Math.max(...pairs.map(({ pValue }) => pValue)),
      because: isSmall && !isUndecided ? "minimum" : "test",
    };
  }
  const pValue = Math.max(...ofEntrant(pairs, winner).map((pair) => pair.pValue));
  const isClear = pValue < significantBelow;
  return { fastest: isClear ? winner : null, pValue, because: isClear ? null : "correction" };
}

const ofEntrant = (pairs: readonly Judged[], entrant: number): Judged[] =>
  pairs.filter(({ a, b }) => a === entrant || b === entrant);

function winnerOf({ a, b, comparison: { verdict } }: Judged): number | null {
  if (verdict.kind !== "faster") return null;
  return verdict.which === "a" ? a : b;
}

const isBelowMinimum = (verdict: PairedComparison["verdict"]): boolean =>
  verdict.kind === "not distinguishable" && verdict.because === "minimum";
