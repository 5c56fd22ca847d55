import { expect, test } from "vitest";
import { checkStep, parseTrace } from "./index.ts";

const fallback = { kib: 4, readShare: 0.8 };

test("a trace with heading, comments, tabs, semicolons and missing figures is read", () => {
  const text = "seconds,iops,kib,reads\n# at night\n600, 3000, 16, 50\r\n60;100\n\n1\t2.5\t8\n";
  expect(parseTrace(text, fallback)).toEqual({
    steps: [
      { seconds: 600, iops: 3000, kib: 16, readShare: 0.5 },
      { seconds: 60, iops: 100, kib: 4, readShare: 0.8 },
      { seconds: 1, iops: 2.5, kib: 8, readShare: 0.8 },
    ],
    problems: [],
  });
});

test.each([
  ["", 1, "The trace is empty: enter a line such as 600, 3000, 4, 80."],
  ["600,3000\n600", 2, "A line has two to four figures (seconds, IOPS, KiB, % of reads), not 1."],
  ["600,3000\n600,many", 2, "“many” is not a number."],
  ["600,3000,", 1, "“” is not a number."],
  ["600,-1", 1, "A demand must be from 0 to 10,000,000 IOPS."],
  ["600,1e30", 1, "A demand must be from 0 to 10,000,000 IOPS."],
  ["0,10", 1, "A step lasts 0.001 s to a year."],
  ["600,10,4,101", 1, "The share of reads must be from 0 to 100 %."],
])("%j is refused with its line", (text, line, message) => {
  expect(parseTrace(text, fallback).problems).toEqual([{ line, message }]);
});

test("a step without numbers is refused field by field", () => {
  const nothing = { seconds: Number.NaN, iops: Number.NaN, kib: Number.NaN, readShare: Number.NaN };
  expect(checkStep(nothing).map(({ field }) => field)).toEqual(["seconds", "iops", "kib", "readShare"]);
});
