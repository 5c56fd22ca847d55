/** Tests that keys take turns, with shares of the work rather than of the requests. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FairQueue } from "./fair-queue.ts";

const limits = { quantum: 10, countMax: 100, countPerKeyMax: 60 };
const always = () => true;

function queueOf(entries: readonly (readonly [key: string, cost: number])[], quantum = 10) {
  const queue = new FairQueue<number>({ ...limits, quantum });
  for (const [item, [key, cost]] of entries.entries()) queue.push({ key, cost, item });
  return queue;
}

function drained(queue: FairQueue<number>): { key: string; cost: number; item: number }[] {
  const taken: { key: string; cost: number; item: number }[] = [];
  for (let next = queue.take(always); next !== null; next = queue.take(always)) taken.push(next);
  return taken;
}

const keysOf = (queue: FairQueue<number>): string =>
  drained(queue)
    .map(({ key }) => key)
    .join("");

describe("the order of turns", () => {
  test.each<[what: string, entries: [string, number][], order: string]>([
    [
      "one key: in order",
      [
        ["a", 10],
        ["a", 10],
        ["a", 10],
      ],
      "aaa",
    ],
    [
      "two keys: alternately, even if one queued more",
      [
        ["a", 10],
        ["a", 10],
        ["a", 10],
        ["b", 10],
      ],
      "abaa",
    ],
    [
      "small ones: as many as a quantum buys",
      [
        ["a", 5],
        ["a", 5],
        ["a", 5],
        ["b", 10],
        ["b", 10],
      ],
      "aabab",
    ],
    [
      "a large one: after the rounds that it costs",
      [
        ["a", 30],
        ["b", 10],
        ["b", 10],
        ["b", 10],
      ],
      "bbab",
    ],
    ["nobody", [], ""],
  ])("follows fair shares: %s", (_what, entries, order) => {
    expect(keysOf(queueOf(entries))).toBe(order);
  });

  test("an item that does not fit stays at the front and is not overtaken", () => {
    const queue = queueOf([
      ["a", 10],
      ["b", 5],
    ]);
    expect(queue.take(({ cost }) => cost < 10)).toBeNull();
    expect(queue.take(always)?.key).toBe("a");
    expect(queue.take(({ cost }) => cost < 10)?.key).toBe("b");
  });
});

test("a key at its limit cannot queue more, and no key can when the queue is full", () => {
  const queue = new FairQueue<number>({ quantum: 1, countMax: 3, countPerKeyMax: 2 });
  for (const item of [1, 2]) queue.push({ key: "a", cost: 1, item });
  expect([queue.hasRoomFor("a"), queue.hasRoomFor("b")]).toEqual([false, true]);
  queue.push({ key: "b", cost: 1, item: 3 });
  expect(queue.hasRoomFor("c")).toBe(false);
});

test("a removed item costs nothing, and the others keep their order", () => {
  const queue = queueOf([
    ["a", 3],
    ["a", 4],
    ["b", 5],
    ["a", 6],
  ]);
  expect(queue.remove(({ cost }) => cost > 3 && cost < 6).map(({ item }) => item)).toEqual([1, 2]);
  expect([queue.count, [...queue.costs()]]).toEqual([2, [["a", 9]]]);
  expect(drained(queue).map(({ item }) => item)).toEqual([0, 3]);
});

const entries = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.integer({ min: 1, max: 50 })), {
  maxLength: 60,
});

test("every item comes out once, in its key's order", () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 40 }), (given, quantum) => {
      const taken = drained(queueOf(given, quantum));
      expect(taken.map(({ item }) => item).sort((x, y) => x - y)).toEqual(given.map((_, item) => item));
      for (const key of ["a", "b", "c", "d"]) {
        const own = taken.filter((each) => each.key === key).map(({ item }) => item);
        expect(own).toEqual([...own].sort((x, y) => x - y));
      }
    }),
  );
});

test("while two keys wait, neither gets ahead by more than two quanta and two of the largest items", () => {
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 40 }), (given, quantum) => {
      const queue = queueOf(given, quantum);
      const got = new Map<string, number>();
      for (;;) {
        const waiting = [...queue.costs().keys()];
        const shares = waiting.map((key) => got.get(key) ?? 0);
        if (shares.length > 1)
          expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(2 * (quantum + 50));
        const next = queue.take(always);
        if (next === null) break;
        got.set(next.key, (got.get(next.key) ?? 0) + next.cost);
      }
    }),
  );
});
