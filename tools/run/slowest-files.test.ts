import { expect, test } from "vitest";
import { formatSlowest, timesOfPlaywright, timesOfVitest } from "./slowest-files.ts";

test("files of both runners are listed with their durations, the slowest first", () => {
  const ofVitest = timesOfVitest(
    {
      testResults: [
        { name: "/root/packages/a.test.ts", startTime: 1000, endTime: 3500 },
        { name: "/root/packages/b.test.ts", startTime: 1000, endTime: 1100 },
      ],
    },
    "/root",
  );
  const spec = (file: string, ...durations: number[]) => ({
    file,
    tests: [{ results: durations.map((duration) => ({ duration })) }],
  });
  const ofPlaywright = timesOfPlaywright({
    suites: [
      {
        specs: [spec("access/pages.spec.ts", 4000)],
        suites: [{ specs: [spec("access/pages.spec.ts", 6000), spec("shell/phone.spec.ts", 200)] }],
      },
    ],
  });
  expect(formatSlowest([...ofVitest, ...ofPlaywright], 3).split("\n")).toEqual([
    "    10.0 s  e2e/access/pages.spec.ts",
    "     2.5 s  packages/a.test.ts",
    "     0.2 s  e2e/shell/phone.spec.ts",
  ]);
});

test("reports of runs without tests have no files", () => {
  expect(timesOfVitest({}, "/root")).toEqual([]);
  expect(timesOfPlaywright({})).toEqual([]);
});
