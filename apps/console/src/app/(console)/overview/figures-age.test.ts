import { expect, test } from "vitest";
import { ageOfFigures, describeAge, describeNoProblems } from "./figures-age.ts";

test("the age of figures is that of the newest window of any answer", () => {
  expect(ageOfFigures([{ newestMs: 40_000 }, { newestMs: null }, { newestMs: 50_000 }], 62_000)).toBe(12_000);
  expect(ageOfFigures([{ newestMs: null }], 62_000)).toBeNull();
});

test.each([
  ["nothing was ever measured", null, "good", "No problems"],
  ["figures are of the present", 14_999, "good", "No problems"],
  ["figures are a little late", 19_000, "good", "No problems as of 19 s ago"],
  ["figures are old", 60_000, "unknown", "No problems as of 1 min ago"],
  [
    "figures could not be read",
    undefined,
    "unknown",
    "Problems of vaults are unknown: the figures could not be read",
  ],
])("without a problem, and when %s, the state has its reason", (_, ageMs, status, title) => {
  expect(describeNoProblems({ ageMs, paceMs: 5_000 })).toEqual({ status, title });
});

test("a problem of old figures has their age", () => {
  const ages = [5_000, 60_000].map((ageMs) => describeAge({ ageMs, paceMs: 5_000 }));
  expect(ages).toEqual([null, "as of 1 min ago"]);
});

test.each([15_000, 60_000])(
  "figures that are read every %i ms are of the present until the next reading",
  (paceMs) => {
    const ageMs = paceMs + 9_000;
    expect(describeAge({ ageMs, paceMs })).toBeNull();
    expect(describeNoProblems({ ageMs, paceMs })).toEqual({ status: "good", title: "No problems" });
  },
);
