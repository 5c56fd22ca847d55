import fc from "fast-check";
import { expect, test } from "vitest";
import { describeRange, fromFieldValue, isoInstantMs, quickRanges, toFieldValue } from "./ranges.ts";

test.each([
  ["now-6h", "now", "Last 6 hours"],
  ["now-45m", "now", "Last 45 minutes"],
  ["now-2d", "now", "Last 2 days"],
  ["now-1h", "now", "Last hour"],
  ["now-6h", "now-1h", "now-6h to now-1h"],
  ["2026-11-21T01:30:00.000Z", "now", "2026-11-21 01:30 to now"],
  ["2026-11-21T01:30:00.000Z", "2026-11-21T03:30:00+01:00", "2026-11-21 01:30 to 2026-11-21 02:30"],
])("the range %s to %s is shown as %s", (from, to, text) => {
  expect(describeRange({ from, to }, "UTC")).toBe(text);
});

test.each(quickRanges)("the quick range $from is shown by its label", ({ from, label }) => {
  expect(describeRange({ from, to: "now" })).toBe(label);
});

test.each(["now-6h", "2026-11-21", "2026-11-21T01:30", "", "2026-99-21T01:30:00Z"])(
  "the text %j is rejected as an instant",
  (text) => {
    expect(isoInstantMs(text)).toBeNull();
  },
);

test("a whole minute survives a round trip through a date field in UTC", () => {
  const minutes = fc.integer({ min: 0, max: 60_000_000 });
  fc.assert(
    fc.property(minutes, (minute) => {
      const timeMs = minute * 60_000;
      expect(fromFieldValue(toFieldValue(timeMs, "UTC"), true)).toBe(new Date(timeMs).toISOString());
    }),
  );
  expect(fromFieldValue("", true)).toBeNull();
});
