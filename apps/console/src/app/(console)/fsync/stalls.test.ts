import { expect, test } from "vitest";
import { formatOrigin, formatThreshold, rangeAround, stallThresholds } from "./stalls.ts";

test.each([
  ["a raw window", 10_000, 310_000],
  ["a minute", 60_000, 21 * 60_000],
  ["an hour", 3_600_000, 21 * 3_600_000],
])("the range around a stall leaves time for comparison: %s", (_, spanMs, expectedMs) => {
  const { fromMs, toMs } = rangeAround({ startMs: 1e12, endMs: 1e12 + spanMs });
  expect(toMs - fromMs).toBe(expectedMs);
  expect(1e12 - fromMs).toBe(toMs - 1e12 - spanMs);
});

test.each([
  [{ modelled: null, isSimulated: false }, null],
  [{ modelled: "hdd-7200", isSimulated: false }, "modelled as hdd-7200"],
  [{ modelled: "hdd-7200", isSimulated: true }, "modelled as hdd-7200, simulated"],
  [{ modelled: null, isSimulated: true }, "simulated"],
])("values that were not measured on a drive have a caveat: %o", (stall, expected) => {
  expect(formatOrigin(stall)).toBe(expected);
});

test("each tier's default threshold is one of its options, and an HDD's is longer", () => {
  for (const { choicesMs, defaultMs } of Object.values(stallThresholds))
    expect(choicesMs).toContain(defaultMs);
  expect(stallThresholds.pod.defaultMs).toBeGreaterThan(stallThresholds.stash.defaultMs);
  expect([500, 2_000].map(formatThreshold)).toEqual(["500 ms", "2 s"]);
});
