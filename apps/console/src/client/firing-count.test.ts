import { expect, test } from "vitest";
import { formatFiringCount, titleWithCount } from "./firing-count.ts";

test.each([
  ["Stash · Stashlight", 3, "(3) Stash · Stashlight"],
  ["(3) Stash · Stashlight", 12, "(12) Stash · Stashlight"],
  ["(3) Stash · Stashlight", 0, "Stash · Stashlight"],
  ["Disks (21) · Stashlight", 0, "Disks (21) · Stashlight"],
])("the title %s with %d alerts becomes %s", (title, causeCount, titled) => {
  expect(titleWithCount(title, causeCount)).toBe(titled);
});

test("a single alert is counted in the singular", () => {
  expect([formatFiringCount(1), formatFiringCount(2)]).toEqual(["1 alert firing", "2 alerts firing"]);
});
