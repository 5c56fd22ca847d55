import { expect, test } from "vitest";
import { backTest } from "./testing/back-test.ts";

/** `pnpm bench forecasts` tests 500 vaults of 30 days, every hour. */
test("simulated vaults fill up within 90 to 98 % of intervals, and 95 % of full ones are forecast in time", () => {
  const found = backTest({ firstSeed: 20_001, vaultCount: 40, dayCount: 30, everyHours: 4 });
  expect(found.vaultMonths).toBeGreaterThan(30);
  expect(found.intervalCount).toBeGreaterThan(200);
  const coverage = found.coveredCount / found.intervalCount;
  expect(coverage).toBeGreaterThanOrEqual(0.9);
  expect(coverage).toBeLessThanOrEqual(0.98);
  expect(found.falseAlarmCount / found.vaultMonths).toBeLessThanOrEqual(0.01);
  expect(found.fullCount).toBeGreaterThanOrEqual(8);
  expect(found.foundCount / found.fullCount).toBeGreaterThanOrEqual(0.95);
});
