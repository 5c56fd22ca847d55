import { expect, test } from "vitest";
import { emailSchema, linkTokenSchema } from "./sign-in.ts";

test.each([
  ["Ada@Example.ORG", "ada@example.org"],
  ["ada+console@example.org", "ada+console@example.org"],
])("%s is normalised to the address %s", (text, email) => {
  expect(emailSchema.parse(text)).toBe(email);
});

test.each(["", "ada", "ada@", "@example.org", "ada example@example.org", `${"a".repeat(250)}@example.org`])(
  "%j is refused as an address",
  (text) => {
    expect(emailSchema.safeParse(text).success).toBe(false);
  },
);

test.each([
  ["A-_9".padEnd(43, "x"), true],
  ["x".repeat(42), false],
  ["x".repeat(44), false],
  ["!".padEnd(43, "x"), false],
])("%j is judged as a link's token: %s", (text, accepted) => {
  expect(linkTokenSchema.safeParse(text).success).toBe(accepted);
});
