import { expect, test } from "vitest";
import { roleIncludes, roles } from "./roles.ts";

test("a role includes itself and the roles before it", () => {
  const table = roles.map((held) => roles.map((needed) => roleIncludes(held, needed)));
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});
