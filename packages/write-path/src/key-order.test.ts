import fc from "fast-check";
import { expect, test } from "vitest";
import { addName, compareKeys, deleteName, namesFrom, type OrderedNames, orderNames } from "./key-order.ts";

const utf8 = (text: string): Buffer => Buffer.from(text, "utf8");
const name = fc.string({ unit: "binary", maxLength: 4 });

test("keys are sorted by their UTF-8 bytes", () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(Buffer.compare(utf8(a), utf8(b))));
    }),
  );
  expect(compareKeys("\u{1F600}", "\uFFFD")).toBeGreaterThan(0);
  expect(compareKeys("a", "ab")).toBeLessThan(0);
});

test("names are returned in order from any starting name, after any additions and removals", () => {
  const change = fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 3000 }));
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 3000, size: "max" }),
      fc.integer({ min: 0, max: 3000 }),
      fc.integer({ min: 0, max: 3000 }),
      fc.constantFrom(1, 7, 1009),
      fc.constantFrom("b", "\u{1F600}"),
      (changes, start, count, step, mark) => {
        const first = Array.from({ length: count }, (_, at) => `${mark}/${(at * step) % 3001}`);
        const names: OrderedNames = orderNames(first);
        const truth = new Set<string>(first);
        for (const [isAdded, number] of changes) {
          const text = `${mark}/${number}`;
          if (isAdded) {
            addName(names, text);
            truth.add(text);
          } else {
            deleteName(names, text);
            truth.delete(text);
          }
        }
        const from = `${mark}/${start}`;
        const expected = [...truth].filter((text) => text >= from).sort();
        expect([...namesFrom(names, from)]).toEqual(expected);
      },
    ),
    { numRuns: 30 },
  );
});
