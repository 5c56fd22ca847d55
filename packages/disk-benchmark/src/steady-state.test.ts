import { expect, test } from "vitest";
import { findSteadyState } from "./steady-state.ts";

test("fewer than five rounds are not judged", () => {
  expect(findSteadyState([100, 100, 100, 100])).toBeNull();
});

test("only the last five rounds count, and a level rate is steady", () => {
  expect(findSteadyState([900, 100, 100, 100, 100, 100])).toEqual({
    isSteady: true,
    excursionShare: 0,
    slopeShare: 0,
  });
});

test("a rate that falls by a tenth of its mean over five rounds is steady, and one that falls by more is not", () => {
  expect(findSteadyState([105, 102.5, 100, 97.5, 95])).toMatchObject({ isSteady: true });
  const falling = findSteadyState([106, 103, 100, 97, 94]);
  expect(falling?.isSteady).toBe(false);
  expect(falling?.slopeShare).toBeCloseTo(0.12, 9);
});

test("one outlying round rules out a steady state although the trend is level", () => {
  expect(findSteadyState([100, 100, 130, 100, 100])).toMatchObject({ isSteady: false, slopeShare: 0 });
});

test("a drive with a rate of zero is steady", () => {
  expect(findSteadyState([0, 0, 0, 0, 0])?.isSteady).toBe(true);
});
