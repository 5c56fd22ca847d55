import { expect, test } from "vitest";
import { formatPeriod } from "./period.ts";

test.each([
  [300, "0.3 s"],
  [30_000, "30 s"],
  [60_000, "1 min"],
  [105_000, "105 s"],
  [150_000, "2.5 min"],
  [295_000, "4.9 min"],
  [300_000, "5 min"],
  [5_400_000, "90 min"],
  [3_600_000, "1 h"],
  [19_000_000, "5.3 h"],
  [14 * 86_400_000, "14 d"],
])("a period of %d ms is formatted to within a twentieth", (periodMs, text) => {
  expect(formatPeriod(periodMs)).toBe(text);
});
