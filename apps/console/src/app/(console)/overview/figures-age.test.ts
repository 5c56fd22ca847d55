import { expect, test } from "vitest";
import { describeNoProblems } from "./figures-age.ts";

const nowMs = 1_000_000;

test.each([
  ["nothing was ever measured", null, "good", "No problems"],
  ["reports are of the present", nowMs - 4_000, "good", "No problems"],
  ["reports are a little late", nowMs - 29_000, "good", "No problems"],
  ["reports are old", nowMs - 60_000, "unknown", "No problems"],
  [
    "figures could not be read",
    undefined,
    "unknown",
    "Problems of vaults are unknown: the figures could not be read",
  ],
])("without a problem, and when %s, the state has its reason", (_, reportedMs, status, title) => {
  expect(describeNoProblems({ reportedMs, nowMs, paceMs: 5_000 })).toEqual({ status, title });
});

test.each([15_000, 60_000])(
  "figures that are read every %i ms vouch for no problems until that age",
  (paceMs) => {
    expect(describeNoProblems({ reportedMs: nowMs - paceMs - 9_000, nowMs, paceMs }).status).toBe("good");
  },
);
