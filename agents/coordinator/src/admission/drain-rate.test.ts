import { expect, test } from "vitest";
import { DrainRate } from "./drain-rate.ts";

/** Completes one unit of work of this cost at every interval, while the lane is busy. */
function drained({ cost, everyMs, forMs }: { cost: number; everyMs: number; forMs: number }, from = 0) {
  const rate = new DrainRate();
  rate.observe(true, from);
  for (let ms = everyMs; ms <= forMs; ms += everyMs) {
    rate.observe(true, from + ms);
    rate.done(cost);
  }
  return rate;
}

test("the rate is unknown until a vault has been busy for long enough", () => {
  expect(new DrainRate().at(1e6)).toBeNull();
  expect(drained({ cost: 5, everyMs: 10, forMs: 100 }).at(100)).toBeNull();
});

test.each([
  [5, 10, 1000],
  [1000, 100, 5000],
  [1, 1, 300],
])("the rate of work of cost %d every %d ms is known after %d ms", (cost, everyMs, forMs) => {
  const rate = drained({ cost, everyMs, forMs }).at(forMs);
  expect(rate?.costPerMs).toBeCloseTo(cost / everyMs, 1);
  expect(rate?.countPerMs).toBeCloseTo(1 / everyMs, 1);
});

test("idle time is not measured, nor is work that ends during it", () => {
  const rate = drained({ cost: 5, everyMs: 10, forMs: 1000 });
  const before = rate.at(1000);
  rate.observe(false, 1000);
  rate.done(1e6);
  expect(rate.at(5000)).toEqual(before);
});

test("a rate is dropped after a long idle period, even if it was read in between", () => {
  expect(drained({ cost: 5, everyMs: 10, forMs: 1000 }).at(1000)).not.toBeNull();
  for (const isAsked of [true, false]) {
    const rate = drained({ cost: 5, everyMs: 10, forMs: 1000 });
    rate.observe(false, 1000);
    if (isAsked) rate.at(3000);
    rate.observe(true, 7000);
    expect(rate.at(7000)).toBeNull();
  }
});

test("the rate of a stalled vault halves about every second and approaches zero", () => {
  const rate = drained({ cost: 5, everyMs: 10, forMs: 20_000 });
  const before = rate.at(20_000)?.costPerMs as number;
  expect(rate.at(21_000)?.costPerMs).toBeLessThan(before * 0.65);
  expect(rate.at(40_000)?.costPerMs).toBeLessThan(before / 1000);
});
