import { expect, test } from "vitest";
import { formatDateRange } from "./date-range.ts";

const HOUR_MS = 3_600_000;
const fromMs = Date.UTC(2026, 10, 26, 12);
const at = (...time: [month: number, day: number, hour?: number, minute?: number]) =>
  Date.UTC(2026, time[0] - 1, time[1], time[2] ?? 12, time[3] ?? 0);

test.each<[string, number, number | null]>([
  ["between 3 and 5 December", at(12, 3), at(12, 5)],
  ["between 28 November and 5 December", at(11, 28, 18), at(12, 5)],
  ["between 30 December and 2 January 2027", at(12, 30), Date.UTC(2027, 0, 2)],
  ["on 3 December", at(12, 3, 1), at(12, 3, 20)],
  ["between 14:20 and 16:05", at(11, 26, 14, 20), at(11, 26, 16, 5)],
  ["at 14:20", at(11, 26, 14, 20), at(11, 26, 14, 20)],
  ["on 27 November between 04:00 and 05:30", at(11, 27, 4), at(11, 27, 5, 30)],
  ["between 26 November, 22:10 and 27 November, 03:40", at(11, 26, 22, 10), at(11, 27, 3, 40)],
  ["not before 3 December", at(12, 3), null],
  ["not before 14:20", at(11, 26, 14, 20), null],
])("a range is formatted as “%s”", (words, earliestMs, latestMs) => {
  expect(formatDateRange({ fromMs, earliestMs, latestMs }, "UTC")).toBe(words);
});

test("times in the coming night are formatted without a date", () => {
  const night = { fromMs: at(11, 26, 19), earliestMs: at(11, 26, 23, 46), latestMs: at(11, 27, 0, 9) };
  expect(formatDateRange(night, "UTC")).toBe("between 23:46 and 00:09");
});

test("days are formatted in the viewer's time zone", () => {
  const band = { fromMs, earliestMs: fromMs + 200 * HOUR_MS, latestMs: fromMs + 230 * HOUR_MS };
  expect(formatDateRange(band, "UTC")).toBe("between 4 and 6 December");
  expect(formatDateRange(band, "Asia/Tokyo")).toBe("between 5 and 6 December");
});
