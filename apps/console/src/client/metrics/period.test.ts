import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { initialRange } from "./period.ts";

test.each([
  [0, "now-5m"],
  [9 * MINUTE_MS, "now-5m"],
  [10 * MINUTE_MS, "now-15m"],
  [29 * MINUTE_MS, "now-15m"],
  [30 * MINUTE_MS, "now-1h"],
  [48 * 60 * MINUTE_MS, "now-1h"],
])("after %i ms of measuring a page shows %s by default", (measuredMs, from) => {
  expect(initialRange(measuredMs)).toEqual({ from, to: "now" });
});
