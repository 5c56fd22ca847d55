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
  ["after a user ended it early", window({ endedMs: HOUR_MS }), 1, null],
  ["before it begins, if it was shortened to an hour", window({ endedMs: HOUR_MS }), 0, [0, 1]],
  ["after it was ended between two weeks", { ...weekly, endedMs: 3 * HOUR_MS }, 2, null],
  ["before it begins, if it was cancelled", window({ endedMs: -HOUR_MS }), -2, null],
])("the window's present or next occurrence is found %s", (_when, asked, hour, found) => {
  expect(from(asked, hour)).toEqual(found);
});

test("occurrences that overlap a range are listed, even at its edges, up to the requested count", () => {
  const range = { startMs: HOUR_MS, endMs: 2 * WEEK_MS };
  expect(occurrencesIn(weekly, range).map(hours)).toEqual([
    [0, 2],
    [168, 170],
    [336, 338],
  ]);
  expect(occurrencesIn(weekly, { startMs: 0, endMs: 1e15 }, 7)).toHaveLength(7);
});
