import { expect, test } from "vitest";
import { defaultPlanInput } from "../sizing/defaults.ts";
import { planStash } from "../sizing/required-drives.ts";
import { describeSmallLoad } from "./small-load.ts";

test("an almost empty load is described in words, and the default load is not", () => {
  const idle = planStash({ ...defaultPlanInput, uploadsPerSecond: 0.001 });
  expect(idle.drivesByConstraint[idle.bindingConstraint]).toBeLessThan(0.01);
  expect(describeSmallLoad(idle)).toContain("less than a hundredth of one drive");
  expect(describeSmallLoad(planStash(defaultPlanInput))).toBeNull();
});
