import { expect, test } from "vitest";
import { emptyReason, zeroEndMs } from "./empty-reason.ts";

const range = { fromMs: 1_000, toMs: 2_000 };
const nothing = "The nodes reported, but there was nothing to measure in this time range";
const tooLittle = "Too few measurements in this time range to draw";

test.each<[string, number, boolean, string]>([
  ["whose newest figure is in the range", 1_500, true, tooLittle],
  ["whose newest figure ends with the range", 2_000, false, tooLittle],
  ["whose newest figure is older", 1_000, true, nothing],
  ["whose newest figure is later", 2_500, true, nothing],
  ["whose nodes were silent", 900, false, "Nothing was reported in this time range"],
])("an empty chart %s has a reason that agrees with that time", (_, newestMs, isReported, sentence) => {
  const reason = emptyReason({ newestMs, range, isReported, isFiltered: false });
  expect(reason).toEqual({ kind: "text", sentence, newestMs });
});

test("a chart without any figure blames the filter, if there is one", () => {
  const kindWith = (isFiltered: boolean) =>
    emptyReason({ newestMs: null, range, isReported: true, isFiltered }).kind;
  expect([kindWith(false), kindWith(true)]).toEqual(["never", "no match"]);
});

test.each([
  ["the last point, which a newer window may contradict", 10_000, 14_000, 10_000],
  ["the newest window, before its point ends", 20_000, 14_000, 14_000],
  ["the last point, if no report is known", 10_000, null, 10_000],
  ["no time, if the chart shows something", undefined, 14_000, null],
] as const)("a chart without events reports none up to %s", (_, drawnUntilMs, reportedMs, expected) => {
  expect(zeroEndMs(drawnUntilMs, reportedMs)).toBe(expected);
});
