import { expect, test } from "vitest";
import { formatDuration } from "./duration.ts";

test.each([
  [73.4, "73 ms"],
  [999, "999 ms"],
  [1_400, "1.4 s"],
  [12_300, "12 s"],
  [190_000, "3 min"],
])("a duration of %s ms is formatted as %s", (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});
