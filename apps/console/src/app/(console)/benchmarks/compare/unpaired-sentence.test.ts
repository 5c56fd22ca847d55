import type { BenchmarkUnpaired, UnpairedSide } from "@stashlight/contracts/benchmark";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unpairedSentence } from "./unpaired-sentence.ts";

const side = (name: string): UnpairedSide => ({
  runId: name,
  name,
  by: "samples",
  sampleCount: 100,
  failureCount: 0,
  meanMs: 150,
  percentilesMs: [],
});
const unpaired = (shiftMs: number): BenchmarkUnpaired => ({
  a: side("B2"),
  b: side("S3"),
  shiftMs,
  cliffsDelta: -0.4,
  magnitude: "medium",
});

test("two runs are described by their medians", () => {
  expect(unpairedSentence(unpaired(-31.25))).toBe(
    "In these two runs the median of A (B2) is 31.25 ms below that of B (S3)",
  );
  expect(unpairedSentence(unpaired(0))).toBe(
    "The medians of A (B2) and B (S3) are the same in these two runs",
  );
});

test("the sentence names no winner for a shift between two single runs", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (shiftMs) => {
      expect(unpairedSentence(unpaired(shiftMs))).not.toMatch(/fast|slow|better|win/i);
    }),
  );
});
