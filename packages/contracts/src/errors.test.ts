import { expect, test } from "vitest";
import { StashlightError, toStashlightError } from "./errors.ts";

test("a StashlightError passes unchanged", () => {
  const error = new StashlightError("conflict", "A sentence.", { field: "name", cause: "why" });
  expect(toStashlightError(error)).toBe(error);
  expect(error).toMatchObject({ status: 409, field: "name", cause: "why" });
});

test.each([[new Error("inner text")], ["inner text"], [null], [undefined]])(
  "any other thrown value becomes an internal error without its text (%s)",
  (thrown) => {
    const error = toStashlightError(thrown);
    expect(error).toMatchObject({ code: "internal", status: 500 });
    expect(error.message).not.toContain("inner text");
    expect(error.cause).toBe(thrown ?? error.cause);
  },
);
