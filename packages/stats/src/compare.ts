import { requireWithin, StatsError } from "./error.ts";
import { compareSpeeds, type Faster } from "./faster.ts";
import { pairedShift, type Shift, unpairedShift } from "./hodges-lehmann.ts";
import { type RankSumTest, rankSumTest } from "./mann-whitney.ts";
import { type PairedMeans, PairedRuns } from "./paired-means.ts";
import { pairBySlot } from "./pairing.ts";
import { type Leg, legFigures, type RunFigures } from "./run-series.ts";
import { compareSuccess, type SuccessRates } from "./success.ts";
import { decideVerdict, type MinimumEffect, type Verdict } from "./verdict.ts";

const minimumEffectDefault: MinimumEffect = { kind: "share", share: 0.05 };

export interface PairedComparison extends PairedMeans {
  /** Hodges-Lehmann shift of a's run medians minus b's: negative when a is faster. */
  readonly shift: Shift;
  readonly success: SuccessRates;
  /** Ratio of the means. */
  readonly faster: Faster;
  readonly verdict: Verdict;
  /** Slots with only one side, or with a median that is a failure, which are not compared by speed. */
  readonly unpairedCount: number;
}

export interface CompareInput {
  /** Legs in one unit, either with their samples or with one figure per run. */
  readonly legs: readonly Leg[];
  /** Indices in `legs`: pairs of a and the b to compare it with. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly minimumEffect?: MinimumEffect;
  readonly confidence?: number;
}

export interface Comparison {
  readonly confidence: number;
  readonly pairs: readonly PairedComparison[];
}

/**
 * Compares endpoints whose runs share slots, using the slots in which both have a mean and a median. The run is the
 * unit, because samples of one run are correlated. Throws a `StatsError` if a leg is malformed, two legs of a pair
 * share no such slot, a mean is not above zero, or a parameter is out of bounds.
 */
export function compareLegs(input: CompareInput): Comparison {
  const { legs, confidence = 0.95 } = input;
  requireWithin(confidence, "The confidence", 0.5, 0.9999);
  const minimum = requireMinimum(input.minimumEffect ?? minimumEffectDefault);
  const figures = legs.map((leg, i) => legFigures(leg, `leg ${i}`));
  const side = (index: number): Side => {
    const [leg, ofLeg] = [legs[index], figures[index]];
    if (leg !== undefined && ofLeg !== undefined) return { slotsMs: leg.slotsMs, figures: ofLeg };
    throw new StatsError("bad-argument", `There is no leg ${index} among ${legs.length}.`);
  };
  return {
    confidence,
    pairs: input.pairs.map(([a, b]) => comparePair(side(a), side(b), minimum, confidence)),
  };
}

interface Side {
  readonly slotsMs: ArrayLike<number>;
  readonly figures: RunFigures;
}

function comparePair(a: Side, b: Side, minimum: MinimumEffect, confidence: number): PairedComparison {
  const paired = pairRuns(a, b);
  const [runsOfA, runsOfB] = paired.timed;
  const of = (figure: keyof RunFigures, runs: readonly number[], { figures }: Side): Float64Array =>
    Float64Array.from(runs, (run) => figures[figure][run] as number);
  const runs = new PairedRuns(of("mean", runsOfA, a), of("mean", runsOfB, b));
  const means = runs.means(confidence);
  const medians = of("median", runsOfB, b);
  const shift = pairedShift(
    of("median", runsOfA, a).map((median, i) => median - (medians[i] as number)),
    confidence,
  );
  const success = compareSuccess(of("failedShare", paired.run[0], a), of("failedShare", paired.run[1], b));
  const { better: _, ...rates } = success;
  return {
    ...means,
    shift,
    success: rates,
    faster: compareSpeeds(means.meanA.value, means.meanB.value),
    verdict: decideVerdict({
      means,
      shift,
      success,
      minimum,
      paidIntervals: (paid) => runs.paidIntervals(paid),
    }),
    unpairedCount: paired.slotCount - runsOfA.length,
  };
}

interface PairedPlaces {
  readonly slotCount: number;
  /** Indices of the runs of a and of b in slots that both have. */
  readonly run: readonly [number[], number[]];
  /** Indices of slots in which both have a mean and a median. */
  readonly timed: readonly [number[], number[]];
}

function pairRuns(a: Side, b: Side): PairedPlaces {
  const indexSlots = ({ slotsMs }: Side) => ({ slotsMs, values: Array.from(slotsMs, (_, run) => run) });
  const pairs = pairBySlot(indexSlots(a), indexSlots(b));
  const [runsOfA, runsOfB] = [Array.from(pairs.a), Array.from(pairs.b)];
  const isTimed = ({ figures }: Side, run: number): boolean =>
    Number.isFinite(figures.mean[run]) && Number.isFinite(figures.median[run]);
  const areTimed = runsOfA.map((run, i) => isTimed(a, run) && isTimed(b, runsOfB[i] as number));
  return {
    slotCount: pairs.onlyA + pairs.onlyB + runsOfA.length,
    run: [runsOfA, runsOfB],
    timed: [runsOfA.filter((_, i) => areTimed[i]), runsOfB.filter((_, i) => areTimed[i])],
  };
}

function requireMinimum(minimum: MinimumEffect): MinimumEffect {
  if (minimum.kind === "share") requireWithin(minimum.share, "The minimum effect's share", 0, 1);
  else requireWithin(minimum.duration, "The minimum effect's duration", 0, Number.MAX_VALUE);
  return minimum;
}

export interface UnpairedComparison {
  /** Hodges-Lehmann shift of a minus b. */
  readonly shift: Shift;
  readonly test: RankSumTest;
}

/**
 * Compares two imports without common slots. Samples of one run are not independent runs, so this describes the
 * difference and gives no verdict. Throws a `StatsError` if a side is empty or contains a value that is not finite.
 */
export function compareUnpaired(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  confidence = 0.95,
): UnpairedComparison {
  return { shift: unpairedShift(a, b, confidence), test: rankSumTest(a, b) };
}
