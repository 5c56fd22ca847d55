import { expect, test } from "vitest";
import { faultNames } from "../options.ts";
import { computeCoverage } from "./coverage.ts";
import { situationNames } from "./situations.ts";

test("hazards that were never met are named, and unlisted hazards are shown too", () => {
  const counts = new Map([
    ["bit rot", 2],
    ["put refused: order", 1],
    ["log damage: torn_tail", 4],
  ]);
  const { faults, situations, neverReached } = computeCoverage(counts, faultNames);
  expect(faults).toContainEqual(["bit rot", 2]);
  expect(faults).toContainEqual(["log damage: torn_tail", 4]);
  expect(situations).toContainEqual(["put refused: order", 1]);
  expect(neverReached).not.toContain("bit rot");
  expect(neverReached).toContain("power cut");
  expect(neverReached).toHaveLength(faults.length + situations.length - 3);
});

test("if only some faults are requested, nothing else is reported as missed", () => {
  const { neverReached } = computeCoverage(new Map(), ["partition"]);
  expect(neverReached).toContain("partition");
  expect(neverReached).not.toContain("power cut");
  for (const name of situationNames) expect(neverReached).not.toContain(name);
});
