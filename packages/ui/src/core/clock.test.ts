import { expect, test } from "vitest";
import { offsetAfter } from "./clock.ts";

const DAY_MS = 86_400_000;

test.each([
  {
    title: "keeps to the browser's clock while delays explain the difference",
    current: 0,
    seen: -4_000,
    next: 0,
  },
  { title: "follows the server when the browser is a day behind", current: 0, seen: DAY_MS, next: DAY_MS },
  { title: "follows the server when the browser is ahead", current: 0, seen: -60_000, next: -60_000 },
  { title: "does not jump with every delay", current: DAY_MS, seen: DAY_MS - 3_000, next: DAY_MS },
  {
    title: "follows a clock that is set right while the page is open",
    current: DAY_MS,
    seen: 1_000,
    next: 0,
  },
  { title: "follows a clock that is set once more", current: DAY_MS, seen: 2 * DAY_MS, next: 2 * DAY_MS },
])("the estimated server clock $title", ({ current, seen, next }) => {
  expect(offsetAfter(current, seen)).toBe(next);
});
