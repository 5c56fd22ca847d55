import { expect, test } from "vitest";
import type { BenchmarkComparison } from "./result.ts";
import { explainCaveat, formatCaveat, formatDecision, formatPValue } from "./words.ts";

type Decided = Pick<BenchmarkComparison, "verdict" | "ratio" | "shiftMs" | "pValue">;
const estimate = (low: number, high: number) => ({ value: (low + high) / 2, low, high });
const apart = { ratio: estimate(0.7, 0.8), shiftMs: estimate(-40, -30) };
const interval = { verdict: { kind: "not distinguishable", because: "interval" } } as const;
const minimum = { verdict: { kind: "not distinguishable", because: "minimum" } } as const;
const faster = { verdict: { kind: "faster", which: "a" } } as const;
const around = { ratio: estimate(0.9, 1.1), shiftMs: estimate(-40, -30) };

test.each<[string, Decided, string[]]>([
  [
    "too few slots name no test",
    { ...apart, verdict: { kind: "too few runs", count: 1, countMin: 6 }, pValue: null },
    ["No test decides yet", "so few undisturbed slots"],
  ],
  [
    "intervals overrule a small p",
    { ...around, ...interval, pValue: 0.0156 },
    ["ratio of means (0.9 to 1.1) includes 1", "overrule the signed-rank test (p = 0.0156)"],
  ],
  [
    "a large p agrees with the intervals",
    { ...around, ...interval, pValue: 0.4 },
    ["signed-rank test agrees (p = 0.4000)"],
  ],
  [
    "intervals may point in opposite directions",
    { ratio: estimate(1.1, 1.2), shiftMs: estimate(-40, -30), ...interval, pValue: 0.01 },
    ["opposite directions"],
  ],
  [
    "the shift alone may be undecided",
    { ratio: estimate(1.1, 1.2), shiftMs: estimate(-4, 3), ...interval, pValue: 0.4 },
    ["shift of medians (-4 to 3 ms) includes 0"],
  ],
  [
    "the minimum overrules a small p",
    { ...apart, ...minimum, pValue: 0.00001 },
    ["Your minimum of 5 % decides", "overrules the signed-rank test (p < 0.0001)"],
  ],
  [
    "both agree on what is faster",
    { ...apart, ...faster, pValue: 0.01 },
    ["both exclude", "agrees (p = 0.0100)"],
  ],
  [
    "intervals overrule a large p",
    { ...apart, ...faster, pValue: 0.2 },
    ["They overrule the signed-rank test (p = 0.2000)"],
  ],
])("%s", (_, decided, parts) => {
  const question = { minimumEffect: { kind: "share", share: 0.05 } } as BenchmarkComparison["question"];
  const sentence = formatDecision({ ...decided, question });
  for (const part of parts) expect(sentence).toContain(part);
  if (decided.verdict.kind === "too few runs") expect(sentence).not.toContain("p =");
});

test.each([
  [1, "p > 0.9999"],
  [0.99995, "p > 0.9999"],
  [0.5, "p = 0.5000"],
  [0.00001, "p < 0.0001"],
])("a p-value of %d is told as %s, for none is exactly 0 or 1", (pValue, words) => {
  expect(formatPValue(pValue)).toBe(words);
});

test("pitfalls of runs are told in short, and with what they mean", () => {
  expect(formatCaveat({ kind: "reconnected", count: 2, runCount: 12 })).toBe("2 of 12 runs reconnected");
  expect(formatCaveat({ kind: "few samples", count: 1, runCount: 1 })).toBe(
    "1 of 1 run with too few samples",
  );
  expect(explainCaveat({ kind: "drift", count: 3, runCount: 12 })).toBe(
    "3 of 12 runs became slower or faster while they measured, so that their slots do not count.",
  );
});
