import {
  type BootstrapInput,
  type BootstrapResult,
  bootstrapWithFigures,
  type Estimate,
  type PairMeans,
  RUNS_MIN,
  requireFigures,
} from "./bootstrap.ts";
import { requireWithin, StatsError } from "./error.ts";
import { type Faster, fasterOf } from "./faster.ts";
import { pairedShift, type Shift, unpairedShift } from "./hodges-lehmann.ts";
import { type RankSumTest, rankSumTest } from "./mann-whitney.ts";
import { pairBySlot } from "./pairing.ts";
import type { Leg, RunFigures } from "./run-series.ts";
import type { Interval } from "./sorted.ts";
import { type SignedRankTest, signedRankTest } from "./wilcoxon.ts";

/** What a user cares about: below it a difference may be real and still does not matter. */
export type MinimumEffect =
  | { readonly kind: "share"; readonly share: number }
  | { readonly kind: "duration"; readonly duration: number };

const minimumEffectDefault: MinimumEffect = { kind: "share", share: 0.05 };

export type Verdict =
  | { readonly kind: "faster"; readonly which: "a" | "b" }
  /** An interval holds "no difference", or the effect is below the user's minimum. */
  | { readonly kind: "not distinguishable"; readonly because: "interval" | "minimum" }
  | { readonly kind: "too few runs"; readonly count: number; readonly countMin: number };

export interface PairedComparison extends PairMeans {
  /** Hodges-Lehmann, of a's run medians less b's: negative when a is faster. */
  readonly shift: Shift;
  readonly test: SignedRankTest;
  /** By the means. */
  readonly faster: Faster;
  readonly verdict: Verdict;
  /** Slots of one side alone, or with a median that is a failure; they are not compared. */
  readonly unpairedCount: number;
}

export interface Comparison extends Omit<BootstrapResult, "pairs"> {
  readonly pairs: readonly PairedComparison[];
}

export interface CompareInput extends BootstrapInput {
  readonly minimumEffect?: MinimumEffect;
}

/**
 * Compares endpoints whose runs share slots: ratio and difference of means by the two-level bootstrap of
 * `bootstrapMeans`; shift and test by the medians of the runs, which a slow sample does not move. Throws as
 * `bootstrapMeans` does, and for durations that are zero or below.
 */
export function compareLegs(input: CompareInput): Comparison {
  const minimum = requireMinimum(input.minimumEffect ?? minimumEffectDefault);
  const figures = requireFigures(input.legs);
  const result = bootstrapWithFigures(input, figures);
  const pairs = result.pairs.map((means, i) => {
    const [a, b] = (input.pairs ?? [])[i] as readonly [number, number];
    const left = input.legs[a] as Leg;
    const right = input.legs[b] as Leg;
    return comparePair(
      means,
      pairBySlot(
        { slotsMs: left.slotsMs, values: (figures[a] as RunFigures).median },
        { slotsMs: right.slotsMs, values: (figures[b] as RunFigures).median },
      ),
      minimum,
      result.confidence,
    );
  });
  return { ...result, pairs };
}

function comparePair(
  means: PairMeans,
  medians: ReturnType<typeof pairBySlot>,
  minimum: MinimumEffect,
  confidence: number,
): PairedComparison {
  const differences: number[] = [];
  for (let i = 0; i < medians.a.length; i += 1) {
    const difference = (medians.a[i] as number) - (medians.b[i] as number);
    if (Number.isFinite(difference)) differences.push(difference);
  }
  if (differences.length === 0) {
    throw new StatsError("empty", "In no slot do both legs have a median that is not a failure.");
  }
  const shift = pairedShift(differences, confidence);
  return {
    ...means,
    shift,
    test: signedRankTest(differences),
    faster: fasterOf(means.meanA, means.meanB),
    verdict: verdictOf({ count: differences.length, ratio: means.ratio, shift, minimum }),
    unpairedCount: medians.onlyA + medians.onlyB + medians.a.length - differences.length,
  };
}

export interface VerdictInput {
  readonly count: number;
  /** The ratio of a over b. */
  readonly ratio: Estimate;
  /** The difference of a less b. */
  readonly shift: Shift;
  readonly minimum: MinimumEffect;
}

/**
 * "Faster" takes both intervals to lie on the same side of "no difference", and the effect to be at least the user's
 * minimum: the share of time saved by the ratio, or the shift as a duration.
 */
export function verdictOf({ count, ratio, shift, minimum }: VerdictInput): Verdict {
  if (count < RUNS_MIN || ratio.interval === null || shift.interval === null) {
    return { kind: "too few runs", count, countMin: RUNS_MIN };
  }
  const side = sideOf(ratio.interval, 1);
  if (side === 0 || side !== sideOf(shift.interval, 0)) {
    return { kind: "not distinguishable", because: "interval" };
  }
  const isEnough =
    minimum.kind === "share"
      ? 1 - Math.min(ratio.value, 1 / ratio.value) >= minimum.share
      : Math.abs(shift.shift) >= minimum.duration;
  if (!isEnough) return { kind: "not distinguishable", because: "minimum" };
  return { kind: "faster", which: side < 0 ? "a" : "b" };
}

function sideOf({ low, high }: Interval, none: number): -1 | 0 | 1 {
  if (high < none) return -1;
  return low > none ? 1 : 0;
}

function requireMinimum(minimum: MinimumEffect): MinimumEffect {
  if (minimum.kind === "share") requireWithin(minimum.share, "The minimum effect's share", 0, 1);
  else requireWithin(minimum.duration, "The minimum effect's duration", 0, Number.MAX_VALUE);
  return minimum;
}

export interface UnpairedComparison {
  /** Hodges-Lehmann, of a less b. */
  readonly shift: Shift;
  readonly test: RankSumTest;
}

/**
 * Two imports without common slots. The samples of one run are no independent runs, so this tells how the two differ and
 * gives no verdict. Throws a `StatsError` when a side is empty or holds a value that is not finite.
 */
export function compareUnpaired(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  confidence = 0.95,
): UnpairedComparison {
  return { shift: unpairedShift(a, b, confidence), test: rankSumTest(a, b) };
}
