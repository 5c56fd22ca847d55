import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createClock,
  formatOrder,
  LOWEST_ORDER,
  nextOrder,
  observeOrder,
  parseOrder,
} from "./version-order.ts";

test("version orders increase even if the wall clock jumps, and exceed every observed order", () => {
  const step = fc.oneof(
    fc.record({ nowMs: fc.integer({ min: 0, max: 2 ** 41 }) }),
    fc.record({ seen: fc.tuple(fc.integer({ min: 0, max: 2 ** 41 }), fc.integer({ min: 0, max: 0xffff })) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const clock = createClock(7);
      let highest = LOWEST_ORDER;
      for (const at of steps) {
        if ("seen" in at) {
          const order = formatOrder(...at.seen, 9);
          observeOrder(clock, order);
          if (order > highest) highest = order;
        } else {
          const order = nextOrder(clock, at.nowMs);
          expect(order > highest).toBe(true);
          highest = order;
        }
      }
    }),
  );
});

const HOUR_MS = 3_600_000;

test.each([
  ["goes an hour ahead, orders follow it", [HOUR_MS], HOUR_MS],
  ["goes an hour back, orders do not go back", [-HOUR_MS], 0],
  ["goes an hour ahead and back, orders stay an hour ahead", [HOUR_MS, 0], HOUR_MS],
  ["goes an hour back and ahead, orders do not jump", [-HOUR_MS, 0], 0],
])("if the wall clock %s, and none is assigned twice", (_, steps, expectedAheadMs) => {
  const clock = createClock(7);
  const startMs = 2 ** 40;
  let last = nextOrder(clock, startMs);
  for (const wallAheadMs of steps) {
    clock.wallAheadMs = wallAheadMs;
    const order = nextOrder(clock, startMs);
    expect(order > last).toBe(true);
    last = order;
  }
  expect(parseOrder(last).timeMs - startMs).toBe(expectedAheadMs);
});

test("orders beyond the counter of one millisecond continue in the next", () => {
  const clock = createClock(1);
  let last = nextOrder(clock, 5);
  for (let i = 0; i < 70_000; i += 1) {
    const order = nextOrder(clock, 5);
    expect(order > last).toBe(true);
    last = order;
  }
  expect(parseOrder(last).timeMs).toBe(6);
});

test("the text of an order sorts by time, counter and coordinator, and parses back", () => {
  const parts = fc.tuple(
    fc.integer({ min: 0, max: 2 ** 48 - 1 }),
    fc.integer({ min: 0, max: 0xffff }),
    fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  );
  fc.assert(
    fc.property(parts, parts, (a, b) => {
      const byParts = a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
      const [first, second] = [formatOrder(...a), formatOrder(...b)];
      expect(Math.sign(byParts)).toBe(first < second ? -1 : first > second ? 1 : 0);
      expect(parseOrder(first)).toEqual({ timeMs: a[0], counter: a[1], bootId: a[2] });
    }),
  );
  expect(() => parseOrder("yesterday")).toThrow('24 hex digits, not "yesterday"');
});
