import { defaultPlanInput, explainPlan, type UncertainRange } from "@stashlight/planner";
import { expect, test } from "vitest";
import { comparedAnswers, comparedInputs } from "./compare.ts";

const other = {
  ...defaultPlanInput,
  uploadsPerSecond: 40_000,
  drive: { ...defaultPlanInput.drive, priceUsd: 500 },
};

const asked = { input: defaultPlanInput, ranges: [] };

/** Too few servers for the placement of the example plan. */
const installedPool = {
  servers: 1,
  drivesPerServer: 20,
  driveCapacityBytes: defaultPlanInput.drive.capacityBytes,
  driveFsyncPerSecond: defaultPlanInput.drive.fsyncPerSecond,
};

test("only differing inputs are listed, in the units of the form", () => {
  expect(comparedInputs(asked, { input: other, ranges: [] })).toEqual([
    { name: "Small uploads", own: "2000 1/s", other: "40000 1/s", isDifferent: true },
    { name: "Price of a drive", own: "360 $", other: "500 $", isDifferent: true },
  ]);
  expect(comparedInputs(asked, asked)).toEqual([]);
});

test("ranges given in only one plan are listed", () => {
  const ranges: UncertainRange[] = [
    { variable: "growthPerYear", shape: "triangular", low: 0.1, mode: 0.3, high: 0.5 },
  ];
  expect(comparedInputs(asked, { ...asked, ranges })).toEqual([
    { name: "Range of Growth", own: "–", other: "10 to 50 % a year, most likely 30", isDifferent: true },
  ]);
});

test("every result is listed, and differing ones are marked", () => {
  const rows = comparedAnswers(
    { answer: explainPlan(defaultPlanInput), unjudged: null },
    { answer: explainPlan(other), unjudged: null },
  );
  expect(rows.find(({ name }) => name === "Drives")).toMatchObject({ own: "21", isDifferent: true });
  expect(rows.find(({ name }) => name === "Installed pool")).toMatchObject({ isDifferent: false });
});

test("a plan whose load was measured for too short a time has no verdict on its pools", () => {
  const answer = explainPlan({ ...defaultPlanInput, installed: installedPool });
  const rows = comparedAnswers(
    { answer, unjudged: "34 min of load were measured" },
    { answer, unjudged: null },
  );
  expect(rows.find(({ name }) => name === "Outgrown")).toMatchObject({ own: "not judged" });
  expect(rows.find(({ name }) => name === "Installed pool")).toMatchObject({
    own: expect.stringMatching(/^not judged, /),
    other: expect.stringMatching(/^does not suffice, /),
  });
});
