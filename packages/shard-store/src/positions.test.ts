import { expect, test } from "vitest";
import { Positions } from "./positions.ts";

test("a key is dead when the last of its positions is released, and each position means its key until then", () => {
  const positions = new Positions();
  positions.reserve("a", false);
  const first = positions.give("a");
  positions.reserve("a", true);
  const second = positions.give("a");
  expect([positions.keyOf(first), positions.keyOf(second)]).toEqual(["a", "a"]);
  expect(positions.release(first)).toBe(null);
  expect(positions.keyOf(first)).toBe(null);
  expect(positions.release(first)).toBe(null);
  expect(positions.release(second)).toBe("a");
});

test("an append that came to nothing does not keep its key alive", () => {
  const positions = new Positions();
  positions.reserve("a", false);
  const held = positions.give("a");
  positions.reserve("a", true);
  positions.cancel("a");
  expect(positions.release(held)).toBe("a");
});

test("positions are never given again, however many have been released", () => {
  const positions = new Positions();
  const given = Array.from({ length: 1000 }, (_, at) => positions.give(`key ${at}`));
  expect(given.map((position) => positions.release(position))).toEqual(given.map((_, at) => `key ${at}`));
  expect(given).not.toContain(positions.give("another"));
  expect(given.every((position) => positions.keyOf(position) === null)).toBe(true);
});
