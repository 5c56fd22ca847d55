import { expect, test } from "vitest";
import { roleIncludes, roles } from "./roles.ts";

test("a role includes everything that the roles before it may do", () => {
  const table = roles.map((held) => roles.map((needed) => roleIncludes(held, needed)));
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});
