import type { AlertCondition } from "@stashlight/contracts/alert";
import { expect, test } from "vitest";
import { readUsualColumns, usualHoursMin, withUsual } from "./usual-values.ts";

const condition: AlertCondition = {
  kind: "percentile",
  percentile: "p99",
  comparison: "above",
  threshold: 0.05,
  sampleCountMin: 20,
  windowSeconds: 300,
  usual: { times: 3, atLeast: 0.005 },
};
/** Hours with this p99 and this number of samples. */
const hours = (p99: readonly (number | null)[], n = 2_000) => {
  const all = (value: number) => p99.map(() => value);
  return {
    columns: {
      kind: "histogram" as const,
      n: all(n),
      sum: all(1),
      min: all(0),
      max: all(1),
      p50: all(0.001),
      p90: all(0.002),
      p99: [...p99],
      p999: p99.map(() => null),
    },
  };
};
const evidence = { statistic: "p99" as const, sampleCount: 1_500 };

test("the usual value of a statistic is its median, which some slow hours do not move", () => {
  const most = Array.from({ length: usualHoursMin }, () => 0.004);
  expect(readUsualColumns(condition, hours([...most, 0.4, 0.5, 0.6]))).toEqual({
    p50: 0.001,
    p90: 0.002,
    p99: 0.004,
    max: 1,
  });
});

test("a usual value needs a day of hours with enough samples each", () => {
  const day = Array.from({ length: usualHoursMin }, () => 0.004);
  expect(readUsualColumns(condition, hours(day)).p99).toBe(0.004);
  expect(readUsualColumns(condition, hours(day.slice(1)))).toEqual({});
  expect(readUsualColumns(condition, hours(day, 19))).toEqual({});
  expect(
    readUsualColumns(condition, hours(day.map((value, at) => (at === 0 ? null : value)))).p99,
  ).toBeUndefined();
});

test.each([
  ["three times the usual value", 0.004, 0.012],
  ["the configured minimum for a fast drive", 0.0001, 0.005],
  ["no lower than the threshold for a drive that is usually slow", 0.04, undefined],
])("the limit that follows from the usual value is %s", (_what, usual, limit) => {
  const told = withUsual(condition, evidence, { p99: usual });
  expect(told?.usual).toBe(usual);
  if (limit === undefined) expect(told).not.toHaveProperty("limit");
  else expect(told?.limit).toBeCloseTo(limit, 9);
});

test("only the threshold applies without a usual value of the same statistic", () => {
  expect(withUsual(condition, evidence, { p90: 0.001 })).toEqual(evidence);
  expect(withUsual(condition, evidence, undefined)).toEqual(evidence);
});
