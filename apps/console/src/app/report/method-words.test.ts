import type { BenchmarkComparison, BenchmarkSide } from "@stashlight/contracts/benchmark/result";
import { expect, test } from "vitest";
import { methodInWords } from "./method-words.ts";

const side = (name: string) => ({ endpoint: { id: name, name, label: "measured" } }) as BenchmarkSide;

test("the method names both endpoints, the slots left out, the seed and the smallest effect", () => {
  const comparison = {
    a: side("B2"),
    b: side("S3"),
    drawCount: 2000,
    seed: 7,
    pairCount: 40,
    unpairedCount: 2,
    contamination: null,
    question: { minimumEffect: { kind: "share", share: 0.05 } },
  } as BenchmarkComparison;
  const words = methodInWords({ comparison }).join(" ");
  for (const part of ["B2 and S3", "40 slots", "2 in which only one", "seed 7", "at least 5 %"]) {
    expect(words).toContain(part);
  }
});
