import fc from "fast-check";
import { expect, test } from "vitest";
import { shortNames } from "./short-names.ts";

test("short names are unchanged, and long names keep their beginning and end", () => {
  const long = "a-name-of-sixty-four-characters-as-somebody-chose-it-for-a-test";
  expect(shortNames(["Backblaze B2, us-west", long])).toEqual([
    "Backblaze B2, us-west",
    "a-name-of-sixty-…-for-a-test",
  ]);
});

test("two different names never become the same when shortened", () => {
  const name = fc.string({ minLength: 1, maxLength: 64 });
  fc.assert(
    fc.property(name, name, fc.string({ minLength: 30, maxLength: 30 }), (a, b, same) => {
      const names = [`${same}${a}${same}`, `${same}${b}${same}`] as const;
      const [first, second] = shortNames(names);
      expect(first === second).toBe(names[0] === names[1]);
    }),
  );
});

test("a long name is shortened to at most 28 characters", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 29, maxLength: 64 }), (name) => {
      const [short = ""] = shortNames([name, "B2"]);
      expect([...short].length).toBeLessThanOrEqual(28);
    }),
  );
});
