import { expect, test } from "vitest";
import { parseTestArguments } from "./test-arguments.ts";

test.each([
  [[], { only: null, filters: [] }],
  [["--only", "unit", "audit"], { only: "unit", filters: ["audit"] }],
  [["audit", "--only=e2e"], { only: "e2e", filters: ["audit"] }],
  [["--only", "all"], '--only takes one of unit, db, vault, sim, e2e, verify, not "all".'],
  [["--only"], "--only takes one of unit, db, vault, sim, e2e, verify, not nothing."],
  [["--watch"], 'npm test does not know "--watch"; its only option is --only STAGE.'],
])("npm test %j is read or refused with a sentence", (args, expected) => {
  expect(parseTestArguments(args)).toEqual(expected);
});
