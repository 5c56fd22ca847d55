/** What results say, in sentences: the same on a page, in a report and in a message. */
import type { BenchmarkComparison, BenchmarkSide, MinimumEffectChoice } from "./result.ts";

/** Both wordings of faster, the figures behind them, and why there is no verdict where there is none. */
export function formatComparison(
  comparison: Pick<BenchmarkComparison, "a" | "b" | "verdict" | "faster" | "pairCount" | "question">,
): string {
  const { a, b, verdict, faster, pairCount } = comparison;
  const slots = `${pairCount} ${pairCount === 1 ? "slot" : "slots"}`;
  const names = `${a.endpoint.name} and ${b.endpoint.name}`;
  if (verdict.kind === "too few runs") {
    return `${names} cannot be judged yet: ${verdict.count} common ${verdict.count === 1 ? "slot" : "slots"}, and a verdict needs ${verdict.countMin}.`;
  }
  if (verdict.kind === "not distinguishable") {
    return verdict.because === "interval"
      ? `${names} are not distinguishable over ${slots}: no difference at all fits what was measured.`
      : `${names} are not distinguishable over ${slots}: the difference is below the ${formatMinimum(comparison.question.minimumEffect)} that matter to you.`;
  }
  const [winner, loser] = verdict.which === "a" ? [a, b] : [b, a];
  const [lessTime, timesAsFast] = faster.words;
  return `${winner.endpoint.name} is faster than ${loser.endpoint.name}: ${lessTime}, or ${timesAsFast} (${milliseconds(winner)} against ${milliseconds(loser)} ms over ${slots}).`;
}

const milliseconds = ({ meanMs }: BenchmarkSide): string => Number(meanMs.value.toPrecision(3)).toString();

export function formatMinimum(minimum: MinimumEffectChoice): string {
  return minimum.kind === "share"
    ? `${Number((100 * minimum.share).toPrecision(3))} %`
    : `${minimum.duration} ms`;
}
