import fc from "fast-check";
import { expect, test } from "vitest";
import { EventQueue } from "./event-queue.ts";

test("actions run in the order of their times, and in the order of scheduling at equal times", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }), (delays) => {
      const queue = new EventQueue();
      const ran: [number, number][] = [];
      delays.forEach((delayUs, index) => {
        queue.schedule(delayUs, () => {
          expect(queue.nowUs).toBe(delayUs);
          ran.push([delayUs, index]);
        });
      });
      while (queue.step(Number.POSITIVE_INFINITY)) expect(ran.length).toBeLessThanOrEqual(delays.length);
      const sorted = delays.map((delayUs, index) => [delayUs, index] as [number, number]);
      expect(ran).toEqual(sorted.sort(([a, i], [b, j]) => a - b || i - j));
    }),
  );
});

test("actions scheduled by an action run after it, and none beyond the given time", () => {
  const queue = new EventQueue();
  const ran: string[] = [];
  queue.schedule(5, () => {
    ran.push("first");
    queue.schedule(0, () => ran.push("second"));
    queue.schedule(10, () => ran.push("later"));
  });
  while (queue.step(10)) expect(queue.nowUs).toBe(5);
  expect(ran).toEqual(["first", "second"]);
  expect(queue.size).toBe(1);
});
