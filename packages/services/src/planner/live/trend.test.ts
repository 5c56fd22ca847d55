import { expect, test } from "vitest";
import { yearlyGrowth } from "./trend.ts";

const days = Array.from({ length: 60 }, (_, day) => day);

test("a load that doubles within a year has grown by 100 %, and its interval is a point", () => {
  const trend = yearlyGrowth(
    days,
    days.map((day) => 1000 * 2 ** (day / 365)),
  );
  expect(trend?.value).toBeCloseTo(1, 9);
  expect(trend?.low).toBeCloseTo(1, 6);
  expect(trend?.high).toBeCloseTo(1, 6);
});

test("the interval of a fluctuating load contains its growth", () => {
  const trend = yearlyGrowth(
    days,
    days.map((day) => 1000 * 1.3 ** (day / 365) * (1 + 0.1 * Math.sin(day * 0.9))),
  );
  expect(trend?.low).toBeLessThan(0.3);
  expect(trend?.high).toBeGreaterThan(0.3);
});

test("days without uploads, or too few of them, have no trend", () => {
  expect(yearlyGrowth([1, 2], [10, 20])).toBeNull();
  expect(yearlyGrowth([1, 2, 3], [10, 0, 20])).toBeNull();
  expect(yearlyGrowth([1, 1, 1], [10, 20, 30])).toBeNull();
});
