import type {
  BenchmarkComparison,
  BenchmarkReportDocument,
  BenchmarkSide,
  BenchmarkSweep,
} from "@stashlight/contracts/benchmark";
import { expect, test } from "vitest";
import { describeMethod } from "./describe-method.ts";

const side = (name: string) => ({ endpoint: { id: name, name, label: "measured" } }) as BenchmarkSide;

test("the method names both endpoints, the skipped slots, the test and the smallest effect", () => {
  const comparison = {
    a: side("B2"),
    b: side("S3"),
    rule: "paid for looks",
    pairCount: 40,
    unpairedCount: 2,
    slots: { measuredCount: 40, undisturbedCount: 40, neededCount: 6 },
    question: { minimumEffect: { kind: "share", share: 0.05 } },
  } as BenchmarkComparison;
  const words = describeMethod({ comparison, sweep: null, restore: null }).join(" ");
  for (const part of [
    "B2 and S3",
    "40 slots",
    "2 in which only one",
    "corrected for testing after every slot",
    "at least 5 %",
  ]) {
    expect(words).toContain(part);
  }
});

test("a report by size states how many tests were corrected together, and how a restore time is drawn", () => {
  const comparison = {
    rule: "paid for looks",
    a: side("B2"),
    b: side("S3"),
    pairCount: 1,
    unpairedCount: 0,
    slots: { measuredCount: 40, undisturbedCount: 40, neededCount: 6 },
    question: { minimumEffect: { kind: "share", share: 0.05 } },
  } as BenchmarkComparison;
  const sweep = {
    comparisonCount: 54,
    question: { minimumEffect: { kind: "duration", duration: 5 } },
  } as BenchmarkSweep;
  const restore = { times: [] } as unknown as NonNullable<BenchmarkReportDocument["restore"]>;
  const words = describeMethod({ comparison, sweep, restore }).join(" ");
  for (const part of ["1 slot in which both have a figure is", "54 comparisons", "at least 5 ms"]) {
    expect(words).toContain(part);
  }
  expect(words).toContain("Restore times are drawn");
  const earlier = { ...comparison, rule: "earlier" } as BenchmarkComparison;
  expect(describeMethod({ comparison: earlier, sweep: null, restore: null }).join(" ")).toContain(
    "did not correct for repeated testing",
  );
});

test.each([
  [40, "are marked, and kept."],
  [30, "are left out as a whole."],
  [0, "but every slot here is affected, so the figures cover all of them."],
])(
  "a report of 40 slots, %i of them undisturbed, states which slots its figures cover",
  (undisturbedCount, words) => {
    const comparison = {
      rule: "paid for looks",
      a: side("B2"),
      b: side("S3"),
      pairCount: 40,
      unpairedCount: 0,
      slots: { measuredCount: 40, undisturbedCount, neededCount: 6 },
      question: { minimumEffect: { kind: "share", share: 0.05 } },
    } as BenchmarkComparison;
    expect(describeMethod({ comparison, sweep: null, restore: null }).join(" ")).toContain(words);
  },
);
