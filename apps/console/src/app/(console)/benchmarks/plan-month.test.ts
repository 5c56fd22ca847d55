import { expect, test } from "vitest";
import { monthOfPlan } from "./plan-month.ts";

const cost = (perMonth: number | null) => ({
  endpointId: "e",
  endpointName: "B2",
  perRun: perMonth === null ? null : perMonth / 120,
  perMonth,
});
const asked = (...prices: (number | null)[]) => ({
  runsPerMonth: 120,
  uploadedBytesPerRun: 1e6,
  costs: prices.map(cost),
});

test("a month with known prices is shown as money, beside the budget", () => {
  const { metric, figure } = monthOfPlan(asked(1, 2), 5);
  expect(metric).toMatch(/^dollars/);
  expect(figure.rows).toEqual([
    [0, 0, 5],
    [30, 3, 5],
  ]);
});

test("a month with an unknown price is shown as bytes, never as zero dollars", () => {
  const { metric, figure } = monthOfPlan(asked(1, null), 5);
  expect(metric).toMatch(/^bytes/);
  expect(figure.rows.at(-1)).toEqual([30, 240e6]);
  expect(figure.columns).toEqual(["days", "uploaded, bytes"]);
});
