import fc from "fast-check";
import { expect, test } from "vitest";
import { STEP_STANDS_MS, WallClock } from "./clock.ts";

const HOUR_MS = 3_600_000;

/** The two clocks of a machine, which tests move by hand. */
function startMachine() {
  const at = { monotonicMs: 1_000_000, wallErrorMs: 0 };
  const clock = new WallClock(() => Math.floor(at.monotonicMs + at.wallErrorMs));
  const pass = (ms: number): number => {
    at.monotonicMs += ms;
    return clock.aheadMs(at.monotonicMs);
  };
  return { at, clock, pass };
}

test("the clock follows a step of an hour ahead once it has lasted a minute", () => {
  const { at, pass } = startMachine();
  at.wallErrorMs = HOUR_MS;
  expect(pass(1)).toBe(0);
  expect(pass(STEP_STANDS_MS - 1)).toBe(0);
  expect(pass(1)).toBe(HOUR_MS);
});

test("the clock follows a backward step of an hour at once", () => {
  const { at, pass } = startMachine();
  at.wallErrorMs = -HOUR_MS;
  expect(pass(1)).toBe(-HOUR_MS);
});

test("the clock ignores a step ahead that is taken back within a minute", () => {
  const { at, pass } = startMachine();
  at.wallErrorMs = HOUR_MS;
  for (let s = 0; s < 59; s += 1) expect(pass(1000)).toBe(0);
  at.wallErrorMs = 0;
  expect(pass(1000)).toBe(0);
  at.wallErrorMs = HOUR_MS;
  expect(pass(1000)).toBe(0);
  expect(pass(STEP_STANDS_MS)).toBe(HOUR_MS);
});

test("the minute starts again when part of the step is taken back", () => {
  const { at, pass } = startMachine();
  at.wallErrorMs = 2 * HOUR_MS;
  pass(1);
  pass(STEP_STANDS_MS / 2);
  at.wallErrorMs = HOUR_MS;
  expect(pass(STEP_STANDS_MS / 2)).toBe(0);
  expect(pass(STEP_STANDS_MS)).toBe(HOUR_MS);
});

test("the clock follows a slew of a millisecond at a time, and ignores rounding", () => {
  const { at, pass } = startMachine();
  for (let s = 1; s <= 3600; s += 1) {
    at.wallErrorMs = s;
    expect(Math.abs(pass(1000) - s)).toBeLessThan(6);
  }
  const before = pass(0.4);
  for (let i = 0; i < 100; i += 1) expect(pass(0.37)).toBe(before);
});

test("a machine that starts in 1970 has the right time a minute after its clock was set", () => {
  const { at, pass } = startMachine();
  at.wallErrorMs = 50 * 365 * 24 * HOUR_MS;
  pass(1);
  expect(pass(STEP_STANDS_MS)).toBe(at.wallErrorMs);
});

test("the clock is within a second of the wall clock two minutes after any steps, and never ahead of all it showed", () => {
  const step = fc.record({
    byMs: fc.oneof(fc.constantFrom(HOUR_MS, -HOUR_MS), fc.integer({ min: -5000, max: 5000 })),
    passMs: fc.integer({ min: 0, max: 2 * STEP_STANDS_MS }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const { at, pass } = startMachine();
      let highest = 0;
      for (const { byMs, passMs } of steps) {
        at.wallErrorMs += byMs;
        highest = Math.max(highest, at.wallErrorMs);
        for (const part of [0, passMs / 2, passMs / 2]) expect(pass(part)).toBeLessThanOrEqual(highest);
      }
      // Waits twice, because the second part of a step made in two parts waits for its own minute.
      for (let s = 0; s <= (2 * STEP_STANDS_MS) / 1000 + 1; s += 1) pass(1000);
      expect(Math.abs(pass(0) - at.wallErrorMs)).toBeLessThanOrEqual(1000);
    }),
  );
});
