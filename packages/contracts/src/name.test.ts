import { expect, test } from "vitest";
import { nameSchema } from "./name.ts";

test.each([
  ["  Ada  ", "Ada"],
  ["x".repeat(100), "x".repeat(100)],
])("the name %j is stored as %j", (text, name) => {
  expect(nameSchema().parse(text)).toBe(name);
});

test.each([
  ["", "Enter a name."],
  ["   ", "Enter a name."],
  ["x".repeat(101), "A name can have at most 100 characters."],
])("%j is refused as a name", (text, message) => {
  expect(nameSchema().safeParse(text).error?.issues[0]?.message).toBe(message);
});
