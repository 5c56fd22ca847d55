import type { HealthCheck, HealthState } from "@stashlight/contracts/health";
import { expect, test } from "vitest";
import { formatFigure, formatHealthSummary, worstFirst } from "./health-checks.ts";

function check(state: HealthState): HealthCheck {
  return { id: "disk", title: state, state, sentence: "", figures: [], checkedAt: new Date(0) };
}

test("checks are listed from worst to best", () => {
  const states = worstFirst([check("good"), check("unknown"), check("bad"), check("warning")]).map(
    ({ state }) => state,
  );
  expect(states).toEqual(["bad", "warning", "unknown", "good"]);
});

test("unknown checks are not reported as healthy", () => {
  const database = { title: "Database", state: "good" as const };
  const disk = { title: "Disk", state: "good" as const };
  const audit = { title: "Audit log", state: "unknown" as const };
  expect(formatHealthSummary([database, disk])).toBe("Healthy: Database and Disk.");
  expect(formatHealthSummary([database, audit, disk])).toBe(
    "Healthy: Database and Disk. Not reported yet: Audit log.",
  );
  expect(formatHealthSummary([audit])).toBe("Not reported yet: Audit log.");
});

test.each([
  [
    { value: 1.24, unit: "milliseconds" as const },
    { value: "1.2", unit: "ms" },
  ],
  [
    { value: 124.6, unit: "milliseconds" as const },
    { value: "125", unit: "ms" },
  ],
  [
    { value: 8.4, unit: "seconds" as const },
    { value: "8", unit: "s" },
  ],
  [
    { value: 854, unit: "seconds" as const },
    { value: "14", unit: "min" },
  ],
  [
    { value: 854, unit: "seconds-ago" as const },
    { value: "14", unit: "min ago" },
  ],
  [
    { value: 0.4, unit: "seconds-ago" as const },
    { value: "just now", unit: "" },
  ],
  [
    { value: 12_480, unit: "count" as const },
    { value: "12,480", unit: "" },
  ],
  [{ value: "18.4" }, { value: "18.4", unit: "" }],
])("the figure %o is shown as %o", (figure, shown) => {
  expect(formatFigure(figure)).toEqual(shown);
});

test("a byte count is split into a value and its unit", () => {
  expect(formatFigure({ value: 8_200_000, unit: "bytes" }).unit).toBe("MB");
});
