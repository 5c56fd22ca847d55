import { expect, test } from "vitest";
import { estimateClassBytes } from "./size-mix.ts";

const small = { uploadCount: 900, bounds: [0, 65_536] } as const;
const large = { uploadCount: 100, bounds: [262_144, 1_048_576] } as const;

test("a single size class has the mean of all uploads", () => {
  expect(estimateClassBytes([small], 900 * 4096)).toEqual([4096]);
});

test("several classes add up to the reported bytes, each within its bounds", () => {
  for (const total of [40e6, 80e6, 120e6]) {
    const [first = 0, second = 0] = estimateClassBytes([small, large], total);
    expect(first * 900 + second * 100).toBeCloseTo(total, -3);
    expect(first).toBeLessThanOrEqual(65_536);
    expect(second).toBeGreaterThanOrEqual(262_144);
    expect(second).toBeLessThanOrEqual(1_048_576);
  }
});

test("bytes that fit no mix of the classes are moved to the nearest bound", () => {
  expect(estimateClassBytes([small, large], 1)).toEqual([expect.closeTo(0, 3), 262_144]);
});
