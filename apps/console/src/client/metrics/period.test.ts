import { expect, test } from "vitest";
import { initialRange } from "./period.ts";

const MINUTE = 60_000;

test.each([
  [0, "now-5m"],
  [9 * MINUTE, "now-5m"],
  [10 * MINUTE, "now-15m"],
  [29 * MINUTE, "now-15m"],
  [30 * MINUTE, "now-1h"],
  [48 * 60 * MINUTE, "now-1h"],
])("after %i ms of measuring a page shows %s unless somebody chooses", (measuredMs, from) => {
  expect(initialRange(measuredMs)).toEqual({ from, to: "now" });
});
