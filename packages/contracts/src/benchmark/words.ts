/** What results say, in sentences: the same on a page, in a report and in a message. */
import { DAY_MS } from "../time/duration.ts";
import { formatSlots, isGateOpen, verdictWinner } from "./gate.ts";
import type {
  BenchmarkCaveat,
  BenchmarkComparison,
  BenchmarkContamination,
  BenchmarkEstimate,
  BenchmarkSide,
  MinimumEffectChoice,
} from "./result.ts";
import { shortNames } from "./short-names.ts";
import { taggedShareMax } from "./tagged-share.ts";

/** The days before a plan's newest slot that its verdict is of: enough for a pattern of days and weeks. */
export const verdictDays = 14;

/** To the newest slot rather than to this moment, so that the same slots are the same question. */
export const verdictPeriod = (lastSlotAt: Date): { fromMs: number; toMs: number } => ({
  fromMs: Math.max(0, lastSlotAt.getTime() - verdictDays * DAY_MS),
  toMs: lastSlotAt.getTime() + 1,
});

/** A test says that there is a difference below this p-value. */
export const significantBelow = 0.05;

const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Both wordings of faster, the figures behind them, and why there is no verdict where there is none. */
export function formatComparison(
  comparison: Pick<BenchmarkComparison, "a" | "b" | "verdict" | "faster" | "slots" | "question">,
): string {
  const { a, b, verdict, faster } = comparison;
  const slots = formatSlots(comparison.slots);
  const [nameOfA, nameOfB] = shortNames([a.endpoint.name, b.endpoint.name] as const);
  const names = `${nameOfA} and ${nameOfB}`;
  if (verdict.kind === "too few runs") {
    return `${names} cannot be judged yet: ${slots}.`;
  }
  if (verdict.kind === "not distinguishable") {
    return verdict.because === "interval"
      ? `${names} are not distinguishable over ${slots}: the measurements vary too much to tell which one is faster.`
      : `${names} differ too little to matter over ${slots}: by less than the ${formatMinimum(comparison.question.minimumEffect)} that you chose.`;
  }
  const { winner, loser } = verdict.which === "a" ? { winner: a, loser: b } : { winner: b, loser: a };
  const order = verdict.which === "a" ? [nameOfA, nameOfB] : [nameOfB, nameOfA];
  const [lessTime, timesAsFast] = faster.words;
  return `${order.join(" is faster than ")}: ${lessTime}, or ${timesAsFast} (${milliseconds(winner)} against ${milliseconds(loser)} ms over ${slots}).`;
}

/** Says which test decided, and why it overruled the signed-rank test where they disagree. */
export function formatDecision(
  comparison: Pick<BenchmarkComparison, "verdict" | "ratio" | "shiftMs" | "pValue" | "question">,
): string {
  const { verdict, ratio, shiftMs, question } = comparison;
  const minimum = formatMinimum(question.minimumEffect);
  if (verdict.kind === "too few runs" || comparison.pValue === null) {
    return "No test decides yet: with so few undisturbed slots there are no intervals, and no p-value can show a difference.";
  }
  const p = formatPValue(comparison.pValue);
  const isSignificant = comparison.pValue < significantBelow;
  const both = `the ratio of means (${formatRange(ratio)}) and the shift of medians (${formatRange(shiftMs)} ms)`;
  if (verdict.kind === "faster") {
    const decided = `The 95 % intervals decide: ${both} both exclude “equally fast”, and the difference is at least ${minimum}.`;
    return isSignificant
      ? `${decided} The signed-rank test agrees (${p}).`
      : `${decided} They overrule the signed-rank test (${p}), which sees only the order of the differences and not how large they are.`;
  }
  if (verdict.because === "minimum") {
    const decided = `Your minimum of ${minimum} decides: ${both} both exclude “equally fast”, but the difference is smaller than that.`;
    return isSignificant
      ? `${decided} It overrules the signed-rank test (${p}), which says only that there is some difference.`
      : `${decided} The signed-rank test shows no difference either (${p}).`;
  }
  const decided = `The 95 % intervals decide: ${whyUndecided({ ratio, shiftMs })}.`;
  return isSignificant
    ? `${decided} They overrule the signed-rank test (${p}), which says only that one is usually slower and not by how much the means differ.`
    : `${decided} The signed-rank test agrees (${p}).`;
}

function whyUndecided({ ratio, shiftMs }: Pick<BenchmarkComparison, "ratio" | "shiftMs">): string {
  const holdsRatio = holds(ratio, 1);
  const holdsShift = holds(shiftMs, 0);
  const ofRatio = `the ratio of means (${formatRange(ratio)}) includes 1`;
  const ofShift = `the shift of medians (${formatRange(shiftMs)} ms) includes 0`;
  const meaning = "so both may be equally fast";
  if (holdsRatio && holdsShift) return `${ofRatio} and ${ofShift}, ${meaning}`;
  if (holdsRatio) return `${ofRatio}, ${meaning}`;
  if (holdsShift) return `${ofShift}, ${meaning}`;
  return `the ratio of means (${formatRange(ratio)}) and the shift of medians (${formatRange(shiftMs)} ms) point in opposite directions`;
}

const holds = ({ low, high }: BenchmarkEstimate, value: number): boolean =>
  low === null || high === null || (low <= value && value <= high);

const formatRange = ({ low, high }: BenchmarkEstimate): string =>
  low === null || high === null ? "no interval" : `${short(low)} to ${short(high)}`;

const short = (value: number): string => Number(value.toPrecision(3)).toString();

/** A p-value is never exactly 0 or 1, so its ends are told as bounds. */
export function formatPValue(pValue: number): string {
  if (pValue < 0.0001) return "p < 0.0001";
  return pValue > 0.9999 ? "p > 0.9999" : `p = ${pValue.toFixed(4)}`;
}

const caveatWords: Record<BenchmarkCaveat["kind"], { label: string; sentence: string }> = {
  reconnected: {
    label: "reconnected",
    sentence: "had to open connections while they measured, whose time is part of the figures",
  },
  "few samples": {
    label: "too few samples",
    sentence: "have too few samples for an interval of their median",
  },
  drift: {
    label: "drifted",
    sentence: "became slower or faster while they measured, so that their slots do not count",
  },
  "not-stored": { label: "not stored", sentence: "found uploads that were not there as sent" },
};

/** "2 of 12 runs reconnected" */
export const formatCaveat = ({ kind, count, runCount }: BenchmarkCaveat): string =>
  `${count} of ${countOf(runCount, "run")} ${kind === "few samples" ? "with " : ""}${caveatWords[kind].label}`;

/** The same with what it means for the figures. */
export const explainCaveat = ({ kind, count, runCount }: BenchmarkCaveat): string =>
  `${count} of ${countOf(runCount, "run")} ${caveatWords[kind].sentence}.`;

/** Says that such slots are no sample of the hours of a day. */
export function formatBackToBack(backToBackCount: number, pairCount: number): string {
  return `${backToBackCount} of ${countOf(pairCount, "compared slot")} ran back to back. They say how the endpoints compare at that hour, and not over a day.`;
}

/** "2 of 16 runs contaminated" */
export const formatContaminatedCount = ({ contaminatedCount, runCount }: BenchmarkContamination): string =>
  `${contaminatedCount} of ${countOf(runCount, "run")} contaminated`;

/** Names the contaminated runs, and says what becomes of their slots. */
export function formatContamination({
  runCount,
  contaminatedCount,
  slotCount,
}: BenchmarkContamination): string {
  const found = `${contaminatedCount} of ${countOf(runCount, "run")} ${contaminatedCount === 1 ? "is" : "are"} contaminated: the measuring computer was disturbed during more than ${100 * taggedShareMax} % of the samples.`;
  return `${found} ${slotCount === 1 ? "The slot with it does" : `The ${slotCount} slots with them do`} not count.`;
}

type Shown = Pick<BenchmarkComparison, "a" | "b" | "verdict" | "faster" | "slots">;

/** A verdict in a few words, and the endpoints that they are about: the winner alone where there is one. */
export function describeVerdictShortly(shown: Shown): { value: string; about: string } {
  const { a, b, verdict, faster, slots } = shown;
  const [nameOfA, nameOfB] = shortNames([a.endpoint.name, b.endpoint.name] as const);
  const both = `${nameOfA}, ${nameOfB}`;
  const named = verdictWinner(shown);
  if (named !== null) return { value: faster.words[0], about: named.winner === a ? nameOfA : nameOfB };
  if (verdict.kind === "too few runs") return { value: formatSlots(slots), about: both };
  const isSmall = verdict.kind === "not distinguishable" && verdict.because === "minimum";
  return { value: isSmall ? "Too small to matter" : "Not distinguishable", about: both };
}

/** "8 slots in 14 days"; without the count where `describeVerdictShortly` has said it. */
export const formatVerdictSource = (slots: BenchmarkComparison["slots"]): string =>
  isGateOpen(slots) ? `${formatSlots(slots)} in ${verdictDays} days` : `in ${verdictDays} days`;

const milliseconds = ({ meanMs }: BenchmarkSide): string => short(meanMs.value);

export function formatMinimum(minimum: MinimumEffectChoice): string {
  return minimum.kind === "share" ? `${short(100 * minimum.share)} %` : `${minimum.duration} ms`;
}
