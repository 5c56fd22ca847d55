import { expect, test } from "vitest";
import { occurrencesPerMonth } from "./cost.ts";
import { calendarMonth, dollars } from "./money.ts";

const now = new Date("2026-11-21T10:00:00Z");

test.each([
  ["0 */6 * * *", 120],
  ["0 0 1 * *", 1],
  ["*/15 * * * *", 2880],
  ["* * * * *", 43_200],
  ["0 0 29 2 *", 0],
])("%s runs %d times in 30 days", (cron, count) => {
  expect(occurrencesPerMonth({ cron, timeZone: "UTC" }, now)).toBeCloseTo(count, 6);
});

test("a month is a calendar month in UTC", () => {
  expect(calendarMonth(new Date("2026-12-31T23:59:59.999Z"))).toEqual({
    from: new Date("2026-12-01T00:00:00Z"),
    to: new Date("2027-01-01T00:00:00Z"),
  });
});

test.each([
  [0, "$0.00"],
  [0.0012, "$0.0012"],
  [1.005, "$1.00"],
  [12.5, "$12.50"],
])("the amount %d is formatted as %s", (amount, text) => {
  expect(dollars(amount)).toBe(text);
});
