import { defaultPlanInput, explainPlan } from "@stashlight/planner";
import { expect, test } from "vitest";
import { comparedAnswers, comparedInputs } from "./compare.ts";

const other = {
  ...defaultPlanInput,
  uploadsPerSecond: 40_000,
  drive: { ...defaultPlanInput.drive, priceUsd: 500 },
};

test("inputs that differ are told in the units of the form, and no others", () => {
  expect(comparedInputs(defaultPlanInput, other)).toEqual([
    { name: "Small uploads", own: "2000 1/s", other: "40000 1/s", isDifferent: true },
    { name: "Price of a drive", own: "360 $", other: "500 $", isDifferent: true },
  ]);
  expect(comparedInputs(defaultPlanInput, defaultPlanInput)).toEqual([]);
});

test("answers are all told, and those that differ are marked", () => {
  const rows = comparedAnswers(explainPlan(defaultPlanInput), explainPlan(other));
  expect(rows.find(({ name }) => name === "Drives")).toMatchObject({ own: "70", isDifferent: true });
  expect(rows.find(({ name }) => name === "Installed pool")).toMatchObject({ isDifferent: false });
});
