import {
  type BenchmarkComparison,
  type BenchmarkReportDocument,
  type BenchmarkSweep,
  formatMinimum,
} from "@stashlight/contracts/benchmark";

/**
 * Explains the method to readers who do not know the program: what was timed, how it was compared, and what was left
 * out.
 */
export function describeMethod({
  comparison,
  sweep,
  restore,
}: Pick<BenchmarkReportDocument, "comparison" | "sweep" | "restore">): string[] {
  const { a, b, question, pairCount, unpairedCount, slots, rule } = comparison;
  const isExcluded = slots.undisturbedCount < slots.measuredCount;
  return [
    `Both endpoints, ${a.endpoint.name} and ${b.endpoint.name}, were measured from the same machine in the same slots, one after the other in a random order, which every second slot reverses. An operation is timed on a monotonic clock from the moment its request is written until its answer has been read; its body is made, hashed and signed before.`,
    `${isExcluded ? "No sample of a compared slot was removed." : "No sample was removed."} An operation that failed or timed out stays in all counts and ranks behind those that succeeded; means cover successes only, and are shown with the success rate. Samples during which the measuring program itself was disturbed are marked${describeDisturbed(slots)}.`,
    `${pairCount === 1 ? "1 slot in which both have a figure is" : `${pairCount} slots in which both have a figure are`} compared${unpairedCount === 0 ? "" : `, and ${unpairedCount} in which only one has are left out`}. ${inferenceWords[rule]} The shift of medians is the Hodges-Lehmann estimate.`,
    `“Faster” is used only where that test and the shift of medians show a difference, the effect is at least ${formatMinimum(question.minimumEffect)}, and the success rates do not differ beyond chance. “25 % less time” and “1.33x as fast” are the same difference in two wordings.`,
    ...(sweep === null ? [] : [sweepInWords(sweep)]),
    ...(restore === null ? [] : [restoreWords]),
  ];
}

function describeDisturbed({ measuredCount, undisturbedCount }: BenchmarkComparison["slots"]): string {
  if (undisturbedCount === measuredCount) return ", and kept";
  const slots = "slots with more than a few of them, or with a run whose latency rose or fell,";
  // Without an undisturbed slot the figures cover all slots, without intervals and tests.
  return undisturbedCount === 0
    ? `; verdicts exclude ${slots} but every slot here is affected, so the figures cover all of them`
    : `; ${slots} are left out as a whole`;
}

const inferenceWords: Record<BenchmarkComparison["rule"], string> = {
  "paid for looks":
    "The run is the unit, because samples of one run are correlated: intervals of 95 % are Student's over slots, each for a single look, and p is that of the paired t test, corrected for testing after every slot from the sixth.",
  earlier:
    "An earlier release took intervals of 95 % from a bootstrap of slots and samples, and did not correct for repeated testing.",
};

const sweepInWords = ({ comparisonCount, question }: BenchmarkSweep): string =>
  `By size, every two endpoints of a place with enough undisturbed slots are compared in the same way at every operation and size, ${comparisonCount} comparisons in all. “Fastest” is the endpoint that is faster than every other one, by at least ${formatMinimum(question.minimumEffect)}, and whose tests stay significant when the p-values of all comparisons are corrected together by Holm's method.`;

const restoreWords =
  "Restore times are drawn from the measured downloads of the same size: each of 1,000 draws resamples the downloads, and every connection takes the next object as soon as it is free. Over other numbers of connections than were measured they are extrapolated, because more connections may slow each other down.";
