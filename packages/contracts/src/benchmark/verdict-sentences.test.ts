import { expect, test } from "vitest";
import type { BenchmarkComparison } from "./result.ts";
import {
  describeVerdictShortly,
  explainCaveat,
  formatBackToBack,
  formatCaveat,
  formatComparison,
  formatDecision,
  formatPValue,
  shortenCaveats,
} from "./verdict-sentences.ts";

type Decided = Pick<BenchmarkComparison, "verdict" | "ratio" | "shiftMs" | "pValue">;
const estimate = (low: number, high: number) => ({ value: (low + high) / 2, low, high });
const apart = { ratio: estimate(0.7, 0.8), shiftMs: estimate(-40, -30) };
const interval = { verdict: { kind: "not distinguishable", because: "interval" } } as const;
const minimum = { verdict: { kind: "not distinguishable", because: "minimum" } } as const;
const faster = { verdict: { kind: "faster", which: "a" } } as const;
const question = { minimumEffect: { kind: "share", share: 0.05 } } as BenchmarkComparison["question"];
const success = { a: 0.9, b: 1, slotCount: 12, pValue: 0.0005 };

test.each<[string, Decided, string[]]>([
  [
    "a lead names no test",
    { ...apart, verdict: { kind: "leads", which: "a", count: 1, countMin: 6 }, pValue: null },
    ["No test decides yet", "few undisturbed slots"],
  ],
  [
    "an interval of one look may exclude 1 while the corrected test shows no difference",
    { ...apart, ...interval, pValue: 0.09 },
    [
      "shows no difference (p = 0.0900, corrected for a look after every slot)",
      "0.7 to 0.8, is for this single look",
    ],
  ],
  [
    "a difference may be shown, and neither reach the minimum nor stay below it",
    { ...apart, ...interval, pValue: 0.01 },
    ["there is a difference (p = 0.0100", "neither shown to reach the minimum of 5 % nor to stay below it"],
  ],
  [
    "the shift of medians alone may be undecided",
    { ratio: estimate(1.1, 1.2), shiftMs: estimate(-4, 3), ...interval, pValue: 0.01 },
    ["the means differ", "shift of medians (-4 to 3 ms) includes 0", "a few slow requests"],
  ],
  [
    "the minimum decides by the whole interval",
    { ...apart, ...minimum, pValue: 0.00001 },
    [
      "The minimum of 5 % decides: the whole interval is inside it",
      "even corrected for a look after every slot",
    ],
  ],
  [
    "a difference is paid for, and its interval is not",
    { ...apart, ...faster, pValue: 0.01 },
    ["p = 0.0100, corrected for a look after every slot", "at least 5 %", "is for this single look"],
  ],
  [
    "success rates decide before speed does",
    { ...apart, verdict: { kind: "unequal success", better: "b" }, pValue: 0.01 },
    ["The success rates decide", "signed-rank test of the runs, p = 0.0005", "would look fast"],
  ],
])("the sentence of a comparison is right: %s", (_, decided, parts) => {
  const sentence = formatDecision({ ...decided, question, success, rule: "paid for looks" });
  for (const part of parts) expect(sentence).toContain(part);
  if (decided.verdict.kind === "leads") expect(sentence).not.toContain("p =");
});

test("a verdict of an earlier release is marked as not corrected for looks", () => {
  const decided = { ...apart, ...faster, pValue: 0.01, question, success: null, rule: "earlier" } as const;
  expect(formatDecision(decided)).toMatch(/^An earlier release .* may be chance\.$/);
});

const side = (name: string, ms: number) =>
  ({
    endpoint: { id: name, name },
    meanMs: { value: ms, low: null, high: null },
  }) as BenchmarkComparison["a"];
const slots = (count: number) => ({ measuredCount: count, undisturbedCount: count, neededCount: 6 });
const told = (verdict: BenchmarkComparison["verdict"], rates: BenchmarkComparison["success"], count = 12) => {
  const words = ["25 % less time", "1.33x as fast"] as const;
  const shown = {
    a: side("B2", 118),
    b: side("S3", 157),
    verdict,
    success: rates,
    slots: slots(count),
    question,
    faster: { which: "a" as const, words },
  };
  return { sentence: formatComparison(shown), short: describeVerdictShortly(shown) };
};

test("before a test is possible the leader is shown with the slots so far and the slots needed", () => {
  const { sentence, short } = told({ kind: "leads", which: "a", count: 1, countMin: 6 }, null, 1);
  expect(sentence).toBe("B2 leads, not tested: 1 of 6 slots.");
  expect(short).toEqual({ value: "Leads, not tested: 1 of 6 slots", about: "B2" });
});

test("success rates are in the sentence if anything failed, and are never rounded up", () => {
  const faster = { kind: "faster", which: "a" } as const;
  const { sentence } = told(faster, { a: 0.99996, b: 1, slotCount: 12, pValue: 1 });
  expect(sentence).toMatch(/over 12 slots\)\. Succeeded: B2 99\.9 %, S3 100 %\.$/);
  expect(told(faster, { a: 1, b: 1, slotCount: 12, pValue: 1 }).sentence).not.toContain("Succeeded");
});

test("a sentence on unequal success names both rates and no speed", () => {
  expect(told({ kind: "unequal success", better: null }, success).sentence).toMatch(
    /are not compared by speed over .*: their success rates \(.* and .*\) differ, but it is not yet clear which succeeds more often\.$/,
  );
  expect(
    told({ kind: "unequal success", better: "b" }, { ...success, a: 0.9995, b: 0.99975 }).sentence,
  ).toContain("(99.97 % against 99.95 %");
  const { sentence, short } = told({ kind: "unequal success", better: "b" }, success);
  expect(sentence).toBe(
    "S3 succeeds more often than B2 (100 % against 90.0 %, 12 slots), so their speed is not compared.",
  );
  expect(short).toEqual({ value: "Success rates differ", about: "B2 90.0 %, S3 100 %" });
});

test.each([
  [1, "p > 0.9999"],
  [0.99995, "p > 0.9999"],
  [0.5, "p = 0.5000"],
  [0.00001, "p < 0.0001"],
])("a p-value of %d is shown as %s, because none is exactly 0 or 1", (pValue, words) => {
  expect(formatPValue(pValue)).toBe(words);
});

test("the caveats of a row are listed with their counts", () => {
  const contamination = { runCount: 12, contaminatedCount: 12, slotCount: 6, worst: [] };
  const drift = { kind: "drift", count: 1, runCount: 12 } as const;
  const few = { kind: "few samples", count: 2, runCount: 12 } as const;
  expect(shortenCaveats(contamination, [drift, few])).toBe(
    "12 contaminated, 1 drifted, 2 with too few samples",
  );
  expect(shortenCaveats(null, [])).toBe("");
});

test.each([
  [0, "6 of 6 compared slots ran back to back; none is undisturbed, so none counts for a verdict."],
  [
    6,
    "6 of 6 compared slots ran back to back. They show how the endpoints compare at that hour, and not over a day.",
  ],
])("slots back to back of which %i are undisturbed count as the verdict counts them", (count, expected) => {
  const slots = { measuredCount: 6, undisturbedCount: count, neededCount: 6 };
  expect(formatBackToBack({ backToBackCount: 6, pairCount: 6, slots })).toBe(expected);
});

test("caveats have a short form and an explanation of their effect", () => {
  expect(formatCaveat({ kind: "reconnected", count: 2, runCount: 12 })).toBe("2 of 12 runs reconnected");
  expect(formatCaveat({ kind: "same store", count: 12, runCount: 12 })).toBe("12 of 12 runs of one store");
  expect(formatCaveat({ kind: "few samples", count: 1, runCount: 1 })).toBe(
    "1 of 1 run with too few samples",
  );
  expect(explainCaveat({ kind: "drift", count: 3, runCount: 12 })).toBe(
    "3 of 12 runs became slower or faster while they measured, so their slots count for no verdict.",
  );
});
