import fc from "fast-check";
import { expect, test } from "vitest";
import { lineFinder } from "./line-finder.ts";

test("a line break belongs to the line that it ends", () => {
  const lineAt = lineFinder("ab\n\nc\n");
  expect([0, 1, 2, 3, 4, 5, 6].map(lineAt)).toEqual([1, 1, 1, 2, 3, 3, 4]);
  expect(lineFinder("")(0)).toBe(1);
});

test("a line's number is one more than the line breaks before it", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("a", "\n")), fc.nat(100), (characters, offset) => {
      const text = characters.join("");
      expect(lineFinder(text)(offset)).toBe(text.slice(0, offset).split("\n").length);
    }),
  );
});
