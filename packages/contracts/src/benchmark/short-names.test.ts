import fc from "fast-check";
import { expect, test } from "vitest";
import { shortNames } from "./short-names.ts";

test("short names are kept, and so are the beginning and end of long ones", () => {
  const long = "a-name-of-sixty-four-characters-as-somebody-chose-it-for-a-test";
  expect(shortNames(["Backblaze B2, us-west", long])).toEqual([
    "Backblaze B2, us-west",
    "a-name-of-sixty-…-for-a-test",
  ]);
});

test("two names of one sentence never become the same", () => {
  const name = fc.string({ minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(name, name, fc.string({ minLength: 30, maxLength: 30 }), (a, b, same) => {
      const names = [`${same}${a}${same}`, `${same}${b}${same}`] as const;
      const [first, second] = shortNames(names);
      expect(first === second).toBe(names[0] === names[1]);
    }),
  );
});

test("a sentence of two names fits on a line", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 29, maxLength: 64 }), (name) => {
      const [short = ""] = shortNames([name, "B2"]);
      expect([...short].length).toBeLessThanOrEqual(28);
    }),
  );
});
