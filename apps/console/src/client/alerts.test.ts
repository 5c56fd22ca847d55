import { expect, test } from "vitest";
import { standingOfRule } from "./alerts.ts";

const well = {
  isEnabled: true,
  lastError: null,
  firingCount: 0,
  pendingCount: 0,
  evaluatedAt: new Date(0),
  groupCount: 3,
};

test.each([
  [{}, "OK"],
  [{ groupCount: 0 }, "Too little data"],
  [{ evaluatedAt: null }, "Not evaluated yet"],
  [{ pendingCount: 2 }, "2 pending"],
  [{ pendingCount: 2, firingCount: 1 }, "1 firing"],
  [{ firingCount: 1, lastError: "why" }, "Not evaluated"],
  [{ isEnabled: false, lastError: "why" }, "Off"],
])("a rule with %o is: %s", (changes, label) => {
  expect(standingOfRule({ ...well, ...changes }).label).toBe(label);
});
