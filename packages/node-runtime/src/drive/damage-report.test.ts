import { expect, test } from "vitest";
import { DamageReport } from "./damage-report.ts";

const totals = (corruptCount: number, readErrorCount: number) => ({ corruptCount, readErrorCount });

test("the first damage is reported at once, and thousands more give one report per minute", () => {
  const report = new DamageReport();
  expect(report.note(totals(0, 0), 0)).toBeNull();
  const reports = Array.from({ length: 481 }, (_, tick) => report.note(totals(1 + tick * 15, 0), tick * 250));
  expect(reports.filter((each) => each !== null)).toEqual([totals(1, 0), totals(3600, 0), totals(3600, 0)]);
});

test("damage that comes a minute after the last report is reported at once", () => {
  const report = new DamageReport();
  report.note(totals(0, 3), 0);
  expect(report.note(totals(0, 3), 60_000)).toBeNull();
  expect(report.note(totals(2, 3), 60_250)).toEqual(totals(2, 0));
  expect(report.note(totals(2, 4), 60_500)).toBeNull();
  expect(report.note(totals(2, 9), 120_250)).toEqual(totals(0, 6));
});
