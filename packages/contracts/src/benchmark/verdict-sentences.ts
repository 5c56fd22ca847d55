/** Describes results in the sentences of pages, reports and messages. */

import { taggedShareMax } from "../sample/tagged-share.ts";
import { DAY_MS } from "../time/duration.ts";
import { formatSlots, isGateOpen } from "./gate.ts";
import type {
  BenchmarkCaveat,
  BenchmarkComparison,
  BenchmarkContamination,
  BenchmarkEstimate,
  BenchmarkSide,
  MinimumEffectChoice,
} from "./result.ts";
import { shortNames } from "./short-names.ts";

/** Days before a plan's newest slot that its verdict covers, enough for daily and weekly patterns. */
export const verdictDays = 14;

/** Ends at the newest slot rather than now, so that the same slots give the same query. */
export const verdictPeriod = (lastSlotAt: Date): { fromMs: number; toMs: number } => ({
  fromMs: Math.max(0, lastSlotAt.getTime() - verdictDays * DAY_MS),
  toMs: lastSlotAt.getTime() + 1,
});

/** Accepted probability that a verdict is wrong. */
const significantBelow = 0.05;

const formatCount = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

type Judged = Pick<BenchmarkComparison, "a" | "b" | "verdict" | "faster" | "slots" | "success">;

/** Formats both wordings of "faster", the figures behind them, and the reason if there is no verdict. */
export function formatComparison(comparison: Judged & Pick<BenchmarkComparison, "question">): string {
  const names = shortNames([comparison.a.endpoint.name, comparison.b.endpoint.name] as const);
  const found = formatVerdict(comparison, names);
  const { success, verdict } = comparison;
  const isSaid =
    success === null || (success.a === 1 && success.b === 1) || verdict.kind === "unequal success";
  return isSaid ? found : `${found} Succeeded: ${describeRates(names, success)}.`;
}

function formatVerdict(
  { a, b, verdict, faster, success, ...comparison }: Judged & Pick<BenchmarkComparison, "question">,
  [nameOfA, nameOfB]: readonly [string, string],
): string {
  const slots = formatSlots(comparison.slots);
  const names = `${nameOfA} and ${nameOfB}`;
  const minimum = formatMinimum(comparison.question.minimumEffect);
  switch (verdict.kind) {
    case "too few runs":
      return `${names} cannot be judged yet: ${slots}.`;
    case "leads":
      return `${verdict.which === "a" ? nameOfA : nameOfB} leads, not tested: ${slots}.`;
    case "unequal success": {
      const rates = success === null ? [] : formatRates(success);
      const runs = countRuns(success, comparison.slots);
      if (verdict.better === null) {
        const both = rates.length === 0 ? "" : ` (${rates.join(" and ")}${runs})`;
        return `${names} are not compared by speed over ${slots}: their success rates${both} differ, but it is not yet clear which succeeds more often.`;
      }
      const isA = verdict.better === "a";
      const [better, worse] = isA ? [nameOfA, nameOfB] : [nameOfB, nameOfA];
      const against = (isA ? rates : rates.toReversed()).join(" against ");
      const counted = [against + runs, slots];
      return `${better} succeeds more often than ${worse} (${counted.filter((each) => each !== "").join(", ")}), so their speed is not compared.`;
    }
    case "not distinguishable":
      return verdict.because === "interval"
        ? `${names} are not distinguishable over ${slots}: the measurements vary too much to show a difference of ${minimum} or to rule it out.`
        : `${names} differ too little to matter over ${slots}: by less than the minimum of ${minimum}.`;
    case "faster": {
      const { winner, loser } = verdict.which === "a" ? { winner: a, loser: b } : { winner: b, loser: a };
      const order = verdict.which === "a" ? [nameOfA, nameOfB] : [nameOfB, nameOfA];
      const [lessTime, timesAsFast] = faster.words;
      return `${order.join(" is faster than ")}: ${lessTime}, or ${timesAsFast} (${milliseconds(winner)} against ${milliseconds(loser)} ms over ${slots}).`;
    }
  }
}

/** Names the runs behind success rates if fewer runs have a time to compare. */
const countRuns = (success: Judged["success"], { undisturbedCount }: Judged["slots"]): string =>
  success === null || success.slotCount === undisturbedCount ? "" : ` over ${success.slotCount} runs each`;

/** Never rounds up, so that a failure is never hidden. */
function formatRate(share: number, decimals = 1): string {
  if (share === 1) return "100 %";
  const factor = 10 ** decimals;
  return `${(Math.floor(100 * factor * share + 1e-9) / factor).toFixed(decimals)} %`;
}

/** Formats "B2 100 %, S3 99.1 %". */
function describeRates(
  [nameOfA, nameOfB]: readonly [string, string],
  success: { readonly a: number; readonly b: number },
): string {
  const [a, b] = formatRates(success);
  return `${nameOfA} ${a}, ${nameOfB} ${b}`;
}

const RATE_DECIMALS_MAX = 6;

/** Uses as many decimals as needed to show two different rates as different. */
export function formatRates({ a, b }: { readonly a: number; readonly b: number }): readonly [string, string] {
  for (let decimals = 1; ; decimals += 1) {
    const both = [formatRate(a, decimals), formatRate(b, decimals)] as const;
    if (a === b || both[0] !== both[1] || decimals === RATE_DECIMALS_MAX) return both;
  }
}

type Decided = Pick<
  BenchmarkComparison,
  "verdict" | "ratio" | "shiftMs" | "pValue" | "success" | "rule" | "question"
>;

/** Names the deciding test, and the scope of the intervals beside it. */
export function formatDecision(comparison: Decided): string {
  const { verdict, ratio, success, question, pValue } = comparison;
  if (comparison.rule === "earlier") {
    return "An earlier release judged this by a bootstrap without correction for repeated looks, so a verdict from a few slots may be chance.";
  }
  if (verdict.kind === "unequal success") {
    const p =
      success === null
        ? ""
        : ` (signed-rank test of the runs, ${formatPValue(success.pValue)} at this single look)`;
    return `The success rates decide: chance does not explain how far apart they are${p}. Times cover only successes, so an endpoint that fails its slow requests would look fast.`;
  }
  if (verdict.kind === "too few runs" || verdict.kind === "leads" || pValue === null) {
    return "No test decides yet: with few undisturbed slots there are no intervals, and no p-value can show a difference.";
  }
  const minimum = formatMinimum(question.minimumEffect);
  const interval = `The 95 % interval of the ratio of means, ${formatRange(ratio)}, is for this single look.`;
  if (verdict.kind === "faster") {
    return `The paired t test decides: ${formatPaid(pValue)}, and the estimated difference is at least ${minimum}. ${interval}`;
  }
  if (verdict.because === "minimum") {
    return `The minimum of ${minimum} decides: the whole interval is inside it, even corrected for a look after every slot. ${interval}`;
  }
  return `The paired t test decides: ${whyUndecided(comparison, pValue)}. ${interval}`;
}

const formatPaid = (pValue: number): string =>
  `${formatPValue(pValue)}, corrected for a look after every slot`;

const isOpposite = (ratio: BenchmarkEstimate, shiftMs: BenchmarkEstimate): boolean =>
  ratio.value < 1 ? shiftMs.value > 0 : shiftMs.value < 0;

function whyUndecided({ ratio, shiftMs, question }: Decided, pValue: number): string {
  if (pValue >= significantBelow) return `it shows no difference (${formatPaid(pValue)})`;
  if (holds(shiftMs, 0)) {
    return `the means differ (${formatPaid(pValue)}), but the shift of medians (${formatRange(shiftMs)} ms) includes 0, so a few slow requests may explain it`;
  }
  if (isOpposite(ratio, shiftMs)) {
    return `the means differ (${formatPaid(pValue)}), and the medians differ the other way (shift ${formatRange(shiftMs)} ms)`;
  }
  return `there is a difference (${formatPaid(pValue)}), which is neither shown to reach the minimum of ${formatMinimum(question.minimumEffect)} nor to stay below it`;
}

const holds = ({ low, high }: BenchmarkEstimate, value: number): boolean =>
  low === null || high === null || (low <= value && value <= high);

const formatRange = ({ low, high }: BenchmarkEstimate): string =>
  low === null || high === null ? "no interval" : `${short(low)} to ${short(high)}`;

const short = (value: number): string => Number(value.toPrecision(3)).toString();

/** A p-value is never exactly 0 or 1, so values near the ends are shown as bounds. */
export function formatPValue(pValue: number): string {
  if (pValue < 0.0001) return "p < 0.0001";
  return pValue > 0.9999 ? "p > 0.9999" : `p = ${pValue.toFixed(4)}`;
}

const caveatWords: Record<BenchmarkCaveat["kind"], { label: string; sentence: string }> = {
  "same store": {
    label: "of one store",
    sentence:
      "are of one store under two names, so the interval of the ratio shows only the noise of this measurement",
  },
  failed: {
    label: "failed",
    sentence: "failed as a whole, and count in the success rates as runs in which nothing succeeded",
  },
  "not begun": {
    label: "not begun",
    sentence: "ended before anything was sent, or failed on a drive, so their slots count for no verdict",
  },
  recomputing: {
    label: "being computed again",
    sentence:
      "have figures of an earlier release, which are being computed again, so their slots count for no verdict yet",
  },
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
    sentence: "became slower or faster while they measured, so their slots count for no verdict",
  },
  "not-stored": { label: "not stored", sentence: "found uploads that were not stored as sent" },
};

/** "with too few samples" */
const caveatLabel = (kind: BenchmarkCaveat["kind"]): string =>
  `${kind === "few samples" ? "with " : ""}${caveatWords[kind].label}`;

/** Formats "2 of 12 runs reconnected". */
export const formatCaveat = ({ kind, count, runCount }: BenchmarkCaveat): string =>
  `${count} of ${formatCount(runCount, "run")} ${caveatLabel(kind)}`;

/** Formats "12 contaminated, 1 drifted", for a row that has no space for more. */
export const shortenCaveats = (
  contamination: BenchmarkContamination | null,
  caveats: readonly BenchmarkCaveat[],
): string =>
  [
    ...(contamination === null ? [] : [`${contamination.contaminatedCount} contaminated`]),
    ...caveats.map(({ kind, count }) => `${count} ${caveatLabel(kind)}`),
  ].join(", ");

/** Adds what the pitfall means for the figures. */
export const explainCaveat = ({ kind, count, runCount }: BenchmarkCaveat): string =>
  `${count} of ${formatCount(runCount, "run")} ${caveatWords[kind].sentence}.`;

/** Explains that back-to-back slots do not sample the hours of a day, or that none of the compared slots counts. */
export function formatBackToBack({
  backToBackCount,
  pairCount,
  slots,
}: Pick<BenchmarkComparison, "backToBackCount" | "pairCount" | "slots">): string {
  const found = `${backToBackCount} of ${formatCount(pairCount, "compared slot")} ran back to back`;
  return slots.undisturbedCount === 0
    ? `${found}; none is undisturbed, so none counts for a verdict.`
    : `${found}. They show how the endpoints compare at that hour, and not over a day.`;
}

/** Formats "2 of 16 runs contaminated". */
export const formatContaminatedCount = ({ contaminatedCount, runCount }: BenchmarkContamination): string =>
  `${contaminatedCount} of ${formatCount(runCount, "run")} contaminated`;

/** Names the contaminated runs, and describes the effect on their slots. */
export function formatContamination({
  runCount,
  contaminatedCount,
  slotCount,
}: BenchmarkContamination): string {
  const found = `${contaminatedCount} of ${formatCount(runCount, "run")} ${contaminatedCount === 1 ? "is" : "are"} contaminated: the measuring computer was disturbed during more than ${100 * taggedShareMax} % of the samples.`;
  return `${found} ${slotCount === 1 ? "The slot with it counts" : `The ${slotCount} slots with them count`} for no verdict.`;
}

/** Short verdict with its endpoints: the winner alone if there is one. */
export function describeVerdictShortly(shown: Judged): { value: string; about: string } {
  const { a, b, verdict, faster, slots, success } = shown;
  const [nameOfA, nameOfB] = shortNames([a.endpoint.name, b.endpoint.name] as const);
  const both = `${nameOfA}, ${nameOfB}`;
  switch (verdict.kind) {
    case "faster":
      return { value: faster.words[0], about: verdict.which === "a" ? nameOfA : nameOfB };
    case "leads":
      return {
        value: `Leads, not tested: ${formatSlots(slots)}`,
        about: verdict.which === "a" ? nameOfA : nameOfB,
      };
    case "too few runs":
      return { value: formatSlots(slots), about: both };
    case "unequal success": {
      const rates = success === null ? both : describeRates([nameOfA, nameOfB], success);
      return { value: "Success rates differ", about: rates };
    }
    case "not distinguishable":
      return {
        value: verdict.because === "minimum" ? "Too small to matter" : "Not distinguishable",
        about: both,
      };
  }
}

/** Formats "8 slots of the last 14 days"; without the count if `describeVerdictShortly` has given it. */
export const formatVerdictSource = ({
  slots,
  verdict,
}: Pick<BenchmarkComparison, "slots" | "verdict">): string =>
  isGateOpen(slots) || verdict.kind === "unequal success"
    ? `${formatSlots(slots)} of the last ${verdictDays} days`
    : `of the last ${verdictDays} days`;

const milliseconds = ({ meanMs }: BenchmarkSide): string => short(meanMs.value);

export function formatMinimum(minimum: MinimumEffectChoice): string {
  return minimum.kind === "share" ? `${short(100 * minimum.share)} %` : `${minimum.duration} ms`;
}
