import type { BenchmarkReportDocument } from "@stashlight/contracts/benchmark/report";
import type { BenchmarkSweep } from "@stashlight/contracts/benchmark/sweep";
import { formatMinimum } from "@stashlight/contracts/benchmark/words";

/** The method for somebody who has never seen this program: what was timed, how it was compared, what was left out. */
export function methodInWords({
  comparison,
  sweep,
  restore,
}: Pick<BenchmarkReportDocument, "comparison" | "sweep" | "restore">): string[] {
  const { a, b, question, drawCount, seed, pairCount, unpairedCount, slots } = comparison;
  const isExcluded = slots.undisturbedCount < slots.measuredCount;
  return [
    `Both endpoints, ${a.endpoint.name} and ${b.endpoint.name}, were measured from the same machine in the same slots, one after the other in random order. An operation is timed on a monotonic clock from the moment its request is written until its answer has been read; its body is made, hashed and signed before.`,
    `${isExcluded ? "No sample of a compared slot was removed." : "No sample was removed."} An operation that failed or timed out stays in all counts and ranks behind those that succeeded; means are of those that succeeded, and the share of successes stands beside them. Samples during which the measuring program itself was disturbed are marked${isExcluded ? "; slots with more than a few of them, or with a run whose latency rose or fell, are left out as a whole" : ", and kept"}.`,
    `${pairCount === 1 ? "1 slot in which both have a figure is" : `${pairCount} slots in which both have a figure are`} compared${unpairedCount === 0 ? "" : `, and ${unpairedCount} in which only one has are left out`}. Intervals of 95 % come from a two-level bootstrap, of slots and then of samples (${drawCount} draws, seed ${seed}); the shift of medians is the Hodges-Lehmann estimate, and p that of the Wilcoxon signed-rank test.`,
    `“Faster” is said only where both intervals exclude no difference and the effect is at least ${formatMinimum(question.minimumEffect)}. “25 % less time” and “1.33x as fast” are the same difference in two wordings.`,
    ...(sweep === null ? [] : [sweepInWords(sweep)]),
    ...(restore === null ? [] : [restoreWords]),
  ];
}

const sweepInWords = ({ comparisonCount, question }: BenchmarkSweep): string =>
  `By size, every two endpoints of a place with enough undisturbed slots are compared in the same way at every operation and size, ${comparisonCount} comparisons in all. “Fastest” is the endpoint that is faster than every other one, by at least ${formatMinimum(question.minimumEffect)}, and whose signed-rank tests stay significant when the p-values of all comparisons are corrected together by Holm's method.`;

const restoreWords =
  "Restore times are drawn from the measured downloads of the same size: each of 1,000 draws resamples the downloads, and every connection takes the next object as soon as it is free. Over other numbers of connections than were measured they are extrapolated, because more connections may slow each other down.";
