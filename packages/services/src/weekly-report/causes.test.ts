import { HOUR_MS, WEEK_MS } from "@stashlight/contracts/time";
import { expect, test } from "vitest";
import { type FiredEvent, weekCauses } from "./causes.ts";

const week = { fromMs: 0, toMs: WEEK_MS };
const event = (
  kind: FiredEvent["kind"],
  hour: number,
  group = "s1",
  more: Partial<FiredEvent> = {},
): FiredEvent => ({
  kind,
  group,
  ruleName: "Slow fsync",
  severity: "warning",
  vault: "main",
  isInhibited: false,
  atMs: hour * HOUR_MS,
  ...more,
});
const hours = (events: readonly FiredEvent[]) =>
  weekCauses(events, week).map(({ spanCount, groupCount, totalMs, longestMs, isFiringAtEnd }) => ({
    spanCount,
    groupCount,
    isFiringAtEnd,
    total: totalMs / HOUR_MS,
    longest: longestMs / HOUR_MS,
  }));

test("drives that stall together are one cause, which lasted while any of them did", () => {
  const events = [
    event("firing", 1),
    event("firing", 2, "s2"),
    event("resolved", 3),
    event("resolved", 5, "s2"),
  ];
  expect(hours(events)).toEqual([
    { spanCount: 1, groupCount: 2, total: 4, longest: 4, isFiringAtEnd: false },
  ]);
});

test("an alert that fires again later is counted again", () => {
  const events = [event("firing", 1), event("resolved", 2), event("firing", 10), event("resolved", 13)];
  expect(hours(events)).toEqual([
    { spanCount: 2, groupCount: 1, total: 4, longest: 3, isFiringAtEnd: false },
  ]);
});

test.each([
  ["began before the week", [event("resolved", 2)], 2, false],
  ["goes on after it", [event("firing", 166)], 2, true],
])("an alert that %s is counted for its part within the week", (_, events, total, isFiringAtEnd) => {
  expect(hours(events)).toMatchObject([{ spanCount: 1, total, isFiringAtEnd }]);
});

test("an alert that follows from another is not a cause, and vaults are separate, worst first", () => {
  const events = [
    event("firing", 1, "a", { ruleName: "Node is silent", severity: "critical", vault: "east" }),
    event("firing", 1, "b", { isInhibited: true }),
    event("firing", 1, "c"),
    event("firing", 1, "d", { vault: "west" }),
    event("resolved", 9, "d", { vault: "west" }),
  ];
  expect(weekCauses(events, week).map(({ ruleName, vault }) => [ruleName, vault])).toEqual([
    ["Node is silent", "east"],
    ["Slow fsync", "main"],
    ["Slow fsync", "west"],
  ]);
});
