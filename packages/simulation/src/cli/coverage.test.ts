import { expect, test } from "vitest";
import { drawOptions, faultNames } from "../options.ts";
import { coverageOf } from "./coverage.ts";
import { examine } from "./examine.ts";
import { situationNames } from "./situations.ts";

test("a hundred seeds meet nearly every hazard, and each run repeats itself", () => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= 100; seed += 1) {
    const { finding, counters } = examine(drawOptions(seed), seed <= 10);
    expect(finding, `seed ${seed}`).toBeNull();
    for (const [name, count] of counters) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  const { neverReached } = coverageOf(counts, faultNames);
  expect(neverReached.length, neverReached.join(", ")).toBeLessThanOrEqual(8);
}, 600_000);

test("what was never reached is named, and what nobody listed is shown too", () => {
  const counts = new Map([
    ["bit rot", 2],
    ["put refused: order", 1],
    ["log damage: torn_tail", 4],
  ]);
  const { faults, situations, neverReached } = coverageOf(counts, faultNames);
  expect(faults).toContainEqual(["bit rot", 2]);
  expect(faults).toContainEqual(["log damage: torn_tail", 4]);
  expect(situations).toContainEqual(["put refused: order", 1]);
  expect(neverReached).not.toContain("bit rot");
  expect(neverReached).toContain("power cut");
  expect(neverReached).toHaveLength(faults.length + situations.length - 3);
});

test("a fault that was not asked for is not missed", () => {
  const { neverReached } = coverageOf(new Map(), ["partition"]);
  expect(neverReached).toContain("partition");
  expect(neverReached).not.toContain("power cut");
  for (const name of situationNames) expect(neverReached).not.toContain(name);
});
