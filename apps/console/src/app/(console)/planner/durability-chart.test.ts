import { defaultPlanInput, explainPlan } from "@stashlight/planner";
import { expect, test } from "vitest";
import { durabilityFigure } from "./durability-chart.ts";

function figureWith(changes: Partial<typeof defaultPlanInput>) {
  const { durability } = explainPlan({ ...defaultPlanInput, ...changes }).durability;
  if (durability === null) throw new Error("The durability is unknown");
  return durabilityFigure(durability);
}

test("each scheme has a curve beside the target, and the planned one is named", () => {
  const { marks, isEmpty } = figureWith({});
  expect(isEmpty).toBe(false);
  expect(marks.map(({ label }) => label)).toEqual(["17+3", "16+4, planned", "15+5", "target"]);
});

test("an additional scheme has its own curve", () => {
  const { marks } = figureWith({ dataShards: 8, parityShards: 3 });
  expect(marks[0]?.label).toBe("8+3, planned");
  expect(marks).toHaveLength(5);
});

test("a rebuild too slow for any size leaves the figure empty", () => {
  expect(figureWith({ rebuildBytesPerSecond: 1500, hddBytes: 1e9 }).isEmpty).toBe(true);
});
