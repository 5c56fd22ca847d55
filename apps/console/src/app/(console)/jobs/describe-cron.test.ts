import { expect, test } from "vitest";
import { describeCron } from "./describe-cron.ts";

test.each([
  ["* * * * *", "Every minute"],
  ["20 * * * * *", "Every minute at second 20"],
  ["*/5 * * * *", "Every 5 minutes"],
  ["17 * * * *", "Every hour at minute 17"],
  ["0 */6 * * *", "Every 6 hours"],
  ["30 */6 * * *", "Every 6 hours at minute 30"],
  ["5 3 * * *", "Every day at 03:05"],
  ["30 22 * * 1-5", "Monday to Friday at 22:30"],
  ["0 4 * * 0", "Every Sunday at 04:00"],
  ["0 4 * * 7", "Every Sunday at 04:00"],
  ["0 4 1 * *", "On day 1 of every month at 04:00"],
])("the expression %s reads: %s", (cron, words) => {
  expect(describeCron(cron)).toBe(words);
});

test.each([
  "0 4 1 1 *",
  "0 4 1 * 1",
  "1,2 * * * *",
  "0 0-6 * * *",
  "0 4 * * 8",
  "0 0 4 * * *",
  "*/20 * * * * *",
  "@daily",
  "",
])("the expression %s gets no description", (cron) => {
  expect(describeCron(cron)).toBeNull();
});
