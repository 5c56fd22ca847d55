import { expect, test } from "vitest";
import { placeProblems } from "./place-problems.ts";

const fieldAt = (path: string | null) =>
  ["name", "owner"].find((name) => path === name || path?.startsWith(`${name}.`)) ?? null;
const others = [
  { message: "Enter an owner.", field: "owner" },
  { message: "An owner has lower-case letters.", field: "owner.0" },
  { message: "There is no such vault.", field: "vault" },
];

test("every field of a submission gets its first error", () => {
  const problem = { message: "Enter a name.", field: "name", others };
  expect(placeProblems(problem, fieldAt)).toEqual({
    formError: "There is no such vault.",
    atFields: { name: "Enter a name.", owner: "Enter an owner." },
  });
});

test("an error about no field of the form is shown above the fields", () => {
  const problem = { message: "Sign in again.", field: null };
  expect(placeProblems(problem, fieldAt)).toEqual({ formError: "Sign in again.", atFields: {} });
});
