import type { LiveInputs } from "@stashlight/contracts/planner";
import { defaultPlanInput, explainPlan, type StashPlanInput } from "@stashlight/planner";
import { expect, test } from "vitest";
import { headroomAsInstalled } from "./as-installed.ts";

const told = (driveCapacityBytes: number): LiveInputs =>
  ({ installed: { figure: { driveCapacityBytes }, missing: null } }) as unknown as LiveInputs;
const of = (live: LiveInputs | undefined, more: Partial<StashPlanInput> = {}) => {
  const input = { ...defaultPlanInput, installed: { servers: 7, drivesPerServer: 10 }, ...more };
  return headroomAsInstalled(live, input, explainPlan(input));
};

test("smaller drives than the plan's are told, and what the pool does with them", () => {
  // 60 drives carry 18.3 times the 3.27 that capacity needs of the plan's 3.2 TB; of 32 GB each, a hundredth.
  expect(of(told(32e9))).toEqual({
    suffices: false,
    title: "The installed pool does not suffice",
    sentence:
      "70 installed drives of 32 GB carry 0.183 times today's load; capacity is met first. The plan uses drives of 3.2 TB; as many of those would carry 9.39 times, and the rest of the answer is about them.",
  });
});

test("where the drives are the plan's, or nothing is known of them, there is nothing to tell", () => {
  expect(of(told(3.1e12))).toBeNull();
  expect(of(undefined)).toBeNull();
  expect(of(told(32e9), { installed: null })).toBeNull();
});

test("drives that are smaller and yet enough suffice, but not at a horizon that they do not reach", () => {
  expect(of(told(1.6e12))).toMatchObject({ suffices: true });
  expect(of(told(1.6e12), { growthPerYear: 2, horizonYears: 5 })).toMatchObject({ suffices: false });
});
