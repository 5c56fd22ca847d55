import { checkStashPlanInput, defaultPlanInput } from "@stashlight/planner";
import { expect, test } from "vitest";
import { toCandidate, toDraft, withTexts } from "./draft.ts";

const draftProblems = (texts: Record<string, string>) =>
  checkStashPlanInput(toCandidate(withTexts(toDraft(defaultPlanInput), texts))).problems;

test("the form shows a stored value to the last byte", () => {
  const installed = {
    ...defaultPlanInput,
    installed: { servers: 7, drivesPerServer: 3, driveCapacityBytes: null, driveFsyncPerSecond: null },
  };
  for (const input of [
    defaultPlanInput,
    installed,
    { ...defaultPlanInput, podFlushBytesPerSecond: 123_456 },
  ]) {
    expect(checkStashPlanInput(toCandidate(toDraft(input))).input).toEqual(input);
  }
});

test.each([
  ["uploadsPerSecond", "", "Enter a number."],
  ["uploadsPerSecond", "many", "Enter a number."],
  ["uploadsPerSecond", "0", "Uploads per second must be above 0 and at most 1,000,000,000."],
  ["uploadsPerSecond", "-5", "Uploads per second must be above 0 and at most 1,000,000,000."],
  ["uploadsPerSecond", "1e30", "Uploads per second must be above 0 and at most 1,000,000,000."],
  ["dataShards", "250", expect.any(String)],
  ["drive.driveWritesPerDay", "0", expect.stringContaining("without a rating")],
])("the field %s with the text %j has the right error message", (path, text, message) => {
  const [problem] = draftProblems({ [path]: text, ...(path === "dataShards" ? { parityShards: "8" } : {}) });
  expect(problem?.message).toEqual(message);
});

test("the form accepts numbers grouped by commas, and empty optional fields", () => {
  expect(draftProblems({ uploadsPerSecond: "12,000", podFlushBytesPerSecond: " " })).toEqual([]);
});
