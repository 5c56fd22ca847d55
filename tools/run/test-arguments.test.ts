import { expect, test } from "vitest";
import { parseTestArguments } from "./test-arguments.ts";

const alone = "--long runs only the tests that take an hour; leave other arguments out.";

test.each([
  [[], { only: null, filters: [], extents: ["quick"], isLong: false }],
  [["--full"], { only: null, filters: [], extents: ["quick", "rest"], isLong: false }],
  [["--long"], { only: null, filters: [], extents: ["quick"], isLong: true }],
  [["--only", "sim"], { only: "sim", filters: [], extents: ["all"], isLong: false }],
  [["--full", "--only", "sim"], { only: "sim", filters: [], extents: ["all"], isLong: false }],
  [["audit"], { only: null, filters: ["audit"], extents: ["all"], isLong: false }],
  [["--only", "unit", "audit"], { only: "unit", filters: ["audit"], extents: ["all"], isLong: false }],
  [["audit", "--only=e2e"], { only: "e2e", filters: ["audit"], extents: ["all"], isLong: false }],
  [["--long", "--full"], alone],
  [["--long", "--only", "sim"], alone],
  [["--long", "audit"], alone],
  [["--only", "all"], '--only takes one of unit, db, vault, sim, e2e, verify, not "all".'],
  [["--only"], "--only takes one of unit, db, vault, sim, e2e, verify, not nothing."],
  [["--watch"], 'npm test does not know "--watch"; its options are --only STAGE, --full and --long.'],
])("the arguments %j of npm test are parsed or refused", (args, expected) => {
  expect(parseTestArguments(args)).toEqual(expected);
});
