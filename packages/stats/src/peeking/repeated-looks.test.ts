import { expect, test } from "vitest";
import { createRandom } from "../random.ts";
import { simulatePeeking } from "../testing/simulate-peeking.ts";
import { levelOfLook, payForLooks, peekingShares, weightedLevels } from "./repeated-looks.ts";

test("the table matches a simulation of all looks", () => {
  const pathCount = 3000;
  const shares = simulatePeeking({ random: createRandom(7), pathCount });
  expect(shares).toHaveLength(peekingShares.length);
  // Checks powers of ten from 1 to a thousandth, each to within four standard errors.
  for (const place of [0, 4, 8, 12]) {
    const expected = peekingShares[place] as number;
    const error = 4 * Math.sqrt((expected * (1 - expected)) / pathCount) + 1e-9;
    expect(Math.abs((shares[place] as number) - expected)).toBeLessThan(error);
  }
});

test("the correction for repeated looks raises a p-value, least at ten slots", () => {
  for (const pValue of [0.5, 0.05, 1e-3, 1e-6, 1e-12]) {
    expect(payForLooks(pValue, 10)).toBeGreaterThan(pValue);
    for (const slotCount of [6, 9, 11, 60, 1000]) {
      expect(payForLooks(pValue, slotCount)).toBeGreaterThan(payForLooks(pValue, 10) - 1e-15);
    }
  }
  expect([payForLooks(0, 6), payForLooks(1, 6), payForLooks(0.5, 1000)]).toEqual([0, 1, 1]);
});

test("the correction never falls as the p-value rises, between levels of the table and below the last one", () => {
  const pValues = Array.from({ length: 400 }, (_, i) => 10 ** (-i / 30)).reverse();
  const paid = pValues.map((pValue) => payForLooks(pValue, 10));
  expect(paid).toEqual(paid.toSorted((a, b) => a - b));
  for (const [place, level] of weightedLevels.entries()) {
    expect(payForLooks(level, 10)).toBeCloseTo(peekingShares[place] as number, 10);
  }
  // Far below the table the share is at most the union bound over all looks: the sum of their weights, about 21.
  expect(payForLooks(1e-6, 10) / 1e-6).toBeGreaterThan(8);
});

test.each([6, 10, 56, 1000])("the correction makes the level of one look at %d slots 5 %%", (slotCount) => {
  expect(payForLooks(levelOfLook(0.05, slotCount), slotCount)).toBeCloseTo(0.05, 8);
});
