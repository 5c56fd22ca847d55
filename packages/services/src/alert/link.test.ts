import { MINUTE_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { alertPath } from "./link.ts";

const atMs = Date.UTC(2026, 10, 30, 2, 13);

test.each([
  ["has just begun", 1, "2026-11-30T02:28:00.000Z"],
  ["has fired for 33 minutes", 33, "2026-11-30T02:46:00.000Z"],
])("the chart of an alert that %s shows its newest value", (_, minutes, to) => {
  const { searchParams } = new URL(alertPath("rule", "s1", atMs, atMs + minutes * MINUTE_MS), "http://local");
  expect(searchParams.get("from")).toBe("2026-11-30T01:43:00.000Z");
  expect(searchParams.get("to")).toBe(to);
});

test("an alert without a rule links to the list of rules", () => {
  expect(alertPath(null, "s1", atMs)).toBe("/alerts");
});
