import { expect, test } from "vitest";
import { Countdown, secondsLeft } from "./operation-progress.ts";

function after(...lefts: readonly number[]) {
  const countdown = new Countdown();
  for (const [at, left] of lefts.entries()) countdown.note(left, at * 2000);
  return countdown.progress();
}

test("progress is the remainder, its maximum, and the rate of the last minute", () => {
  expect(after(0, 1000, 800, 600, 400)).toEqual({ left: 400, total: 1000, perSecond: 100 });
  expect(secondsLeft(after(0, 1000, 800, 600, 400))).toBe(4);
});

test("there is no rate before five seconds of progress, and none while nothing decreases", () => {
  expect(after(1000, 500).perSecond).toBeNull();
  expect(after(1000, 1000, 1000, 1000, 1000).perSecond).toBeNull();
  expect(secondsLeft(after(1000, 1000))).toBeNull();
});

test("a new maximum starts the countdown again, and zero ends it", () => {
  expect(after(1000, 500, 2000, 1500)).toEqual({ left: 1500, total: 2000, perSecond: null });
  expect(after(1000, 500, 0)).toEqual({ left: 0, total: 0, perSecond: null });
  expect(secondsLeft(after(1000, 500, 0))).toBe(0);
});

test("progress from before the last minute does not count", () => {
  const slowThenFast = [...Array.from({ length: 100 }, () => 1000), 900, 800, 700];
  expect(after(...slowThenFast).perSecond).toBeCloseTo(300 / 60, 0);
});
