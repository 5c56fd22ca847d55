import { passwordSchema } from "@stashlight/contracts/user";
import { expect, test } from "vitest";
import { assertPasswordHardToGuess } from "./password-rules.ts";

const email = "ada.lovelace@example.org";

test.each([
  ["qwertyuiop123", "most used"],
  ["passwordpassword", "most used"],
  ["Password123456", "most used"],
  ["P@$$w0rd1234", "most used"],
  ["!!administrator!!", "most used"],
  ["aaaaaaaaaaaaaa", "fewer than 5 different"],
  ["abababababab", "fewer than 5 different"],
  ["stash1stash1stash1", "repeats one short piece"],
  ["abcdeabcdeabcde", "repeats one short piece"],
  ["ada.lovelace", "e-mail address"],
  ["Ada.Lovelace2026", "e-mail address"],
])("%s is refused: %s", async (password, reason) => {
  await expect(assertPasswordHardToGuess(password, email)).rejects.toMatchObject({
    code: "invalid_input",
    field: "password",
    message: expect.stringContaining(reason),
  });
});

test.each([
  "correct horse battery staple",
  "four unrelated words are good",
  "Tr0ub4dor&3-and-more",
  "dünn Öl kalt Fähre",
  "ada.lovelace wrote the first program",
  "9f2c81d07ab34e65",
])("%s is accepted", async (password) => {
  await expect(assertPasswordHardToGuess(password, email)).resolves.toBeUndefined();
});

test.each([
  [11, false],
  [12, true],
  [256, true],
  [257, false],
])("the length rule accepts 12 to 256 characters: %d", (length, accepted) => {
  expect(passwordSchema.safeParse("x".repeat(length)).success).toBe(accepted);
});
