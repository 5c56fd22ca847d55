import { expect, test } from "vitest";
import { roleIncludes, roles } from "./roles.ts";

test("a role may do everything that it and those before it may", () => {
  const table = roles.map((held) => roles.map((needed) => roleIncludes(held, needed)));
  expect(table).toEqual([
    [true, false, false],
    [true, true, false],
    [true, true, true],
  ]);
});
