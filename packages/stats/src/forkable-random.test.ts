import { expect, test } from "vitest";
import { createRandom } from "./forkable-random.ts";

test("the same seed gives the same numbers, and another seed different ones", () => {
  const draw = (seed: number) => {
    const random = createRandom(seed);
    return Array.from({ length: 100 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
  // Seeds that differ only above 32 bits must differ too.
  expect(draw(7)).not.toEqual(draw(7 + 2 ** 32));
});

test("numbers are uniform in [0, 1) to within what chance allows", () => {
  const random = createRandom(1);
  const counts = new Array<number>(16).fill(0);
  for (let i = 0; i < 16_000; i += 1) {
    const value = random.next();
    expect(value).toBeGreaterThanOrEqual(0);
    expect(value).toBeLessThan(1);
    const cell = Math.floor(value * 16);
    counts[cell] = (counts[cell] ?? 0) + 1;
  }
  // Chi squared with 15 degrees of freedom: 37.7 is exceeded once in a thousand.
  const chiSquared = counts.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
  expect(chiSquared).toBeLessThan(37.7);
});

test("a fork does not change later draws of its parent", () => {
  const a = createRandom(3);
  const b = createRandom(3);
  const fork = a.fork();
  b.fork();
  for (let i = 0; i < 10; i += 1) fork.next();
  expect(a.next()).toBe(b.next());
});

test("picking from an empty list is refused", () => {
  expect(() => createRandom(1).pick([])).toThrow("nothing to pick");
});
