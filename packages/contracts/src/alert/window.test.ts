import { expect, test } from "vitest";
import { HOUR_MS, WEEK_MS } from "../time/duration.ts";
import { occurrenceFrom, occurrencesIn, type SilenceWindow } from "./window.ts";

const window = (changes: Partial<SilenceWindow> = {}): SilenceWindow => ({
  startMs: 0,
  endMs: 2 * HOUR_MS,
  isWeekly: false,
  endedMs: null,
  ...changes,
});
const weekly = window({ isWeekly: true });
const hours = ({ startMs, endMs }: { startMs: number; endMs: number }) => [
  startMs / HOUR_MS,
  endMs / HOUR_MS,
];
const from = (asked: SilenceWindow, hour: number) => {
  const found = occurrenceFrom(asked, hour * HOUR_MS);
  return found === null ? null : hours(found);
};

test.each<[string, SilenceWindow, number, number[] | null]>([
  ["before it begins", window(), -5, [0, 2]],
  ["while it holds", window(), 1, [0, 2]],
  ["at its end", window(), 2, null],
  ["in its first week", weekly, 1, [0, 2]],
  ["at its first end", weekly, 2, [168, 170]],
  ["in a later week", weekly, 52 * 168 + 1, [52 * 168, 52 * 168 + 2]],
  ["once somebody ended it early", window({ endedMs: HOUR_MS }), 1, null],
  ["of which one hour is left", window({ endedMs: HOUR_MS }), 0, [0, 1]],
  ["that was ended between two weeks", { ...weekly, endedMs: 3 * HOUR_MS }, 2, null],
  ["that was called off before it began", window({ endedMs: -HOUR_MS }), -2, null],
])("the occurrences of a window are right: %s", (_when, asked, hour, found) => {
  expect(from(asked, hour)).toEqual(found);
});

test("a range has the occurrences that overlap it, even at its edges, and no more than requested", () => {
  const range = { startMs: HOUR_MS, endMs: 2 * WEEK_MS };
  expect(occurrencesIn(weekly, range).map(hours)).toEqual([
    [0, 2],
    [168, 170],
    [336, 338],
  ]);
  expect(occurrencesIn(weekly, { startMs: 0, endMs: 1e15 }, 7)).toHaveLength(7);
});
