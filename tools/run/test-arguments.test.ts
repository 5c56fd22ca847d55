import { expect, test } from "vitest";
import { parseTestArguments } from "./test-arguments.ts";

test.each([
  [[], { only: null, filters: [], isFull: false }],
  [["--full"], { only: null, filters: [], isFull: true }],
  [["--full", "--only", "sim"], { only: "sim", filters: [], isFull: true }],
  [["--only", "unit", "audit"], { only: "unit", filters: ["audit"], isFull: false }],
  [["audit", "--only=e2e"], { only: "e2e", filters: ["audit"], isFull: false }],
  [["--only", "all"], '--only takes one of unit, db, vault, sim, e2e, verify, not "all".'],
  [["--only"], "--only takes one of unit, db, vault, sim, e2e, verify, not nothing."],
  [["--watch"], 'npm test does not know "--watch"; its options are --only STAGE and --full.'],
])("npm test %j is read or refused with a sentence", (args, expected) => {
  expect(parseTestArguments(args)).toEqual(expected);
});
