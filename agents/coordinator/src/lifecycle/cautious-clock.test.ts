import fc from "fast-check";
import { expect, test } from "vitest";
import { CautiousClock, majorityTime } from "./cautious-clock.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function start() {
  const now = { wallMs: 1_000 * DAY, steadyMs: 0 };
  const clock = new CautiousClock({ wallMs: () => now.wallMs, steadyMs: () => now.steadyMs });
  const pass = (ms: number) => {
    now.wallMs += ms;
    now.steadyMs += ms;
    return clock.read();
  };
  return { now, clock, pass };
}

test("a clock that was never set is trusted", () => {
  const { now, pass } = start();
  for (let hour = 0; hour < 100; hour += 1) expect(pass(HOUR)).toBe(now.wallMs);
});

test("a clock set ahead is trusted after a day in which it stayed ahead", () => {
  const { now, clock, pass } = start();
  const before = pass(HOUR);
  now.wallMs += 365 * DAY;
  expect(clock.read()).toBe(before);
  expect(pass(23 * HOUR)).toBe(before + 23 * HOUR);
  expect(pass(HOUR)).toBe(now.wallMs);
});

test("a clock set ahead and back again is never trusted in between", () => {
  const { now, clock, pass } = start();
  const before = pass(HOUR);
  now.wallMs += 30 * DAY;
  pass(HOUR);
  now.wallMs -= 30 * DAY;
  expect(clock.read()).toBe(before + HOUR);
  expect(pass(3 * DAY)).toBe(now.wallMs);
});

test("a clock set back takes effect at once, and its return then takes a day", () => {
  const { now, clock, pass } = start();
  now.wallMs -= 2 * HOUR;
  expect(clock.read()).toBe(now.wallMs);
  const before = pass(HOUR);
  now.wallMs += 2 * HOUR;
  expect(clock.read()).toBe(before);
  pass(12 * HOUR);
  expect(pass(12 * HOUR)).toBe(now.wallMs);
});

test("after any clock steps within 22 hours the time is at most a minute ahead of the true time", () => {
  const steps = fc.array(
    fc.record({
      passMs: fc.integer({ min: 0, max: 2 * HOUR }),
      stepMs: fc.integer({ min: -DAY, max: 400 * DAY }),
    }),
    { maxLength: 11 },
  );
  fc.assert(
    fc.property(steps, (all) => {
      // At most 22 hours pass, so no step is trusted.
      const { now, clock } = start();
      let trueMs = now.wallMs;
      for (const { passMs, stepMs } of all) {
        now.steadyMs += passMs;
        trueMs += passMs;
        now.wallMs += passMs + stepMs;
        expect(clock.read()).toBeLessThanOrEqual(trueMs + 60_000);
      }
    }),
    { numRuns: 500 },
  );
});

test.each([
  [[5], 5],
  [[5, 9], 5],
  [[5, null], Number.NEGATIVE_INFINITY],
  [[5, 6, 900], 6],
  [[5, null, 900], 5],
  [[5, null, null], Number.NEGATIVE_INFINITY],
  [[1, 5, 6, 900], 5],
  [[], Number.NEGATIVE_INFINITY],
])("the time that most of the clocks %j have reached is %d", (clocks, expected) => {
  expect(majorityTime(clocks)).toBe(expected);
});
