import fc from "fast-check";
import { expect, test } from "vitest";
import { findReservedName, refuseReservedNames } from "./reserved-names.ts";

const names = Object.getOwnPropertyNames(Object.prototype);

test("the tested names include the best-known names that every object inherits", () => {
  expect(names).toEqual(
    expect.arrayContaining(["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"]),
  );
});

test.each(names)("a field %s is refused anywhere in the input", (name) => {
  for (const text of [`{"${name}":1}`, `[{"a":[0,{"${name}":{}}]}]`, `{"a":{"b":{"${name}":null}}}`]) {
    const value: unknown = JSON.parse(text);
    expect(findReservedName(value)).toBe(name);
    expect(() => refuseReservedNames(value)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        field: name,
        message: `There is no field ${name}; remove it.`,
      }),
    );
  }
});

test("other fields are accepted, and so are reserved names as values", () => {
  const plain = fc.jsonValue({ maxDepth: 4 }).filter((value) => {
    const text = JSON.stringify(value);
    return !names.some((name) => text.includes(`"${name}":`));
  });
  fc.assert(
    fc.property(plain, (value) => {
      expect(findReservedName(value)).toBeUndefined();
    }),
  );
  expect(findReservedName({ name: "__proto__", names: ["constructor"] })).toBeUndefined();
});

test("input nested deeper than the stack can be checked", () => {
  const depth = 200_000;
  let value: unknown = JSON.parse('{"__proto__":1}');
  for (let level = 0; level < depth; level += 1) value = [value];
  expect(findReservedName(value)).toBe("__proto__");
});
