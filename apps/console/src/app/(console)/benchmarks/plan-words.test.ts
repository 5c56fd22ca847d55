import type { BenchmarkRunRow } from "@stashlight/contracts/benchmark/plan";
import { expect, test } from "vitest";
import { formatDollars, formatProgress, formatTimeLeft } from "./plan-words.ts";

test.each([
  [0, "$0.00"],
  [1.5, "$1.50"],
  [0.014, "$0.01"],
  [0.00123, "$0.0012"],
])("%d dollars are %s", (amount, words) => {
  expect(formatDollars(amount)).toBe(words);
});

test("what is left is told as an estimate, and never as less than nothing", () => {
  const at = (ms: number) => ({ estimatedEndAt: new Date(ms) });
  expect(formatTimeLeft(at(41_000), 1_000)).toBe("about 40 s left");
  expect(formatTimeLeft(at(0), 5_000)).toBe("about to end");
  expect(formatTimeLeft({ estimatedEndAt: null }, 0)).toBe("");
});

test("a slot under way says which of its endpoints is measured, and how far it is", () => {
  const run = (state: BenchmarkRunRow["state"], endpointName: string, progress: number) =>
    ({ state, endpointName, progress }) as BenchmarkRunRow;
  expect(formatProgress({ runs: [] })).toBeNull();
  expect(formatProgress({ runs: [run("succeeded", "B2", 1), run("queued", "S3", 0)] })).toBeNull();
  expect(formatProgress({ runs: [run("succeeded", "B2", 1), run("running", "S3", 0.426)] })).toBe(
    "Endpoint 2 of 2, S3: 43 %",
  );
});
